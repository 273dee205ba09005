import { TranscriptError } from '../errors.js';
import { modelInfo } from '../tokens/models.js';
import { mapMessages, mapParts } from '../transcript/edit.js';
import { pair } from '../transcript/pairs.js';
import { longest, textOf } from '../transcript/text.js';
import type { ContentPart, Part, ResultPart, Transcript } from '../transcript/types.js';
import { globOf } from './glob.js';
import { LANGUAGES, type Language, languageOf, languageOption } from './language.js';
import { type Measure, measures, type Unit } from './measure.js';
import { toolMatcher, toolOptions } from './tools.js';
import { defineTransform } from './transform.js';

/** AppFlowy's `max_tool_result_length`: its default and its minimum. https://github.com/AppFlowy-IO/AppFlowy */
const DEFAULT_LENGTH = 4000;
const MINIMUM_LENGTH = 1000;

/** The limit in characters by a model's context window in tokens, the largest window first (AppFlowy's table). */
const LIMIT_BY_WINDOW: readonly (readonly [window: number, limit: number])[] = [
  [100_000, 24_000],
  [32_000, 12_000],
  [8_000, 5_000],
  [4_000, 2_500],
  [0, 1_500],
];

const UNIT_NAMES: Readonly<Record<Language, Readonly<Record<Unit, string>>>> = {
  en: { chars: 'chars', bytes: 'bytes', tokens: 'tokens' },
  zh: { chars: '字符', bytes: '字节', tokens: '令牌' },
  ja: { chars: '文字', bytes: 'バイト', tokens: 'トークン' },
};

const NOTES: Readonly<Record<Language, (length: number, unit: string) => string>> = {
  en: (length, unit) => `[result truncated, original length: ${length} ${unit}]`,
  zh: (length, unit) => `[结果已截断，原始长度: ${length} ${unit}]`,
  ja: (length, unit) => `[結果は切り詰められました。元の長さ: ${length} ${unit}]`,
};
/** A result of which only a note is left, in any language and unit. */
const BARE_NOTE = new RegExp(
  `^\\.\\.\\.\\n(?:${LANGUAGES.map((language) => `\\${NOTES[language](0, '').replace(/0 \]$/, '\\d+ \\S+\\]')}`).join('|')})$`,
);

type Keep = 'head' | 'tail' | 'both';

export default defineTransform({
  id: 'truncate',
  summary: 'cut long tool results',
  description:
    'Cuts each tool result that is longer than the limit, and says so in a note at its end that counts toward the limit. Images and other blocks stay. A length of 0 or below means the default; one below 1000 is raised to 1000.',
  options: {
    maxLength: {
      type: 'integer',
      least: Number.NEGATIVE_INFINITY,
      default: DEFAULT_LENGTH,
      value: 'n',
      summary: 'the longest a result may be; 0 and below stand for the default',
    },
    noMinimum: { type: 'flag', needs: ['maxLength', 'toolLength'], summary: 'take a length below 1000 as it is' },
    unit: {
      type: 'choice',
      choices: ['chars', 'bytes', 'tokens'],
      default: 'chars',
      summary: 'what is counted: characters as a reader sees them, UTF-8 bytes, or tokens',
    },
    keep: {
      type: 'choice',
      choices: ['head', 'tail', 'both'],
      default: 'head',
      summary: 'which end of a result stays',
    },
    toolLength: {
      type: 'limits',
      least: 0,
      many: true,
      value: 'tool=n',
      summary: 'another length for the tools that match; repeatable, the last one wins',
    },
    for: {
      type: 'text',
      value: 'model',
      excludes: ['maxLength'],
      summary:
        "the length that fits the model's context window (2K tokens 1500, 4K 2500, 8K 5000, 32K 12000, 100K and more 24000)",
    },
    ...languageOption,
    ...toolOptions,
  },
  perMessage: true,
  countsTokens: ({ unit }) => unit === 'tokens',
  remarks(options) {
    const lengths = [options.maxLength, ...options.toolLength.map(([, length]) => length)];
    const warnings = lengths
      .filter((length) => effective(length, options.noMinimum) !== length && length > 0)
      .map(
        (length) =>
          `--max-length ${length} is below the minimum and was raised to ${MINIMUM_LENGTH} (--no-minimum lifts that)`,
      );
    const perTool = options.toolLength.map(([tool, length]) => `, ${tool} ${effective(length, options.noMinimum)}`);
    return { warnings, notes: [`limit ${usualLimit(options)} ${options.unit}${perTool.join('')}`] };
  },
  onlyTraffic: () => true,
  apply(transcript, options, counts) {
    const measure = measures(counts.text)[options.unit];
    const cutter: Cutter = { measure, keep: options.keep, note: noteOf(languageOf(options.lang), options.unit) };
    const matches = toolMatcher(options);
    const limits = options.toolLength.map(
      ([tool, length]) => [globOf(tool), effective(length, options.noMinimum)] as const,
    );
    const usual = usualLimit(options);
    const limitOf = (tool: string | undefined) =>
      limits.findLast(([pattern]) => tool !== undefined && pattern.test(tool))?.[1] ?? usual;
    const smallest = limits.reduce((least, [, limit]) => Math.min(least, limit), usual);
    if (
      !transcript.messages.some((message) =>
        message.parts.some((part) => part.type === 'result' && mayExceed(part, smallest)),
      )
    )
      return transcript;

    const toolOf = toolNames(transcript);
    const exceeds = (part: Part): part is ResultPart => part.type === 'result' && mayExceed(part, smallest);
    return mapMessages(transcript, (message) => {
      if (!message.parts.some(exceeds)) return message;
      return mapParts(message, (part) => {
        const tool = toolOf.get(part);
        return exceeds(part) && matches(tool) ? cutResult(part, limitOf(tool), cutter) : part;
      });
    });
  },
});

