import { TranscriptError } from '../errors.js';
import { type Language, languageOf, languageOption } from '../options/language.js';
import { pair } from '../transcript/pairs.js';
import { grouped, textOf } from '../transcript/text.js';
import type { Part } from '../transcript/types.js';
import { measureByUnit } from './measure.js';
import type { Step } from './pipeline.js';
import { mapTexts, replaceParts } from './results.js';
import { toolMatcher, toolOptions } from './tools.js';
import { defineTransform } from './transform.js';

/** The length at which a result is worth a file: twice what `truncate` leaves. */
const DEFAULT_OVER = 8000;
/** So much of the beginning and of the end stays. */
const SHOWN = 500;
/** Below, the ends and the note would hardly be shorter. */
const LEAST_OVER = 2000;

const NOTES: Readonly<Record<Language, (size: string, path: string) => string>> = {
  en: (size, path) => `[${size} characters in all: read the file ${path} for what is left out here]`,
  zh: (size, path) => `[共 ${size} 个字符：省略的内容请读取文件 ${path}]`,
  ja: (size, path) => `[全 ${size} 文字: 省略された部分はファイル ${path} を読んでください]`,
};

export default defineTransform({
  id: 'offload',
  summary: 'put long tool results into files',
  description:
    'Writes the exact text of a tool result that is longer than the limit to a file of its own, and leaves its ' +
    'beginning, its end, its length and the path, so that the model can read the rest. The name comes from the text; ' +
    'a file with another text is never overwritten. Results of calls that name the folder stay whole.',
  options: {
    over: {
      type: 'integer',
      least: LEAST_OVER,
      default: DEFAULT_OVER,
      value: 'n',
      summary: 'only results of more characters than this',
    },
    dir: { type: 'text', reach: 'writes', value: 'folder', summary: 'where the files go (required)' },
    store: {
      type: 'module',
      reach: 'runs',
      value: 'file',
      summary: 'a module that takes a path and a text, in place of files',
    },
    ...languageOption,
    ...toolOptions,
  },
  examples: [['ctx-trim offload --dir results session.jsonl', 'files in ./results, named in what is printed']],
  needs: ['dir'],
  perMessage: true,
  onlyTraffic: () => true,
  isMonotone: () => true,
  continues: () => true,
  apply(transcript, { over, dir = '', store, ...options }) {
    const matches = toolMatcher(options);
    const note = NOTES[languageOf(options.lang)];
    const { chars } = measureByUnit(() => 0);
    const folder = dir.replace(/[/\\]+$/, '');
    const shorten = (text: string, tool = 'result') => {
      if (text.length <= over || chars.length(text) <= over || HALF.test(text)) return text;
      const path = `${folder}/${tool.replace(/[^\w-]/g, '_').slice(0, 40)}-${nameOf(text)}.txt`;
      const left = `${chars.head(text, SHOWN)}\n${note(grouped(chars.length(text)), path)}\n${chars.tail(text, SHOWN)}`;
      if (chars.length(left) > over) return text;
      keep(path, text, store);
      return left;
    };
    const replacements = new Map<Part, Part>();
    for (const { part, call } of pair(transcript.messages).results) {
      const tool = part.tool ?? call?.part.tool;
      if (!matches(tool) || (call !== undefined && textOf(call.part.input).includes(`${folder}/`))) continue;
      const shorter = mapTexts(part, (text) => shorten(text, tool));
      if (shorter !== part) replacements.set(part, shorter);
    }
    return replaceParts(transcript, replacements);
  },
});

export type Store = (path: string, text: string) => unknown;

/** For what only looks at what steps would do: nothing is kept. */
export const KEEPS_NOTHING: Store = () => {};

/** The same steps with a store where none is given. */
export function withStore<T extends Step>(steps: readonly T[], store: Store): T[] {
  return steps.map((step) =>
    step.transform.id === 'offload' && step.values['store'] === undefined
      ? { ...step, values: { ...step.values, store } }
      : step,
  );
}

/** Half of a character, which no file can hold. */
const HALF = /\p{Surrogate}/u;

/** What each store has got: an agent sends its history again with each request. */
const kept = new WeakMap<Store, Set<string>>();

function keep(path: string, text: string, store: Store | undefined): void {
  if (store === undefined)
    throw new TranscriptError('usage', 'offload needs `store`, a function that keeps a text under a path');
  const known = kept.get(store) ?? new Set();
  kept.set(store, known);
  if (!known.has(path)) store(path, text);
  known.add(path);
}

/** FNV-1a from two beginnings, 64 bits in all. http://www.isthe.com/chongo/tech/comp/fnv/, read 2026-11-26 */
function nameOf(text: string): string {
  let [one, two] = [0x811c9dc5, 0xcbf29ce4];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x01000193);
    two = Math.imul(two ^ unit, 0x01000193);
  }
  return [one, two].map((hash) => (hash >>> 0).toString(16).padStart(8, '0')).join('');
}
