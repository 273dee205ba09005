/** Everything that `stats` shows, collected transcript by transcript. What is only summed is not kept. */

import { attachedIn } from '../../formats/attachments.js';
import type { Omissions } from '../../omissions.js';
import { sumsSent } from '../../transcript/sent.js';
import type { Transcript } from '../../transcript/types.js';
import type { PriceSnapshot } from '../pricing/rates.js';
import { type AttachmentFacts, addedUp, attachmentFacts } from './attachments.js';
import { type Carried, carriedResults } from './carried.js';
import type { Copies } from './copies.js';
import type { Counting } from './counting.js';
import { isFinal, placeIn, withEmptyGroups } from './empty-groups.js';
import { countedAsRecorded, factsOf, type Totals, type TranscriptFacts } from './facts.js';
import type { Origin } from './group-keys.js';
import type { Grouping } from './groups.js';
import { createLedger, type LedgerFacts } from './ledger.js';
import type { RecordedPart } from './recorded-part.js';
import {
  mergedRequests,
  type Pricing,
  priced,
  type RequestFacts,
  type RequestList,
  type RequestRecord,
  unpricedMediaOf,
} from './request.js';
import { requestsOf } from './requests.js';
import { createTotals } from './sum.js';
import { sessionTitle } from './title.js';
import { withUnstated } from './unstated.js';

/** The messages, calls, results and tokens of a role or tool in all transcripts. */
export interface Share {
  readonly messages: number;
  readonly calls: number;
  readonly results: number;
  readonly tokens: number;
}

export interface AuditFacts extends Omit<LedgerFacts, 'unpriced'> {
  /** What all figures are without. */
  readonly omissions?: Omissions;
  /** The models without a known price, and where they are used; undefined stands for a model that is not recorded. */
  readonly unpriced: ReadonlyMap<string | undefined, ReadonlySet<string>>;
  /** Those of them whose text has a price: what else lacks one, such as `audio`. */
  readonly unpricedMedia: ReadonlyMap<string | undefined, ReadonlySet<string>>;
  readonly transcripts: number;
  /** The price list of computed costs; undefined if nothing is priced or the lists differ. */
  readonly priceList: PriceSnapshot | undefined;
  readonly totals: Totals;
  /** The models whose tokens are estimated; undefined stands for one that is not recorded. */
  readonly estimated: ReadonlySet<string | undefined>;
  readonly shares: { readonly role: ReadonlyMap<string, Share>; readonly tool: ReadonlyMap<string, Share> };
  readonly carried: readonly Carried[];
  /** What agents send beside messages, in no other figure; absent if there is nothing. */
  readonly attachments?: readonly AttachmentFacts[];
}

/** Called for each transcript, in order, once its requests are final. */
export type Settled = (
  transcript: TranscriptFacts,
  requests: readonly RequestFacts[],
  carried: readonly Carried[],
) => void;

/** How requests are grouped; the rest follows from their transcripts. */
export type RowGrouping = Omit<Grouping<unknown>, 'originOf'>;

export interface GatherOptions {
  /** Which requests count, by their time, and the transcripts that have some of them; by default all. */
  readonly within: ((time: number) => boolean) | undefined;
  readonly grouping: RowGrouping | undefined;
  readonly settled: Settled | undefined;
  /** Hears of requests that one transcript repeats of another. */
  readonly copies?: Pick<Copies, 'add'> | undefined;
}

export interface Gatherer<R extends RequestRecord> {
  /**
   * `duplicates`: see RecordedPart. `carriedBy`: results with the cost of the requests that carried them; called once
   * the requests are final.
   */
  add(
    transcript: TranscriptFacts,
    requests: RequestList<R>,
    more?: {
      readonly duplicates?: number;
      readonly carriedBy?: ((requests: readonly RequestFacts[]) => readonly Carried[]) | undefined;
    },
  ): void;
  facts(): AuditFacts;
}

interface GathererOptions<R> {
  /** Whether to compute the cost of carried results. */
  readonly carries: boolean;
  readonly priceList?: PriceSnapshot | undefined;
  price(request: R): RequestFacts;
  /** Of an unpriced request whose text has a price: what has none. */
  unpricedMedia?(request: RequestFacts): readonly string[];
}