function usualLimit(options: {
  readonly for: string | undefined;
  readonly maxLength: number;
  readonly noMinimum: boolean | undefined;
}): number {
  return options.for === undefined ? effective(options.maxLength, options.noMinimum) : limitForModel(options.for);
}

/** The limit that fits a model's context window. */
function limitForModel(model: string): number {
  const window = modelInfo(model)?.contextWindow;
  if (window === undefined)
    throw new TranscriptError(
      'model',
      `the context window of \`${model}\` is not known; give --max-length instead of --for`,
    );
  return LIMIT_BY_WINDOW.find(([least]) => window >= least)![1];
}

function effective(length: number, noMinimum: boolean | undefined): number {
  if (length <= 0) return DEFAULT_LENGTH;
  return noMinimum === true ? length : Math.max(length, MINIMUM_LENGTH);
}

/** Whether a result can be longer than the limit in any unit: none counts more than bytes do. */
function mayExceed(part: ResultPart, limit: number): boolean {
  return part.content.reduce((sum, block) => sum + (block.type === 'text' ? bytesOf(block.text) : 0), 0) > limit;
}

function bytesOf(text: ResultText): number {
  return typeof text === 'string' ? text.length * 3 : longest(text);
}
type ResultText = Extract<ContentPart, { type: 'text' }>['text'];

function toolNames(transcript: Transcript): ReadonlyMap<Part, string | undefined> {
  return new Map(pair(transcript.messages).results.map(({ part, call }) => [part, part.tool ?? call?.part.tool]));
}

interface Cutter {
  readonly measure: Measure;
  readonly keep: Keep;
  note(length: number): string;
}

function noteOf(language: Language, unit: Unit): (length: number) => string {
  return (length) => NOTES[language](length, UNIT_NAMES[language][unit]);
}

function cutResult(part: ResultPart, limit: number, cutter: Cutter): ResultPart {
  const texts = part.content.flatMap((block) => (block.type === 'text' ? [textOf(block.text)] : []));
  const whole = texts.join('');
  const length = cutter.measure.length(whole);
  if (length <= limit || BARE_NOTE.test(whole)) return part;
  const { cut, size } = cutText(whole, length, limit, cutter);
  if (size >= length) return part;
  return { ...part, content: spread(part.content, texts, cut) };
}

/** What stays of a text: its head, a seam, its tail, and the note. */
interface Cut {
  readonly head: string;
  readonly seam: string;
  readonly tail: string;
  readonly note: string;
}

/** The longest cut that is within the limit, and its size; only the note, where the limit has no room for more. */
function cutText(
  text: string,
  length: number,
  limit: number,
  { measure, keep, note }: Cutter,
): { readonly cut: Cut; readonly size: number } {
  const ending = note(length);
  const frame = (head: string, tail: string): Cut => {
    if (keep === 'head') return { head, seam: '', tail: '', note: `...\n${ending}` };
    if (keep === 'tail')
      return tail === ''
        ? { head: '', seam: '', tail: '', note: `...\n${ending}` }
        : { head: '', seam: '...', tail, note: `\n${ending}` };
    return head === '' && tail === ''
      ? { head, seam: '', tail, note: `...\n${ending}` }
      : { head, seam: '\n...\n', tail, note: `\n${ending}` };
  };
  const share = keep === 'both' ? 0.5 : 1;
  const size = (cut: Cut) => measure.length(cut.head + cut.seam + cut.tail + cut.note);
  const empty = size(frame(keep === 'tail' ? '' : 'x', keep === 'head' ? '' : 'x')) - (keep === 'both' ? 2 : 1);
  // A joined text may count a little more or less than its pieces (tokens, graphemes): shrink until it fits.
  for (let room = limit - empty; room > 0; room -= 1) {
    const cut = frame(
      keep === 'tail' ? '' : measure.head(text, Math.ceil(room * share)),
      keep === 'head' ? '' : measure.tail(text, Math.floor(room * (keep === 'tail' ? 1 : share))),
    );
    const cutSize = size(cut);
    if (cutSize <= limit) return { cut, size: cutSize };
  }
  const bare = frame('', '');
  return { cut: bare, size: size(bare) };
}

/** Puts what stays back into the blocks it came from; a block of which nothing stays goes, others than texts stay. */
function spread(
  content: readonly ContentPart[],
  texts: readonly string[],
  { head, seam, tail, note }: Cut,
): ContentPart[] {
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  const last = texts.length - 1;
  let offset = 0;
  let index = 0;
  let seamed = false;
  return content.flatMap((block): ContentPart[] => {
    if (block.type !== 'text') return [block];
    const text = texts[index]!;
    const from = offset;
    offset += text.length;
    const isLast = index++ === last;
    let kept = text.slice(0, Math.max(0, head.length - from));
    if (!seamed && head.length <= offset) {
      seamed = true;
      kept += seam;
    }
    kept += text.slice(Math.max(0, total - tail.length - from));
    if (isLast) kept += note;
    if (kept === '' && text !== '') return [];
    return kept === text ? [block] : [{ ...block, text: kept }];
  });
}
