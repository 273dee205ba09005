/**
 * How the prompt caches of providers work, as plain data: each row with its source and the day it was read. Costs are
 * in the price book: every model has its own prices for cache reads and cache writes.
 */

export interface CacheModel {
  readonly id: string;
  readonly title: string;
  /** Models with this cache, by name without provider. */
  readonly models: RegExp;
  /** The shortest prefix that is cached, in tokens. The first row that matches the model counts. */
  readonly minimums: readonly (readonly [model: RegExp, tokens: number])[];
  /** Cache reads are multiples of this many tokens; the rest is uncached. */
  readonly step: number;
  /** Seconds that an entry is kept after its last use. */
  readonly lifetime: number;
  /**
   * Where entries end. `breakpoints`: only where the caller sets them, as agents do: after the system prompt and after
   * the last message. `everywhere`: any prefix of a sent prompt is cached.
   */
  readonly entries: 'breakpoints' | 'everywhere';
  /** How many blocks before a breakpoint are searched for an entry. */
  readonly lookBack?: number;
  /** The price of cache writes; undefined if they cost as much as input. */
  readonly writes?: 'cacheWrite5m' | 'cacheWrite1h';
  /** The models with a price for cache writes; by default all. */
  readonly writesOf?: RegExp;
  /**
   * The share of the cached tokens that requests really read, by idle seconds since the request before: the first row
   * with at least as many counts. Measured on recorded requests; by default all.
   */
  readonly hits?: readonly HitRate[];
  /** What the provider does not guarantee, in a sentence. */
  readonly caveat?: string;
  readonly source: string;
  /** The source of the minimums if `source` does not list them all. Other sources disagree. */
  readonly minimumsSource?: string;
  /** The day the source was read, YYYY-MM-DD. */
  readonly date: string;
}

export interface HitRate {
  readonly idle: number;
  readonly share: number;
  /** How many recorded requests it was measured on. */
  readonly requests: number;
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
  caveat: 'assumes breakpoints after the system prompt and after the last message of each request',
  source: 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching',
  minimumsSource: 'https://dev.to/creeta/claudes-prompt-cache-fails-silently-below-1024-tokens-1ch1',
  date: '2026-11-21',
} as const;