/** Sums the facts of transcripts. */
export function createGatherer<R extends RequestRecord>(
  { within, grouping, settled, copies }: GatherOptions,
  { carries, price, priceList, unpricedMedia }: GathererOptions<R>,
): Gatherer<R> {
  interface Owner {
    readonly transcript: TranscriptFacts;
    readonly carriedBy: ((requests: readonly RequestFacts[]) => readonly Carried[]) | undefined;
    readonly isOutside: boolean;
  }
  const carried: Carried[] = [];
  let attachments: readonly AttachmentFacts[] | undefined;
  const totals = createTotals();
  const roles = createShares();
  const tools = createShares();
  const unpriced = new Map<string | undefined, Set<string>>();
  const mediaOf = new Map<string | undefined, Set<string>>();
  const sayUnpriced = (model: string | undefined, { file, line }: TranscriptFacts, media: readonly string[] = []) => {
    const places = unpriced.get(model) ?? new Set<string>();
    unpriced.set(model, places.add(`${file}:${line}`));
    const known = mediaOf.get(model) ?? new Set(media);
    if (media.length === 0) known.clear();
    else if (known.size > 0) for (const kind of media) known.add(kind);
    mediaOf.set(model, known);
  };
  /** Of transcripts that may have no group. */
  const places: Origin[] = [];
  const isByTranscript = within === undefined && grouping?.by[0] === 'transcript';
  let transcripts = 0;
  const estimated = new Set<string | undefined>();
  const ledger = createLedger<Owner, R>({
    price,
    within,
    unpriced: (request, { transcript }) => sayUnpriced(request.model, transcript, unpricedMedia?.(request)),
    grouping: grouping && { ...grouping, originOf: ({ transcript }) => transcript },
    relativeOf: ({ transcript }) => transcript,
    ...(copies === undefined
      ? {}
      : { copied: (owner, from, ...request) => copies.add(owner.transcript, from.transcript, ...request) }),
    ...(settled === undefined && !carries
      ? {}
      : {
          settled({ transcript, carriedBy, isOutside }, requests) {
            if (isOutside) return;
            const own = carriedBy?.(requests) ?? [];
            for (const result of own) carried.push(result);
            settled?.(transcript, requests, own);
          },
        }),
  });
  return {
    add(transcript, requests, { duplicates, carriedBy } = {}) {
      const isOutside = within !== undefined && !hasAny(requests, within);
      ledger.add({ transcript, carriedBy, isOutside }, requests, isOutside ? 0 : duplicates);
      if (isOutside) return;
      transcripts++;
      totals.add(transcript.totals);
      if (transcript.attachments !== undefined)
        attachments = addedUp([...(attachments ?? []), ...transcript.attachments]);
      if (transcript.totals.tokensSource === 'estimated') estimated.add(transcript.model);
      const isSilent = within === undefined && requests.length === 0 && transcript.totals.messages > 0;
      if (isSilent && transcript.totals.cost === undefined) sayUnpriced(transcript.model, transcript);
      if (isByTranscript && !isFinal(requests)) places.push(placeIn(transcript));
      for (const { role, messages, tokens } of transcript.roles) roles.add(role, { messages, tokens });
      if (transcript.definitionTokens > 0) roles.add('(tool definitions)', { tokens: transcript.definitionTokens });
      for (const tool of transcript.tools) tools.add(tool.tool || '(unknown)', tool);
    },
    facts() {
      const closed = ledger.close();
      return {
        ...closed,
        transcripts,
        priceList,
        totals: totals.sum(),
        estimated,
        shares: { role: roles.shares, tool: tools.shares },
        carried,
        ...(attachments === undefined ? {} : { attachments }),
        groups: withEmptyGroups(closed.groups, places),
        unpricedMedia: mediaOf,
        unpriced: new Map([...unpriced].sort(([a = ''], [b = '']) => (a < b ? -1 : 1))),
      };
    },
  };
}

function hasAny(requests: RequestList, within: (time: number) => boolean): boolean {
  for (const { time } of requests) if (time !== undefined && within(time)) return true;
  return false;
}

