import { type Language, languageOf, languageOption } from '../options/language.js';
import { globOf } from '../text/glob.js';
import { mapMessages, mapParts } from '../transcript/edit.js';
import { pair } from '../transcript/pairs.js';
import { longest, textOf } from '../transcript/text.js';
import type { ContentPart, Part, ResultPart, Traits, Transcript } from '../transcript/types.js';
import { DEFAULT_LENGTH, effective, limitsOf, MINIMUM_LENGTH } from './cut-limits.js';
import { earlierNote, noteOf } from './cut-note.js';
import { isFailure } from './failures.js';
import { type Measure, measureByUnit } from './measure.js';
import { isShell } from './shell-reads.js';
import { toolMatcher, toolOptions } from './tools.js';
import { defineTransform, type Unit } from './transform.js';

type Keep = 'head' | 'tail' | 'both';
type KeepOption = 'auto' | Keep;

export default defineTransform({
  id: 'truncate',
  summary: 'cut long tool results',
  description:
    'Cuts each tool result that is longer than the limit, and appends a note, which counts toward the limit. Images ' +
    'and other blocks stay. A length of 0 or below means the default; a length below 1000 is raised to 1000.',
  options: {
    maxLength: {
      type: 'integer',
      least: Number.NEGATIVE_INFINITY,
      default: DEFAULT_LENGTH,
      value: 'n',
      summary: 'the limit; 0 or below means the default',
    },
    noMinimum: { type: 'flag', needs: ['maxLength', 'toolLength'], summary: 'allow lengths below 1000' },
    unit: {
      type: 'choice',
      choices: ['chars', 'bytes', 'tokens'],
      default: 'chars',
      summary: 'what to count: characters (grapheme clusters), UTF-8 bytes, or tokens',
    },
    keep: {
      type: 'choice',
      choices: ['auto', 'head', 'tail', 'both'],
      default: 'auto',
      summary: 'which end of a result to keep; auto: both of failures and of what a shell printed, else the head',
    },
    toolLength: {
      type: 'limits',
      least: 0,
      many: true,
      value: 'tool=n',
      summary: 'the limit for tools whose name matches; repeatable, the last match wins',
    },
    preset: {
      type: 'text',
      many: true,
      value: 'kind=tools',
      summary:
        'usual limits by kind of tool (search 6000, file 5000, database 3000, api 2000, calculator 1000), such as ' +
        'search=web_search,file=read_*; a kind alone applies to all tools; repeatable, the last match wins, and ' +
        '--tool-length wins over presets',
    },
    for: {
      type: 'text',
      value: 'model',
      excludes: ['maxLength'],
      summary:
        "the limit that suits a model's context window, or a window such as 128k " +
        '(2K tokens 1500, 4K 2500, 8K 5000, 32K 12000, 100K and more 24000)',
    },
    ...languageOption,
    ...toolOptions,
  },
  perMessage: true,
  minded: 'context',
  countsTokens: ({ unit }) => unit === 'tokens',
  limitUnit: ({ unit }) => unit,
  remarks(options) {
    const given = [
      [`--max-length ${options.maxLength}`, options.maxLength] as const,
      ...options.toolLength.map(([tool, length]) => [`--tool-length ${tool}=${length}`, length] as const),
    ];
    const warnings = given
      .filter(([, length]) => effective(length, options.noMinimum) !== length && length > 0)
      .map(
        ([option]) => `${option} is below the minimum and was raised to ${MINIMUM_LENGTH} (--no-minimum lifts that)`,
      );
    const { usual, byTool } = limitsOf(options);
    const perTool = byTool.map(([tool, length]) => `, ${tool} ${length}`);
    return { warnings, notes: [`limit ${usual} ${options.unit}${perTool.join('')}`] };
  },
  onlyTraffic: () => true,
  apply(transcript, options, counts) {
    const measure = measureByUnit(counts.text)[options.unit];
    const { keep, unit } = options;
    const cutter = { measure, language: languageOf(options.lang), unit };
    const matches = toolMatcher(options);
    const { usual, byTool } = limitsOf(options);
    const limits = byTool.map(([tool, length]) => [globOf(tool), length] as const);
    const limitOf = (tool: string | undefined) =>
      limits.findLast(([pattern]) => tool !== undefined && pattern.test(tool))?.[1] ?? usual;
    const smallest = limits.reduce((least, [, limit]) => Math.min(least, limit), usual);
    if (
      !transcript.messages.some((message) =>
        message.parts.some((part) => part.type === 'result' && canExceed(part, smallest)),
      )
    )
      return transcript;

    const toolOf = toolNames(transcript);
    const exceeds = (part: Part): part is ResultPart => part.type === 'result' && canExceed(part, smallest);
    return mapMessages(transcript, (message) => {
      if (!message.parts.some(exceeds)) return message;
      return mapParts(message, (part) => {
        const tool = toolOf.get(part);
        if (!exceeds(part) || !matches(tool)) return part;
        return cutResult(part, limitOf(tool), cutter, () => keptEnds(keep, part, tool, transcript.traits));
      });
    });
  },
});

