/** The prompt caches of all models of a recording: models share no cache. */
import { type Cache, type CacheUse, createCache, NO_CACHE } from './cache.js';
import { type CacheModel, hitShare, writesOf } from './caches.js';
import type { SentContext } from './sent-context.js';

interface Request {
  readonly index: number;
  readonly thread: number;
  readonly model: string | undefined;
  /** Seconds. */
  readonly time: number;
}

export interface RecordedRead {
  readonly tokens: number;
  /** Tokens since the request before that no message explains: requests outside of the log may have sent them. */
  readonly unexplained: number;
}

interface ModelCache {
  readonly cache: Cache;
  readonly isWriteCharged: boolean;
  readonly step: number;
  shareAfter(idle: number): number;
  /** The index and the time of its last request. */
  last: number;
  time: number;
  /** What its last request left in the cache. */
  readable: number;
}

export interface ModelCaches {
  /**
   * `recorded`: what the recorded request read of the same prompt; undefined if it is not known. The first such
   * request of a thread starts as warm as it did. Later ones read no more than recorded, and entries expire when the
   * recording says so, not by the clock.
   */
  send(request: Request, context: SentContext, recorded: RecordedRead | undefined): CacheUse;
}

export function createModelCaches(cacheFor: (model: string | undefined) => CacheModel | undefined): ModelCaches {
  const byModel = new Map<string | undefined, ModelCache>();
  let recordedThread: number | undefined; // of the last request with a recorded read
  const cacheOf = (model: string | undefined) => {
    let own = byModel.get(model);
    if (own === undefined) {
      const known = cacheFor(model);
      own = {
        cache: known === undefined ? NO_CACHE : createCache(known, model),
        isWriteCharged: known !== undefined && writesOf(known, model) !== undefined,
        shareAfter: (idle) => (known === undefined ? 0 : hitShare(known, idle)),
        step: known?.step ?? 1,
        last: -1,
        time: 0,
        readable: 0,
      };
      byModel.set(model, own);
    }
    return own;
  };
  return {
    send({ index, thread, model, time }, context, recorded) {
      const own = cacheOf(model);
      const { messages, sums } = context;
      const prompt = { thread, messages, sums, same: context.sameSince(own.last) };
      own.last = index;
      const use = own.cache.send(prompt, time, recorded !== undefined);
      const idle = time - own.time;
      const isWhole = use.read >= own.readable; // the policy changed nothing that was sent
      own.time = time;
      own.readable = use.readable;
      if (recorded === undefined) {
        const share = own.shareAfter(idle);
        return share === 1 ? use : withRead(use, Math.floor((use.read * share) / own.step) * own.step, own);
      }
      const isFirst = recordedThread !== thread;
      recordedThread = thread;
      const most = isFirst ? use.tokens : use.read + (isWhole ? Math.max(0, recorded.unexplained) : 0);
      return withRead(use, Math.min(recorded.tokens, most, use.tokens), own);
    },
  };
}

function withRead(use: CacheUse, read: number, { isWriteCharged }: ModelCache): CacheUse {
  return { ...use, read, written: isWriteCharged ? Math.max(0, use.readable - read) : 0 };
}
