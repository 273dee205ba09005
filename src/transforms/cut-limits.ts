/** The limit of a result: by the options, the model's context window, or the kind of tool. */
import { TranscriptError } from '../errors.js';
import { modelRow } from '../tokens/windows.js';

/** AppFlowy's `max_tool_result_length`: its default and its minimum. https://github.com/AppFlowy-IO/AppFlowy */
export const DEFAULT_LENGTH = 4000;
export const MINIMUM_LENGTH = 1000;

/** The limit in characters by a model's context window in tokens, the largest window first (AppFlowy's table). */
const LIMIT_BY_WINDOW: readonly (readonly [window: number, limit: number])[] = [
  [100_000, 24_000],
  [32_000, 12_000],
  [8_000, 5_000],
  [4_000, 2_500],
  [0, 1_500],
];

/** The middle of the ranges that one deployment recommends: 4000-8000, 2000-8000, 2000-4000, 1000-3000, 1000. */
const LIMIT_BY_KIND: ReadonlyMap<string, number> = new Map([
  ['search', 6000],
  ['file', 5000],
  ['database', 3000],
  ['api', 2000],
  ['calculator', 1000],
]);

interface LimitOptions {
  readonly for: string | undefined;
  readonly maxLength: number;
  readonly noMinimum: boolean | undefined;
  readonly preset: readonly string[];
  readonly toolLength: readonly (readonly [tool: string, length: number])[];
}

interface Limits {
  readonly usual: number;
  /** By a pattern of tool names; the last match wins. */
  readonly byTool: readonly (readonly [tool: string, length: number])[];
}

export function limitsOf(options: LimitOptions): Limits {
  const presets = options.preset.flatMap(presetsIn);
  const ofAll = presets.findLast(({ tools }) => tools === undefined);
  const plain = options.for === undefined ? effective(options.maxLength, options.noMinimum) : limitFor(options.for);
  return {
    usual: ofAll?.length ?? plain,
    byTool: [
      ...presets.flatMap(({ tools, length }) => (tools === undefined ? [] : [[tools, length] as const])),
      ...options.toolLength.map(([tool, length]) => [tool, effective(length, options.noMinimum)] as const),
    ],
  };
}

interface Preset {
  /** A pattern of tool names; undefined for all tools. */
  readonly tools: string | undefined;
  readonly length: number;
}

/**
 * `search=web_search,file=read_*`: kinds, each with a pattern of tool names. A comma in braces is part of a pattern.
 */
function presetsIn(text: string): Preset[] {
  return text.split(/,(?![^{}]*\})/).map((item) => {
    const [, kind = '', tools] = /^([^=]*)(?:=(.+))?$/s.exec(item.trim()) ?? [];
    const length = LIMIT_BY_KIND.get(kind);
    if (length !== undefined) return { tools, length };
    throw new TranscriptError(
      'usage',
      `\`${item}\` is not a preset; expected a kind of tool (${[...LIMIT_BY_KIND.keys()].join(', ')}) ` +
        'and its tools, such as search=web_search',
    );
  });
}

/** The limit for a context window or for a model. */
function limitFor(text: string): number {
  const window = windowIn(text) ?? modelRow(text)?.contextWindow;
  if (window === undefined)
    throw new TranscriptError(
      'model',
      `the context window of \`${text}\` is unknown; use --for with a window such as 128k, or --max-length`,
    );
  return LIMIT_BY_WINDOW.find(([least]) => window >= least)![1];
}

/** Tokens: `128k`, `1m`, `8192`. */
function windowIn(text: string): number | undefined {
  const { digits, unit = '' } = /^(?<digits>[1-9]\d{0,8})(?<unit>[km]?)$/i.exec(text.trim())?.groups ?? {};
  return digits === undefined ? undefined : Number(digits) * { '': 1, k: 1000, m: 1_000_000 }[unit.toLowerCase()]!;
}

/** The length in effect: the default for 0 and below, at least the minimum otherwise. */
export function effective(length: number, noMinimum: boolean | undefined): number {
  if (length <= 0) return DEFAULT_LENGTH;
  return noMinimum === true ? length : Math.max(length, MINIMUM_LENGTH);
}