function createShares() {
  const shares = new Map<string, { -readonly [K in keyof Share]: Share[K] }>();
  return {
    shares: shares as ReadonlyMap<string, Share>,
    add(name: string, { messages = 0, calls = 0, results = 0, tokens = 0 }: Partial<Share>) {
      let share = shares.get(name);
      if (share === undefined) {
        share = { messages: 0, calls: 0, results: 0, tokens: 0 };
        shares.set(name, share);
      }
      share.messages += messages;
      share.calls += calls;
      share.results += results;
      share.tokens += tokens;
    },
  };
}

export interface AuditOptions extends GatherOptions, Pricing {
  /** Whether to compute what each result costs in the requests that carry it. */
  readonly carries: boolean;
  /** Whether to list single messages: of all transcripts, or of the first one. */
  readonly keepsMessages: boolean | 'first';
  /** Takes what was counted, in place of the sums: another thread adds it up. */
  readonly handOver?: ((counted: Counted) => void) | undefined;
}

/** A transcript that was counted, as plain data. */
export interface Counted {
  readonly facts: TranscriptFacts;
  readonly requests: readonly RequestRecord[];
  readonly duplicates: number;
}

export interface Audit {
  /** Adds recorded requests: no tokens are counted. */
  addRecorded(part: RecordedPart, place: { readonly file: string; readonly line: number }): void;
  /** Counts and adds a transcript. Returns the tokens of its next request. */
  add(transcript: Transcript, place: { readonly file: string; readonly line: number }, counting: Counting): number;
  /** Adds a transcript that another thread has counted. */
  takeOver(counted: Counted): void;
  facts(): AuditFacts;
}

export { createCopies } from './copies.js';

/** The facts of a transcript whose tokens were not counted. */
const UNCOUNTED: Omit<TranscriptFacts, 'file' | 'line' | 'id' | 'format' | 'model' | 'turnStarts'> = {
  contextWindow: undefined,
  ...{ messages: [], roles: [], tools: [], hints: [] },
  definitionTokens: 0,
  requestTokens: 0,
  totals: {
    messages: 0,
    toolCalls: 0,
    toolResults: 0,
    tokens: 0,
    cost: 0n,
    costSource: 'estimated',
    tokensSource: 'exact',
    isUncounted: true,
  },
};

export function createAudit(options: AuditOptions): Audit {
  const { prices, at, carries, grouping, handOver } = options;
  let { keepsMessages } = options;
  const gatherer = createGatherer<RequestRecord>(options, {
    carries,
    price: (request) => priced(request, options),
    priceList: prices?.snapshot,
    unpricedMedia: (request) => unpricedMediaOf(request, options),
  });
  return {
    addRecorded({ requests, duplicates, unstated = 0, ...facts }, place) {
      const totals = unstated === 0 ? UNCOUNTED.totals : { ...UNCOUNTED.totals, unstated };
      gatherer.add({ ...UNCOUNTED, totals, ...place, ...facts }, requests, { duplicates });
    },
    add(transcript, place, counting) {
      const counted = countedAsRecorded(transcript, counting);
      const all = { transcript, place, counting, counted };
      const attached = attachedIn(transcript);
      const records = requestsOf(transcript, counted, options);
      const known = factsOf(all, { prices, at }, keepsMessages !== false);
      const facts = {
        ...known,
        title: keepsMessages === true || grouping?.by.includes('title') ? sessionTitle(transcript) : undefined,
        ...(transcript.traits.repliesStateUsage && { totals: withUnstated(known.totals, transcript, records) }),
        ...(attached.size === 0 ? {} : { attachments: attachmentFacts(attached.values(), counting) }),
      };
      if (keepsMessages === 'first') keepsMessages = false;
      const carriedBy = carries
        ? (requests: readonly RequestFacts[]) => carriedResults(all, requests, { prices, at })
        : undefined;
      const requests = mergedRequests(records);
      const duplicates = records.length - requests.length;
      if (handOver === undefined) gatherer.add(facts, requests, { duplicates, carriedBy });
      else handOver({ facts, requests, duplicates });
      const next = counted.everyRequest + sumsSent(transcript.messages, counted.tokens).at(-1)!;
      return Math.min(facts.totals.tokens, next);
    },
    takeOver: ({ facts, requests, duplicates }) => gatherer.add(facts, requests, { duplicates }),
    facts: gatherer.facts,
  };
}
