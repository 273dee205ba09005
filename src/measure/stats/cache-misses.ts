/**
 * Why prompt caches missed: the tokens that a request could have read from the cache, because the request before it in
 * the same thread had sent them, and did not read. All figures come from recorded usage; nothing is counted.
 */
import type { Picodollars } from '../../decimals.js';
import type { Omissions } from '../../omissions.js';
import type { Usage } from '../../transcript/types.js';
import { promptTokens } from '../../transcript/usage.js';
import {
  type CacheCause,
  type CacheFigures,
  type CacheMiss,
  type CacheSession,
  figuresOf,
  type Judged,
} from './cache-figures.js';
import { changeBetween, type Prompt } from './cache-prompts.js';
import { computedCost, type Pricing, type RequestFacts } from './request.js';

/** What the cache of a model guarantees. */
export interface CacheRules {
  /** The shortest prefix that is cached, in tokens. */
  readonly minimum: number;
  /** Cache reads are multiples of this many tokens. */
  readonly step: number;
  /** Only tokens that the usage names as read or written are cached; else the whole prompt is. */
  readonly isExplicit: boolean;
  /** Seconds that an entry is kept after its last use. */
  readonly lifetime: number;
  /** The same for entries that were written for an hour. */
  readonly lifetime1h: number;
}

/** A transcript, as far as its cache misses depend on it. */
export interface CacheSource {
  readonly file: string;
  readonly line: number;
  readonly session: string | undefined;
  /** Requests of the same thread continue one another. */
  readonly thread: string;
  /** Its agent: requests of other agents are threads of their own. */
  readonly agent: string | undefined;
  /** The indices of the user's messages. */
  readonly userTurns: readonly number[];
  /** The prompt of its only request, in logs with one request a transcript. */
  readonly prompt: Prompt | undefined;
  /** The recording does not name the session, so a prompt that is no longer than the one before starts a new one. */
  readonly isNameless: boolean;
  /** The indices of results that define further tools. */
  readonly toolLoads?: readonly number[];
  /** The bytes of all texts before each message. */
  readonly sizes?: readonly number[];
}

export interface CacheFacts extends CacheFigures {
  readonly sessions: readonly CacheSession[];
  /** Threads without a cached token in any request: no cache figures were recorded, or there is no cache. */
  readonly withoutFigures: number;
  /** The models of requests with cache figures whose cache is not known, and the number of those requests. */
  readonly unknown: ReadonlyMap<string | undefined, number>;
  /** What the figures are without. */
  readonly omissions?: Omissions;
}

export interface CacheMissOptions extends Pick<Pricing, 'prices' | 'at'> {
  /** Undefined if the cache of a model is not known. */
  rulesOf(model: string): CacheRules | undefined;
}

export interface CacheMisses {
  /** Adds the requests of a transcript, each counted once, in order. */
  add(source: CacheSource, requests: readonly RequestFacts[]): void;
  facts(): CacheFacts;
}

export function createCacheMisses(options: CacheMissOptions): CacheMisses {
  const threads = new Map<string, Thread>();
  const unknown = new Map<string | undefined, number>();
  const judge = (thread: Thread, source: CacheSource, request: RequestFacts) => {
    const number = thread.count++;
    const prompt = promptTokens(request.usage);
    if (request.isRemainder || request.requests !== 1 || prompt === 0) return;
    const rules = request.model === undefined ? undefined : options.rulesOf(request.model);
    if (rules === undefined) {
      if (cachedTokens(request.usage) > 0) unknown.set(request.model, (unknown.get(request.model) ?? 0) + 1);
      return;
    }
    const before = previousOf(thread, source, request);
    const possible = before === undefined ? 0 : possibleAfter(before, prompt, rules);
    const read = Math.min(request.usage.cacheRead, possible);
    const missed = possible - read < leastMiss(rules) ? 0 : possible - read;
    thread.judged.push({ request, possible, read, isFirst: before === undefined });
    if (before !== undefined && missed > 0)
      thread.misses.push({
        file: source.file,
        line: source.line,
        session: thread.session,
        request: number,
        index: request.index,
        model: request.model,
        time: request.time,
        changed: undefined,
        ...causeOf({ before, rules, judged: thread.judged.slice(0, -1) }, source, request),
        idle: secondsBetween(before.request, request),
        possible,
        read,
        missed,
        cost: missedCost(request, missed, options),
      });
    remember(thread, { source, request, available: availableAfter(request.usage, rules), rules }, before);
  };
  return {
    add(source, requests) {
      for (const request of requests) {
        const name = request.agent === source.agent ? source.thread : `${source.thread} ${request.agent}`;
        const thread = threads.get(name) ?? newThread(source);
        threads.set(name, thread);
        judge(thread, source, request);
      }
    },
    facts() {
      const judged = [...threads.values()].filter((thread) => thread.judged.length > 0);
      const known = judged.filter((thread) => thread.judged.some(({ request }) => cachedTokens(request.usage) > 0));
      const all = figuresOf(
        known.flatMap((thread) => thread.judged),
        known.flatMap((thread) => thread.misses),
      );
      const sessions = known.map(
        ({ file, session, judged: own, misses }): CacheSession => ({
          file,
          session,
          ...figuresOf(own, misses),
          misses,
        }),
      );
      return { ...all, sessions, withoutFigures: judged.length - known.length, unknown };
    },
  };
}

