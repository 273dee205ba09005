/** What decides when trimming pays, by prompt cache: how long entries live, and what reads and writes cost. */

export interface CacheTerms {
  readonly id: string;
  /** Models with this cache, by name without provider. */
  readonly models: RegExp;
  /** Seconds that an entry is kept after its last use. */
  readonly lifetime: number;
  /** The price of reads as a share of that of input; the first row that matches the model counts. */
  readonly reads: readonly (readonly [model: RegExp, share: number])[];
  /** The price of writes as a multiple of that of input. */
  readonly write: number;
  /** Shorter prompts, in tokens, are not cached: given where whole sessions stay below it. */
  readonly least?: readonly (readonly [model: RegExp, tokens: number])[];
}

const CHEAP = [[/./, 0.1]] as const;
const QUARTER = [[/./, 0.25]] as const;

const CLAUDE = /claude|^(?:sonnet|opus|haiku)/;
const GPT = /\bgpt-(?:4o|4\.1|4\.5|[5-9])|^(?:ft:)?o[134]|codex|^chatgpt/;

/**
 * Lifetimes and the shortest prompts have their sources in measure/simulation/caches.ts. Prices are those of the book
 * (https://github.com/pydantic/genai-prices, read 2026-11-26); where it has none, reads are taken as cheap, which trims
 * less often.
 */
export const CACHE_TERMS: readonly CacheTerms[] = [
  { id: 'anthropic', models: CLAUDE, lifetime: 300, reads: CHEAP, write: 1.25 },
  { id: 'anthropic-1h', models: CLAUDE, lifetime: 3600, reads: CHEAP, write: 2 },
  {
    id: 'openai',
    models: GPT,
    lifetime: 3600,
    reads: [[/gpt-4o|chatgpt|^(?:ft:)?o1/, 0.5], [/gpt-4\.|^(?:ft:)?o[34]/, 0.25], ...CHEAP],
    write: 1,
  },
  {
    id: 'gemini',
    models: /gemini-(?:2\.[5-9]|[3-9])/,
    lifetime: 300,
    reads: CHEAP,
    write: 1,
    least: [
      [/pro/, 4096],
      [/./, 1024],
    ],
  },
  { id: 'deepseek', models: /deepseek/, lifetime: 7200, reads: [[/./, 0.26]], write: 1 },
  { id: 'xai', models: /grok/, lifetime: 300, reads: [[/code/, 0.1], ...QUARTER], write: 1 },
  {
    id: 'kimi',
    models: /kimi|moonshot/,
    lifetime: 300,
    reads: [
      [/k2(?!\.)/, 0.25],
      [/./, 0.17],
    ],
    write: 1,
  },
  { id: 'glm', models: /\bglm-/, lifetime: 300, reads: CHEAP, write: 1 },
  { id: 'qwen', models: /qwen|qwq/, lifetime: 300, reads: CHEAP, write: 1 },
  { id: 'mistral', models: /mistral|magistral|codestral|devstral|ministral/, lifetime: 300, reads: CHEAP, write: 1 },
  { id: 'minimax', models: /minimax|abab/, lifetime: 300, reads: CHEAP, write: 1 },
  { id: 'off', models: /(?!)/, lifetime: -1, reads: [[/./, 1]], write: 1 },
];

/** Where nothing is known: a lifetime that is guessed too long costs little, one too short much. */
const UNKNOWN: Omit<CacheTerms, 'id' | 'models'> = { lifetime: 3600, reads: CHEAP, write: 1 };

/**
 * Requests within which a cut has to pay. Measured on 16 recorded sessions of 30 calls and more, 2026-11-26: with
 * more of them some sessions cost more. Where writes cost more than input, a cut that comes too early costs more.
 */
const SOON = { cheapWrites: 8, dearWrites: 5 };

export interface Terms {
  /** Seconds. */
  readonly lifetime: number;
  /** Prices as multiples of that of input. */
  readonly read: number;
  readonly write: number;
  readonly soon: number;
  /** Tokens of the shortest prompt that is cached. */
  readonly least: number;
}

export function termsFor(cache: string | undefined, model = ''): Terms {
  const name = model.toLowerCase().slice(model.lastIndexOf('/') + 1);
  const own = CACHE_TERMS.find(({ id, models }) => (cache === undefined ? models.test(name) : id === cache));
  const { lifetime, reads, write, least } = own ?? UNKNOWN;
  const read = reads.find(([models]) => models.test(name))?.[1] ?? reads.at(-1)![1];
  return {
    ...{ lifetime, read, write, soon: write > 1 ? SOON.dearWrites : SOON.cheapWrites },
    least: least?.find(([models]) => models.test(name))?.[1] ?? least?.at(-1)?.[1] ?? 0,
  };
}
