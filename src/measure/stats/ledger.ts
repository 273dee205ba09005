/**
 * The requests of many transcripts, each counted once. A log may repeat a request later or in another file, with more
 * data: requests with a key wait until the end. Those without a key are final at once: they are summed and dropped, so
 * memory stays flat.
 */
import { createGroups, type Grouping, type GroupSums } from './groups.js';
import { createLineage, type Relative } from './lineage.js';
import { merged, type RequestFacts, type RequestList, type RequestRecord } from './request.js';
import { OR } from './request-keys.js';

export interface LedgerOptions<Owner, R extends RequestRecord> {
  /** The request with its cost; called once for each request, with its final data. */
  price(record: R): RequestFacts;
  /** Which requests count, by their time; by default all. */
  readonly within?: ((time: number) => boolean) | undefined;
  readonly grouping?: Grouping<Owner> | undefined;
  /** Called for each request without a known price. */
  unpriced?(request: RequestFacts, owner: Owner): void;
  /** Of several transcripts with a request, it counts with the one that the others were forked from, or the first. */
  relativeOf?(owner: Owner): Relative;
  /** Called for each transcript that repeats a request of another one, by its key. */
  copied?(owner: Owner, from: Owner, key: string, request: RequestFacts): void;
  /** Called for each transcript, in order, once its requests are final. */
  settled?(owner: Owner, requests: readonly RequestFacts[]): void;
}

export interface LedgerFacts extends GroupSums {
  /** The models of requests without a known price. */
  readonly unpriced: ReadonlySet<string | undefined>;
  /** The number of duplicate usage records that were ignored. */
  readonly duplicates: number;
  /** Requests that `within` skipped because they have no time. */
  readonly timeless: number;
}

export interface Ledger<Owner, R extends RequestRecord> {
  /** Adds the requests of a transcript, each once. `duplicates`: the number of further records of them. */
  add(owner: Owner, list: RequestList<R>, duplicates?: number): void;
  /** Makes all requests final. */
  close(): LedgerFacts;
}

/** A request and its position. */
interface Entry<Owner, R extends RequestRecord> {
  readonly list: RequestList<R>;
  readonly index: number;
  readonly key: string | undefined;
  /** Its data with that of later records, if there are any. */
  merged: R | undefined;
  /** Set once it is final, if `settled` needs it: a request that is dropped at once is cheaper to collect. */
  request: RequestFacts | undefined;
  owner: Owner;
  /** The transcripts that repeat it, and its own one; undefined if none does. */
  claims: Claim<Owner>[] | undefined;
  readonly order: number;
}

/** A transcript with a record of a request. */
interface Claim<Owner> extends Pick<RequestRecord, 'index' | 'session' | 'agent'> {
  readonly owner: Owner;
}

function claimOf<Owner>(owner: Owner, { index, session, agent }: RequestRecord): Claim<Owner> {
  return { owner, index, session, agent };
}

function recordOf<R extends RequestRecord>({ merged, list, index }: Entry<unknown, R>): R {
  return merged ?? list.at(index)!;
}

/** A key may be the id of a response alone, where another record of it has that of its request behind. */
function createKeys<T>() {
  const byKey = new Map<string, T>();
  let byResponse: Map<string, T> | undefined; // as soon as there is a response alone
  const responsesIn = () => new Map([...byKey].map(([name, of]) => [responseOf(name), of] as const));
  const get = (key: string): T | undefined => {
    const known = byKey.get(key);
    if (known !== undefined || key.includes(' ')) return known ?? (byResponse && byKey.get(responseOf(key)));
    byResponse ??= responsesIn();
    return byResponse.get(key);
  };
  return {
    /** Several if the keys of a request are those of records that did not know each other's. */
    get(keys: string): readonly T[] {
      const known = keys.includes(OR) ? keys.split(OR).map(get) : [get(keys)];
      return [...new Set(known)].filter((one) => one !== undefined);
    },
    set(keys: string, entry: T): void {
      for (const key of keys.split(OR)) {
        byKey.set(key, entry);
        byResponse?.set(responseOf(key), entry);
      }
    },
    entries: () => new Set(byKey.values()),
  };
}