// --- threads

interface Sent {
  readonly source: CacheSource;
  readonly request: RequestFacts;
  /** The tokens of its prompt that the cache holds afterwards. */
  readonly available: number;
  /** Seconds until they expire. */
  readonly lifetime: number;
}

interface Thread {
  readonly file: string;
  readonly session: string | undefined;
  readonly judged: Judged[];
  readonly misses: CacheMiss[];
  /** Requests so far. */
  count: number;
  last: Sent | undefined;
  readonly lastOf: Map<string | undefined, Sent>;
}

function newThread({ file, session }: CacheSource): Thread {
  return { file, session, judged: [], misses: [], count: 0, last: undefined, lastOf: new Map() };
}

/**
 * The request whose prompt this one continues: the last one, or the last one of the same model if its entry is still
 * cached or holds more. A shorter prompt for another model continues none: agents send such for titles and summaries.
 */
function previousOf({ last, lastOf }: Thread, source: CacheSource, request: RequestFacts): Sent | undefined {
  if (last === undefined || (secondsBetween(last.request, request) ?? 0) < 0) return undefined;
  if (source.isNameless && lengthOf(source) <= lengthOf(last.source)) return undefined;
  const same = lastOf.get(request.model);
  if (same === last) return last;
  const before = same !== undefined && (isLive(same, request) || same.available >= last.available) ? same : last;
  const isAside = before !== same && promptTokens(request.usage) < promptTokens(before.request.usage);
  return isAside ? same : before;
}

function isLive({ request: before, lifetime }: Sent, request: RequestFacts): boolean {
  return (secondsBetween(before, request) ?? 0) <= lifetime;
}

function lengthOf({ prompt }: CacheSource): number {
  return prompt?.messages.length ?? 0;
}

function remember(
  thread: Thread,
  { rules, ...sent }: Omit<Sent, 'lifetime'> & { readonly rules: CacheRules },
  before: Sent | undefined,
): void {
  const { cacheWrite5m, cacheWrite1h } = sent.request.usage;
  const written = cacheWrite1h > 0 ? rules.lifetime1h : rules.lifetime;
  const onlyReads = rules.isExplicit && cacheWrite5m + cacheWrite1h === 0;
  const lifetime = onlyReads ? (before?.lifetime ?? written) : written;
  thread.last = { ...sent, lifetime };
  thread.lastOf.set(sent.request.model, thread.last);
}

// --- tokens

function cachedTokens({ cacheRead, cacheWrite5m, cacheWrite1h }: Usage): number {
  return cacheRead + cacheWrite5m + cacheWrite1h;
}

function availableAfter(usage: Usage, { isExplicit, minimum, step }: CacheRules): number {
  const tokens = isExplicit ? cachedTokens(usage) : inSteps(promptTokens(usage), step);
  return tokens < minimum ? 0 : tokens;
}

function possibleAfter({ available }: Sent, prompt: number, { minimum, step }: CacheRules): number {
  const tokens = inSteps(Math.min(available, prompt), step);
  return tokens < minimum ? 0 : tokens;
}