export const CACHES: readonly CacheModel[] = [
  { id: 'anthropic', ...ANTHROPIC, lifetime: 300, writes: 'cacheWrite5m' },
  {
    id: 'anthropic-1h',
    ...ANTHROPIC,
    title: "Anthropic's one-hour prompt cache",
    lifetime: 3600,
    writes: 'cacheWrite1h',
  },
  {
    id: 'openai',
    title: "OpenAI's automatic prompt cache",
    models: /\bgpt-(?:4o|4\.1|4\.5|[5-9])|^(?:ft:)?o[134]|codex|^chatgpt/,
    minimums: [[/./, 1024]],
    step: 128,
    lifetime: 3600,
    entries: 'everywhere',
    // recorded requests of agents with GPT-4o to GPT-5, 2026-11-21
    hits: [
      { idle: 60, share: 0.95, requests: 961 },
      { idle: 300, share: 0.94, requests: 30 },
      { idle: 600, share: 0.9, requests: 15 },
      { idle: 1800, share: 0.78, requests: 5 },
      { idle: 3600, share: 0.25, requests: 4 },
    ],
    writes: 'cacheWrite5m',
    writesOf: /^gpt-(?:5\.[6-9]|[6-9])/,
    caveat:
      'entries expire after 5 to 10 idle minutes, within an hour at the latest, and a request routed to another ' +
      'machine has no cache: measured shares of hits by idle time are assumed',
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
    caveat: 'hits are not guaranteed and no lifetime is published: 5 minutes assumed',
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
    caveat:
      'entries are kept for hours (2 assumed); a shared prefix that ends inside a request may not be cached at once',
    source: 'https://api-docs.deepseek.com/guides/kv_cache',
    date: '2026-11-21',
  },
  {
    id: 'xai',
    title: "xAI's automatic prompt cache",
    models: /grok/,
    minimums: [[/./, 128]],
    step: 128,
    lifetime: 300,
    entries: 'everywhere',
    caveat:
      'entries may be evicted at any time and no lifetime is published: 5 minutes assumed; a request without ' +
      'x-grok-conv-id or prompt_cache_key may reach a server without the entry',
    source: 'https://docs.x.ai/developers/advanced-api-usage/prompt-caching/best-practices',
    minimumsSource: 'https://docs.apiyi.com/en/api-capabilities/grok/prompt-caching.md',
    date: '2026-11-23',
  },
  {
    id: 'kimi',
    title: "Kimi's automatic prompt cache",
    models: /kimi|moonshot/,
    minimums: [[/./, 256]],
    step: 256,
    lifetime: 300,
    entries: 'everywhere',
    writes: 'cacheWrite5m',
    writesOf: /kimi-k(?:[3-9]|\d\d)/,
    caveat: 'entries are kept for 5 to 30 idle minutes, or for an hour if the caller asks (5 minutes assumed)',
    source: 'https://github.com/Leechael/pi-provider-kimi-code/blob/main/docs/caching.md',
    date: '2026-11-23',
  },
  {
    id: 'glm',
    title: "Z.ai's implicit cache",
    models: /\bglm-/,
    minimums: [[/./, 1]],
    step: 1,
    lifetime: 300,
    entries: 'everywhere',
    caveat: 'neither a shortest prefix nor a lifetime is published: none and 5 minutes assumed',
    source: 'https://docs.z.ai/guides/capabilities/cache',
    date: '2026-11-23',
  },
  {
    id: 'qwen',
    title: "Model Studio's implicit cache",
    models: /qwen|qwq/,
    minimums: [[/./, 256]],
    step: 1,
    lifetime: 300,
    entries: 'everywhere',
    caveat: 'hits are not guaranteed and no lifetime is published: 5 minutes assumed',
    source: 'https://www.alibabacloud.com/help/en/model-studio/context-cache',
    date: '2026-11-23',
  },
  {
    id: 'mistral',
    title: "Mistral's prompt cache",
    models: /mistral|magistral|codestral|devstral|ministral/,
    minimums: [[/./, 64]],
    step: 64,
    lifetime: 300,
    entries: 'everywhere',
    caveat:
      'only requests with the same prompt_cache_key are likely to hit, and no lifetime is published: 5 minutes assumed',
    source: 'https://docs.mistral.ai/studio-api/conversations/advanced/prompt-caching',
    date: '2026-11-23',
  },
  {
    id: 'minimax',
    title: "MiniMax's passive cache",
    models: /minimax|abab/,
    minimums: [[/./, 512]],
    step: 1,
    lifetime: 300,
    entries: 'everywhere',
    caveat: 'no lifetime is published: 5 minutes assumed',
    source: 'https://platform.minimax.io/docs/api-reference/text-prompt-caching',
    date: '2026-11-23',
  },
];

/** The cache of a model; undefined if none is known. */
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

const writeFree = new Map<CacheModel, CacheModel>();

/** The same cache with writes at the price of input; the same object each time. */
export function withoutWrites(cache: CacheModel): CacheModel {
  const { writes: _, ...rest } = cache;
  if (!writeFree.has(cache)) writeFree.set(cache, rest);
  return writeFree.get(cache)!;
}

/** The share of the cached tokens that a request reads after so many idle seconds: 0 to 1. */
export function hitShare({ hits }: CacheModel, idle: number): number {
  return hits === undefined ? 1 : (hits.find((rate) => idle <= rate.idle)?.share ?? 0);
}

/** The price of cache writes with this model. */
export function writesOf({ writes, writesOf }: CacheModel, model: string | undefined): CacheModel['writes'] {
  return writesOf === undefined || writesOf.test(bare(model ?? '')) ? writes : undefined;
}

function bare(model: string): string {
  return model.toLowerCase().slice(model.lastIndexOf('/') + 1);
}
