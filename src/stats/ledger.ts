/**
 * The requests of many transcripts, each counted once. A log may repeat a request later or in another file, with more
 * data: requests with a key wait until the end. Those without a key are final at once: they are summed and dropped, so
 * memory stays flat.
 */
import { createGroups, type Grouping, type GroupSums } from './groups.js';
import { merged, type RequestFacts, type RequestRecord } from './request.js';

export interface LedgerOptions<Owner, R extends RequestRecord> {
  /** The request with its cost; called once for each request, with its final data. */
  price(record: R): RequestFacts;
  /** Which requests count, by their time; by default all. */
  readonly within?: ((time: number) => boolean) | undefined;
  readonly grouping?: Grouping<Owner> | undefined;
  /** Called for each request without a known price. */
  unpriced?(request: RequestFacts, owner: Owner): void;
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
  add(owner: Owner, records: readonly R[], duplicates?: number): void;
  /** Makes all requests final. */
  close(): LedgerFacts;
}

/** A request and its position. A later record may replace its data. */
interface Entry<Owner, R> {
  record: R;
  /** Set once it is final, if `settled` needs it: a request that is dropped at once is cheaper to collect. */
  request: RequestFacts | undefined;
  readonly owner: Owner;
  readonly order: number;
}

export function createLedger<Owner, R extends RequestRecord = RequestRecord>({
  price,
  within,
  grouping,
  settled,
  unpriced: sayUnpriced,
}: LedgerOptions<Owner, R>): Ledger<Owner, R> {
  const byKey = new Map<string, Entry<Owner, R>>();
  const waiting: { readonly owner: Owner; readonly entries: readonly Entry<Owner, R>[] }[] = [];
  const groups = createGroups(grouping);
  const unpriced = new Set<string | undefined>();
  let order = 0;
  let duplicates = 0;
  let timeless = 0;
  const counts = ({ time }: RequestRecord) => within === undefined || (time !== undefined && within(time));
  const settle = (entry: Entry<Owner, R>) => {
    const { record, owner, order: at } = entry;
    if (within !== undefined && record.time === undefined) timeless++;
    if (!counts(record)) return;
    const request = price(record);
    if (settled !== undefined) entry.request = request;
    groups.add(request, owner, at);
    if (request.costSource !== 'unpriced') return;
    unpriced.add(request.model);
    sayUnpriced?.(request, owner);
  };
  const notify = (owner: Owner, entries: readonly Entry<Owner, R>[]) =>
    settled?.(
      owner,
      entries.flatMap(({ request }) => request ?? []),
    );
  return {
    add(owner, records, repeated = 0) {
      duplicates += repeated;
      const entries: Entry<Owner, R>[] = [];
      for (const record of records) {
        const known = record.key === undefined ? undefined : byKey.get(record.key);
        if (known !== undefined) {
          duplicates++;
          known.record = merged(known.record, record);
          continue;
        }
        const entry: Entry<Owner, R> = { record, request: undefined, owner, order: order++ };
        if (record.key === undefined) settle(entry);
        else byKey.set(record.key, entry);
        if (settled !== undefined) entries.push(entry);
      }
      if (settled === undefined) return;
      if (waiting.length > 0 || entries.some(({ record }) => record.key !== undefined))
        waiting.push({ owner, entries });
      else notify(owner, entries);
    },
    close() {
      for (const entry of byKey.values()) settle(entry);
      for (const { owner, entries } of waiting) notify(owner, entries);
      return { ...groups.close(), unpriced, duplicates, timeless };
    },
  };
}
