/** Why the prompt caches of recorded requests missed. */
import { JsonNode } from '../../json/node.js';
import { cacheNamed, cacheOf, minimumOf } from '../../measure/simulation/caches.js';
import {
  type CacheFacts,
  type CacheRules,
  type CacheSource,
  createCacheMisses,
} from '../../measure/stats/cache-misses.js';
import { promptOf } from '../../measure/stats/cache-prompts.js';
import { createLedger, type LedgerFacts } from '../../measure/stats/ledger.js';
import type { Relative } from '../../measure/stats/lineage.js';
import { priced, type RequestRecord } from '../../measure/stats/request.js';
import { recordedRequests } from '../../measure/stats/requests.js';
import { turns } from '../../transcript/turns.js';
import type { Message, Part, Text, Transcript } from '../../transcript/types.js';
import type { Context } from '../context.js';
import type { TranscriptPosition } from './stats.js';

export interface CacheSettings {
  readonly context: Pick<Context, 'model' | 'asModel' | 'prices' | 'at'>;
  /** Which requests count, by their time; by default all. */
  readonly within: ((time: number) => boolean) | undefined;
}

export interface CacheStats {
  add(transcript: Transcript, place: TranscriptPosition): void;
  /** All transcripts were added. */
  close(): CacheFacts & Pick<LedgerFacts, 'unpriced' | 'timeless'>;
}

export function createCacheStats({ context, within }: CacheSettings): CacheStats {
  const { prices, at } = context;
  const misses = createCacheMisses({ prices, at, rulesOf });
  const ledger = createLedger<CacheSource & Relative>({
    relativeOf: (source) => source,
    price: (record) => priced(record, context),
    within,
    settled: misses.add,
  });
  let transcripts = 0;
  return {
    add(transcript, place) {
      const requests = recordedRequests(transcript, context);
      if (requests.length > 0) ledger.add(sourceOf(transcript, place, requests, transcripts++), requests);
    },
    close() {
      const { unpriced, timeless } = ledger.close();
      return { ...misses.facts(), unpriced, timeless };
    },
  };
}

/**
 * A transcript with several requests is a thread of its own. One with a single request is a logged request: it
 * continues the one before of its session or, without a session, the one before with the same first message.
 */
function sourceOf(
  transcript: Transcript,
  { file, line }: TranscriptPosition,
  requests: readonly RequestRecord[],
  number: number,
): CacheSource & Relative {
  const [request] = requests;
  const prompt = requests.length === 1 ? promptOf(transcript, request!.index) : undefined;
  const session = transcript.id ?? request!.session;
  const start = request!.session ?? session ?? prompt?.messages[0]?.key;
  const isNameless = prompt !== undefined && session === undefined;
  return {
    file,
    line,
    session,
    thread: prompt === undefined ? String(number) : JSON.stringify([file, transcript.agent, start ?? number]),
    toolLoads: transcript.messages.flatMap((message, index) => (loadsTools(message) ? [index] : [])),
    sizes: sizesOf(transcript.messages),
    userTurns: turns(transcript.messages).map((turn) => turn.start),
    prompt,
    isNameless,
    agent: transcript.agent,
    id: transcript.id,
    forkOf: transcript.forkOf,
  };
}

/** Anthropic's search for tools returns references, for which the API writes definitions into the prompt. */
function loadsTools({ parts }: Message): boolean {
  return parts.some(
    (part) =>
      part.type === 'result' &&
      part.content.some(({ raw }) => raw instanceof JsonNode && raw.get('type')?.string === 'tool_reference'),
  );
}

function sizesOf(messages: readonly Message[]): number[] {
  let sum = 0;
  return messages.map(({ parts }) => {
    const before = sum;
    for (const part of parts)
      for (const text of textsOf(part)) sum += typeof text === 'string' ? text.length : text.byteLength;
    return before;
  });
}

function textsOf(part: Part): readonly Text[] {
  if (part.type === 'call') return [part.tool, part.input];
  if (part.type === 'result') return part.content.flatMap(textsOf);
  return part.type === 'media' ? [] : [part.text ?? ''];
}

/** What the data of `simulate` say of the cache of a model. */
function rulesOf(model: string): CacheRules | undefined {
  const cache = cacheOf(model);
  if (cache === undefined) return undefined;
  const { id, step, lifetime, entries } = cache;
  return {
    minimum: minimumOf(cache, model),
    step,
    isExplicit: entries === 'breakpoints',
    lifetime,
    lifetime1h: cacheNamed(`${id}-1h`)?.lifetime ?? lifetime,
  };
}
