import { callKey } from '../json/canonical.js';
import { type Language, languageOf, languageOption } from '../options/language.js';
import { isOpen, pair } from '../transcript/pairs.js';
import type { Part, Transcript } from '../transcript/types.js';
import { everyOption, replaceSuperseded, type Superseded, supersedingCalls } from './every.js';
import { isSaid, keepingFor, keepingOptions } from './keeping.js';
import type { Pace } from './pace.js';
import { addBlocks, type Blocks, bodiesOf, type Notes, withoutLines } from './repeated-lines.js';
import { isShorter, replaceParts, withNote } from './results.js';
import { toolMatcher, toolOptions } from './tools.js';
import { type Counts, defineTransform } from './transform.js';

export const REPEATED: Readonly<Record<Language, string>> = {
  en: '[The same call was made again later: see its result there]',
  zh: '[之后又进行了相同的调用：请看那里的结果]',
  ja: '[同じ呼び出しが後で再び行われました: 結果はそちらを参照]',
};

export default defineTransform({
  id: 'dedupe',
  summary: 'keep only the last result of identical calls',
  description:
    'Of several answered calls of one tool with the same arguments, only the last keeps its result; the results of ' +
    'the others become a short note, except answers of a person and the last failure of all. The order ' +
    'of members, white space and the notation of numbers make no difference. A result that would not get shorter ' +
    'does not change. With --lines, five or more lines in a row ' +
    'that an earlier result shows become a note with their number and their first and last words. Use it ' +
    'after the steps that clear or drop results.',
  options: {
    ignoreArg: {
      type: 'text',
      many: true,
      value: 'name',
      summary: 'an argument to ignore in the comparison; repeatable',
    },
    lines: {
      type: 'flag',
      excludes: ['ignoreArg', 'every'],
      summary: 'instead: runs of five lines and more that an earlier result shows',
    },
    ...keepingOptions,
    ...everyOption,
    ...languageOption,
    ...toolOptions,
  },
  countsTokens: () => true,
  onlyTraffic: () => true,
  isMonotone: () => true,
  continues: ({ every }) => typeof every !== 'object',
  continuesBefore: ({ every, lines }) => every === 1 && lines !== true,
  apply(transcript, options, counts) {
    if (options.lines === true) return withoutRepeatedLines(transcript, options, counts);
    return replaceSuperseded(transcript, repeatedCalls(transcript, options, counts), options);
  },
});

export interface DedupeOptions extends LinesOptions, Pace {
  readonly ignoreArg: readonly string[];
  readonly lines: boolean | undefined;
}

/** Calls that are made again later. */
export function repeatedCalls(transcript: Transcript, options: DedupeOptions, counts: Counts): readonly Superseded[] {
  const matches = toolMatcher(options);
  const ignored = new Set(options.ignoreArg);
  const note = REPEATED[languageOf(options.lang)];
  const seen = new Map<string, number>(); // since when
  const superseded: Superseded[] = [];
  const { calls } = pair(transcript.messages);
  const superseding = supersedingCalls(transcript, calls, options.every);
  const keeping = keepingFor(transcript.traits, options.everything, (call) => superseding.get(call)!);
  keeping.add([...superseding.keys()]);
  for (const call of calls.toReversed()) {
    if (isOpen(call) || !matches(call.part.tool) || (options.everything !== true && isSaid(call))) continue;
    const key = callKey(call.part, (name, level) => level === 0 && ignored.has(name));
    const since = seen.get(key) ?? NEVER;
    const parts = () => new Map(call.results.map(({ part }) => [part, withNote(part, note, counts)]));
    const from = Math.max(since, keeping.mayGo(call));
    if (from < NEVER) superseded.push({ call, since: from, parts: parts() });
    const moment = superseding.get(call);
    if (moment !== undefined) seen.set(key, Math.min(since, moment));
  }
  return superseded.reverse();
}

const NEVER = Number.POSITIVE_INFINITY;

interface LinesOptions {
  readonly lang: Language | undefined;
  readonly everything: boolean | undefined;
  readonly tool: readonly string[];
  readonly excludeTool: readonly string[];
}

const EARLIER: Readonly<Record<Language, readonly [start: string, middle: string, to: string, end: string]>> = {
  en: ['[', ' lines as in an earlier result, from "', '" to "', '"]'],
  zh: ['[', ' 行与之前的结果相同，从 "', '" 到 "', '"]'],
  ja: ['[', ' 行: 以前の結果と同じです。"', '" から "', '" まで]'],
};
const NOTE = new RegExp(
  `^(?:${Object.values(EARLIER)
    .map(([start, middle]) => `\\${start}[\\d,]{1,12}${middle}.*`)
    .join('|')})"(?: まで)?\\]$`,
);
/** So much of the first and of the last line is enough to find them. */
const SHOWN = 40;

/** Each result without the lines that what is left of earlier ones shows. */
function withoutRepeatedLines(transcript: Transcript, options: LinesOptions, counts: Counts): Transcript {
  const matches = toolMatcher(options);
  const [start, middle, to, end] = EARLIER[languageOf(options.lang)];
  const shown = (line: string) => [...line.trim().slice(0, 2 * SHOWN)].slice(0, SHOWN).join('').trim();
  const notes: Notes = {
    isOne: (line) => NOTE.test(line),
    of: (run) => {
      const said = run.filter((line) => line.trim() !== '');
      return `${start}${run.length}${middle}${shown(said[0] ?? '')}${to}${shown(said.at(-1) ?? '')}${end}`;
    },
  };
  const blocks: Blocks = new Set();
  const replacements = new Map<Part, Part>();
  for (const { part, call } of pair(transcript.messages).results) {
    const stays = options.everything !== true && call !== undefined && isSaid(call);
    const cut = stays || !matches(part.tool ?? call?.part.tool) ? part : withoutLines(part, blocks, notes);
    const left = isShorter(cut, part, counts) ? cut : part;
    if (left !== part) replacements.set(part, left);
    for (const body of bodiesOf(left)) addBlocks(blocks, body, notes.isOne);
  }
  return replaceParts(transcript, replacements);
}