/** The first of two words; of any other key, all: there may be more requests of a response. */
function responseOf(key: string): string {
  const end = key.indexOf(' ');
  return end < 0 || key.includes(' ', end + 1) ? key : key.slice(0, end);
}

export function createLedger<Owner, R extends RequestRecord = RequestRecord>({
  price,
  within,
  grouping,
  settled,
  unpriced: sayUnpriced,
  relativeOf,
  copied,
}: LedgerOptions<Owner, R>): Ledger<Owner, R> {
  const byKey = createKeys<Entry<Owner, R>>();
  const lineage = createLineage();
  const waiting: { readonly owner: Owner; readonly entries: readonly Entry<Owner, R>[] }[] = [];
  const groups = createGroups(grouping);
  const unpriced = new Set<string | undefined>();
  let order = 0;
  let duplicates = 0;
  let timeless = 0;
  const counts = ({ time }: RequestRecord) => within === undefined || (time !== undefined && within(time));
  const settle = (entry: Entry<Owner, R>) => {
    const { owner, order: at } = entry;
    const record = recordOf(entry);
    if (within !== undefined && record.time === undefined) timeless++;
    if (!counts(record)) return;
    const request = price(record);
    if (settled !== undefined) entry.request = request;
    groups.add(request, owner, at);
    if (request.costSource !== 'unpriced') return;
    unpriced.add(request.model);
    sayUnpriced?.(request, owner);
  };
  const decide = (entry: Entry<Owner, R>) => {
    const { claims, key } = entry;
    if (claims === undefined) return;
    const origin = relativeOf === undefined ? claims[0]! : lineage.originAmong(claims, (c) => relativeOf(c.owner));
    const { owner, ...place } = origin;
    if (owner !== entry.owner) entry.merged = { ...recordOf(entry), ...place };
    entry.owner = owner;
    if (copied === undefined) return;
    const request = price(recordOf(entry));
    for (const claim of claims) if (claim !== origin) copied(claim.owner, owner, key!, request);
  };
  const take = (known: Entry<Owner, R>, owner: Owner, repeated: R, claim = claimOf(owner, repeated)) => {
    const record = recordOf(known);
    if (counts(record)) duplicates++;
    known.merged = merged(record, repeated);
    if (known.owner === owner) return;
    known.claims ??= [claimOf(known.owner, record)];
    known.claims.push(claim);
  };
  const notify = (owner: Owner, entries: readonly Entry<Owner, R>[]) =>
    settled?.(
      owner,
      entries.flatMap(({ request }) => request ?? []),
    );
  return {
    add(owner, list, repeated = 0) {
      duplicates += repeated;
      if (relativeOf !== undefined) lineage.add(relativeOf(owner));
      const entries: Entry<Owner, R>[] = [];
      let mayChange = waiting.length > 0;
      for (let index = 0; index < list.length; index++) {
        const key = list.keyAt === undefined ? list.at(index)!.key : list.keyAt(index);
        const [known, ...same] = key === undefined ? [] : byKey.get(key);
        if (known !== undefined) {
          const repeated = list.at(index)!;
          take(known, owner, repeated);
          for (const other of same)
            for (const claim of other.claims ?? [claimOf(other.owner, recordOf(other))])
              take(known, claim.owner, recordOf(other), claim);
          if (key!.includes(OR)) byKey.set(key!, known);
          for (const other of same) byKey.set(other.key!, known);
          if (settled !== undefined && known.owner !== owner) entries.push(known);
          continue;
        }
        const at = { list, index, key, merged: undefined, request: undefined };
        const entry: Entry<Owner, R> = { ...at, owner, claims: undefined, order: order++ };
        if (key === undefined) settle(entry);
        else {
          byKey.set(key, entry);
          mayChange = true;
        }
        if (settled !== undefined) entries.push(entry);
      }
      if (settled === undefined) return;
      if (mayChange) waiting.push({ owner, entries });
      else notify(owner, entries);
    },
    close() {
      for (const entry of byKey.entries()) {
        decide(entry);
        settle(entry);
      }
      for (const { owner, entries } of waiting)
        notify(
          owner,
          entries.filter((entry) => entry.owner === owner),
        );
      return { ...groups.close(), unpriced, duplicates, timeless };
    },
  };
}