function inSteps(tokens: number, step: number): number {
  return Math.floor(tokens / step) * step;
}

/** Automatic caches do not promise to hold the end of a prompt, so less than the shortest prefix is no miss. */
function leastMiss({ isExplicit, minimum, step }: CacheRules): number {
  return isExplicit ? step : Math.max(minimum, step);
}

// --- causes

/** An expired entry explains a miss better than a prompt that is shorter: its start may still be the same. */
function causeOf(
  { before, rules, judged }: { before: Sent; rules: CacheRules; judged: readonly Judged[] },
  source: CacheSource,
  request: RequestFacts,
): { readonly cause: CacheCause; readonly changed?: number } {
  if (before.request.model !== request.model) return { cause: 'model' };
  const [earlier, prompt] = [before.source.prompt, source.prompt];
  const areKnown = earlier !== undefined && prompt !== undefined;
  const change = areKnown ? changeBetween(earlier, prompt) : undefined;
  if (change !== undefined) return change;
  const idle = secondsBetween(before.request, request);
  if (idle !== undefined && idle > before.lifetime) return { cause: 'idle' };
  if (promptTokens(request.usage) < promptTokens(before.request.usage)) return { cause: 'rewritten' };
  const isBetween = (index: number) => index > before.request.index && index < request.index;
  if (source.toolLoads?.some(isBetween)) return { cause: 'tools' };
  const last = rules.isExplicit && !areKnown ? lastRead(judged, request) : undefined;
  if (last !== undefined) return { cause: 'rewritten', changed: last };
  if (!areKnown && source.userTurns.some(isBetween)) return { cause: 'user' };
  return { cause: !rules.isExplicit && (areKnown || onlyGrew(before, source, request)) ? 'provider' : 'unexplained' };
}

/** The reply to the earlier prompt that was read exactly: an explicit cache had later ones, but none began this one. */
function lastRead(judged: readonly Judged[], { usage: { cacheRead } }: RequestFacts): number | undefined {
  return cacheRead === 0
    ? undefined
    : judged.findLast(({ request }) => cachedTokens(request.usage) === cacheRead)?.request.index;
}

/** Whether the prompt grew by no more than the reply and what is recorded behind it, at two characters a token. */
function onlyGrew({ request: before }: Sent, { sizes = [] }: CacheSource, { usage, index }: RequestFacts): boolean {
  const recorded = (sizes[index] ?? 0) - (sizes[before.index + 1] ?? 0);
  const grown = promptTokens(usage) - promptTokens(before.usage);
  return grown <= before.usage.output + recorded / LEAST_BYTES + PER_MESSAGE * (index - before.index);
}

const LEAST_BYTES = 2;
const PER_MESSAGE = 20;

function secondsBetween(before: RequestFacts, after: RequestFacts): number | undefined {
  return before.time === undefined || after.time === undefined ? undefined : (after.time - before.time) / 1000;
}

// --- costs

/** What the request would have cost less if the missed tokens had been read from the cache. */
function missedCost(
  request: RequestFacts,
  missed: number,
  pricing: Pick<Pricing, 'prices' | 'at'>,
): Picodollars | undefined {
  if (request.recordedCost === 0n) return 0n; // a subscription covers it
  const paid = computedCost(request, pricing);
  const withHit = computedCost({ ...request, usage: readInstead(request.usage, missed) }, pricing);
  if (paid === undefined || withHit === undefined) return undefined;
  const more = paid > withHit ? paid - withHit : 0n;
  return request.recordedCost === undefined || paid === 0n ? more : (more * request.recordedCost) / paid;
}

/** Missed tokens are the start of the prompt: tokens written to the cache, those for an hour first, then input. */
function readInstead(usage: Usage, missed: number): Usage {
  const from1h = Math.min(missed, usage.cacheWrite1h);
  const from5m = Math.min(missed - from1h, usage.cacheWrite5m);
  return {
    ...usage,
    input: usage.input - (missed - from1h - from5m),
    cacheRead: usage.cacheRead + missed,
    cacheWrite5m: usage.cacheWrite5m - from5m,
    cacheWrite1h: usage.cacheWrite1h - from1h,
  };
}
