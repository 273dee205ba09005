/**
 * The requests of many transcripts, each counted once. A log may repeat a request later or in another file, with more
 * data: requests with a key wait until the end. Those without a key are final at once: they are summed and dropped, so
 * memory stays flat.
 */
import { createGroups, createSum, type GroupFacts, type Grouping, type RequestSum } from './groups.js';
import { isFuller, type RequestFacts } from './requests.js';

export interface LedgerOptions<Owner> {
  /** Which requests count, by their time; by default all. */
  readonly within?: ((time: number) => boolean) | undefined;
  readonly grouping?: Grouping<Owner> | undefined;
  /** Called for each transcript, in order, once its requests are final. */
  settled?(owner: Owner, requests: readonly RequestFacts[]): void;
}

export interface LedgerFacts {
  /** All requests together. */
  readonly paid: RequestSum;
  /** In order of the first request of each. */
  readonly groups: readonly GroupFacts[];
  /** The models of requests without a known price. */
  readonly unpriced: ReadonlySet<string | undefined>;
  /** The number of duplicate usage records that were ignored. */
  readonly duplicates: number;
  /** Requests that `within` skipped because they have no time. */
  readonly timeless: number;
}

export interface Ledger<Owner> {
  /** Adds the requests of a transcript. */
  add(owner: Owner, requests: readonly RequestFacts[]): void;
  /** Makes all requests final. */
  close(): LedgerFacts;
}

/** A request and its position. A later record may replace its data. */
interface Entry<Owner> {
  request: RequestFacts;
  readonly owner: Owner;
  readonly order: number;
}

export function createLedger<Owner>({ within, grouping, settled }: LedgerOptions<Owner>): Ledger<Owner> {
  const byKey = new Map<string, Entry<Owner>>();
  const waiting: { readonly owner: Owner; readonly entries: readonly Entry<Owner>[] }[] = [];
  const paid = createSum();
  const groups = createGroups(grouping);
  const unpriced = new Set<string | undefined>();
  let order = 0;
  let duplicates = 0;
  let timeless = 0;
  const counts = ({ time }: RequestFacts) => within === undefined || (time !== undefined && within(time));
  const settle = ({ request, owner, order: at }: Entry<Owner>) => {
    if (within !== undefined && request.time === undefined) timeless++;
    if (!counts(request)) return;
    paid.add(request);
    groups.add(request, owner, at);
    if (request.costSource === 'unpriced') unpriced.add(request.model);
  };
  const notify = (owner: Owner, entries: readonly Entry<Owner>[]) =>
    settled?.(owner, entries.map(({ request }) => request).filter(counts));
  return {
    add(owner, requests) {
      const entries: Entry<Owner>[] = [];
      for (const request of requests) {
        const known = request.key === undefined ? undefined : byKey.get(request.key);
        if (known !== undefined) {
          duplicates++;
          if (isFuller(request.usage, known.request.usage))
            known.request = { ...request, index: known.request.index, session: known.request.session };
          continue;
        }
        const entry = { request, owner, order: order++ };
        if (request.key === undefined) settle(entry);
        else byKey.set(request.key, entry);
        entries.push(entry);
      }
      if (settled === undefined) return;
      if (waiting.length > 0 || entries.some(({ request }) => request.key !== undefined))
        waiting.push({ owner, entries });
      else notify(owner, entries);
    },
    close() {
      for (const entry of byKey.values()) settle(entry);
      for (const { owner, entries } of waiting) notify(owner, entries);
      return { paid: paid.sum(), groups: groups.facts(paid.sum()), unpriced, duplicates, timeless };
    },
  };
}