/** Errors stand last in what a shell printed, and in what failed. */
export function keptEnds(keep: KeepOption, part: ResultPart, tool: string | undefined, traits: FlagsErrors): Keep {
  if (keep !== 'auto') return keep;
  return isShell(tool) || isFailure(part, traits) ? 'both' : 'head';
}
type FlagsErrors = Pick<Traits, 'flagsErrors'>;

/** Whether a result may exceed the limit in any unit: bytes are the upper bound of all. */
export function canExceed(part: ResultPart, limit: number): boolean {
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
  readonly language: Language;
  readonly unit: Unit;
}

/** The note of an earlier cut is replaced by one that states the same original length. `keep`: asked if it is cut. */
export function cutResult(part: ResultPart, limit: number, cutter: Cutter, keep: () => Keep): ResultPart {
  const texts = part.content.flatMap((block) => (block.type === 'text' ? [textOf(block.text)] : []));
  const whole = texts.join('');
  const length = cutter.measure.length(whole);
  if (length <= limit) return part;
  const earlier = earlierNote(texts.at(-1)!, { length, unit: cutter.unit });
  if (earlier?.start === 0 && texts.length === 1) return part; // it is nothing but the note
  if (earlier !== undefined) texts.push(texts.pop()!.slice(0, earlier.start));
  const ending = noteOf(earlier?.original ?? { length: String(length), unit: cutter.unit }, cutter.language);
  const body = earlier === undefined ? whole : texts.join('');
  const { cut, size } =
    renoted(body, limit, earlier?.lead, ending, cutter) ?? cutText(body, limit, ending, cutter.measure, keep());
  if (size >= length) return part;
  return { ...part, content: spread(part.content, texts, cut) };
}

/** A cut text: its head, the ellipsis between, its tail, and the note. */
interface Cut {
  readonly head: string;
  readonly seam: string;
  readonly tail: string;
  readonly note: string;
}

interface SizedCut {
  readonly cut: Cut;
  readonly size: number;
}

/** A text that was cut before, unchanged but for a note in another language; undefined if that exceeds the limit. */
function renoted(
  text: string,
  limit: number,
  lead: string | undefined,
  ending: string,
  { measure }: Cutter,
): SizedCut | undefined {
  if (lead === undefined) return undefined;
  const cut: Cut = { head: text, seam: '', tail: '', note: lead + ending };
  const size = measure.length(text + cut.note);
  return size <= limit ? { cut, size } : undefined;
}

/** The longest cut within the limit, and its size; only the note if there is no room for more. */
function cutText(text: string, limit: number, ending: string, measure: Measure, keep: Keep): SizedCut {
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
      keep === 'head' ? '' : measure.tail(text, Math.floor(room * share)),
    );
    const cutSize = size(cut);
    if (cutSize <= limit) return { cut, size: cutSize };
  }
  const bare = frame('', '');
  return { cut: bare, size: size(bare) };
}

/** Puts the cut text back into its blocks. Empty text blocks are dropped, other blocks stay. */
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
