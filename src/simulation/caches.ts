/**
 * How the prompt caches of providers work, as plain data: each row with its source and the day it was read. What they cost is not
 * here but in the price book: every model has prices of its own for what is read from a cache and written to one.
 */

export interface CacheModel {
  readonly id: string;
  readonly title: string;
  /** The models that have it, by their names without a provider. */
  readonly models: RegExp;
  /** A prefix shorter than this is not cached. The first row that fits the model counts. */
  readonly minimums: readonly (readonly [model: RegExp, tokens: number])[];
  /** Tokens are read in units of so many: what is left over is paid in full. */
  readonly step: number;
  /** Seconds that an entry lives after its last use. */
  readonly lifetime: number;
  /**
   * Where entries end. `breakpoints`: only where the caller sets them, as agents do: behind the system prompt and behind the last
   * message. `everywhere`: any prefix of a prompt that was sent is found again.
   */
  readonly entries: 'breakpoints' | 'everywhere';
  /** How many blocks before a breakpoint an earlier entry is looked for. */
  readonly lookBack?: number;
  /** Which price what is written has; undefined where writing costs what input does. */
  readonly writes?: 'cacheWrite5m' | 'cacheWrite1h';
  /** The models whose writes have a price of their own; all, where it is not said. */
  readonly writesOf?: RegExp;
  /** What nobody promises, in a sentence. */
  readonly caveat?: string;
  readonly source: string;
  /** Where the minimums are from, if the source does not say them all. Others say others. */
  readonly minimumsSource?: string;
  /** The day the source was read, YYYY-MM-DD. */
  readonly date: string;
}

const ANTHROPIC = {
  title: "Anthropic's prompt cache",
  models: /claude|^(?:sonnet|opus|haiku)/,
  minimums: [
    [/(?:opus|fable|mythos)-5/, 512],
    [/opus-4[-.][56]|haiku-4[-.]5/, 4096],
    [/opus-4[-.]7|haiku-3|3[-.]5?-?haiku/, 2048],
    [/./, 1024],
  ],
  step: 1,
  entries: 'breakpoints',
  lookBack: 20,
  caveat: 'breakpoints are taken to stand behind the system prompt and behind the last message of each request',
  source: 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching',
  minimumsSource: 'https://dev.to/creeta/claudes-prompt-cache-fails-silently-below-1024-tokens-1ch1',
  date: '2026-11-21',
} as const;

export const CACHES: readonly CacheModel[] = [
  { id: 'anthropic', ...ANTHROPIC, lifetime: 300, writes: 'cacheWrite5m' },
  {
    id: 'anthropic-1h',
    ...ANTHROPIC,
    title: "Anthropic's prompt cache that holds an hour",
    lifetime: 3600,
    writes: 'cacheWrite1h',
  },
  {
    id: 'openai',
    title: "OpenAI's automatic prompt cache",
    models: /\bgpt-(?:4o|4\.1|4\.5|[5-9])|^(?:ft:)?o[134]|codex|^chatgpt/,
    minimums: [[/./, 1024]],
    step: 128,
    lifetime: 600,
    entries: 'everywhere',
    writes: 'cacheWrite5m',
    writesOf: /^gpt-(?:5\.[6-9]|[6-9])/,
    caveat:
      'entries go after 5 to 10 idle minutes, here after 10, and a request that is routed to another machine finds none',
    source: 'https://developers.openai.com/api/docs/guides/prompt-caching',
    date: '2026-11-21',
  },
  {
    id: 'gemini',
    title: "Gemini's implicit cache",
    models: /gemini-(?:2\.[5-9]|[3-9])/,
    minimums: [
      [/pro/, 4096],
      [/./, 1024],
    ],
    step: 1,
    lifetime: 300,
    entries: 'everywhere',
    caveat: 'hits are not guaranteed and no lifetime is published: "a few minutes" are taken for 5',
    source: 'https://ai.google.dev/gemini-api/docs/interactions/caching',
    date: '2026-11-21',
  },
  {
    id: 'deepseek',
    title: "DeepSeek's cache on disk",
    models: /deepseek/,
    minimums: [[/./, 64]],
    step: 64,
    lifetime: 7200,
    entries: 'everywhere',
    caveat: 'entries live for hours, here for two; a common prefix that ends inside a request may be found only later',
    source: 'https://api-docs.deepseek.com/guides/kv_cache',
    date: '2026-11-21',
  },
];

/** The cache that a model has by itself; undefined where none is known. */
export function cacheOf(model: string): CacheModel | undefined {
  const name = bare(model);
  return CACHES.find(({ models }) => models.test(name));
}

export function cacheNamed(id: string): CacheModel | undefined {
  return CACHES.find((cache) => cache.id === id);
}

export function minimumOf({ minimums }: CacheModel, model: string | undefined): number {
  const name = bare(model ?? '');
  return minimums.find(([models]) => models.test(name))?.[1] ?? minimums.at(-1)![1];
}

/** What writing costs with this model. */
export function writesOf({ writes, writesOf }: CacheModel, model: string | undefined): CacheModel['writes'] {
  return writesOf === undefined || writesOf.test(bare(model ?? '')) ? writes : undefined;
}

function bare(model: string): string {
  return model.toLowerCase().slice(model.lastIndexOf('/') + 1);
}
