/** Counts and prices transcripts one after the other, for budgets and for rules that count tokens. */
import type { Picodollars } from '../../decimals.js';
import { attachedIn } from '../../formats/attachments.js';
import { countedOf, totalsOf } from '../../measure/stats/facts.js';
import type { Origin } from '../../measure/stats/group-keys.js';
import { createLedger } from '../../measure/stats/ledger.js';
import type { Relative } from '../../measure/stats/lineage.js';
import { createPeriodCosts, type PeriodCosts } from '../../measure/stats/period-costs.js';
import { priced, type RequestFacts, type RequestRecord } from '../../measure/stats/request.js';
import { type RequestSum, sumRequests } from '../../measure/stats/request-sum.js';
import { requestsOf } from '../../measure/stats/requests.js';
import { modelInfo } from '../../tokens/models.js';
import { withoutCompacted } from '../../transcript/sent.js';
import type { Text, Transcript } from '../../transcript/types.js';
import { type Context, modelOf } from '../context.js';
import { atMost, most } from './token-bounds.js';

export interface Use {
  readonly tokens: number;
  readonly source: 'exact' | 'estimated';
  /** How many fit into one request of its model. */
  readonly window: number | undefined;
}

export interface Meter {
  /** The transcript as one request. It is counted when its tokens are asked for. */
  use(transcript: Transcript): Use;
  /**
   * The same to compare with the window, with what is sent beside messages: an upper bound without counting, if that
   * bound fits.
   */
  fit(transcript: Transcript): Use;
  /** What the requests behind a transcript cost by themselves; undefined where a price is missing. */
  costOf(transcript: Transcript): Picodollars | undefined;
  /** Takes the requests behind one more transcript in. */
  add(transcript: Transcript, place: { readonly file: string; readonly line: number }): void;
  /** The cost of each added transcript, in order, of each day, project, …, and of all together. */
  costs(): {
    readonly each: readonly Spent[];
    readonly periods: ReturnType<PeriodCosts['costs']>;
    readonly total: Spent;
  };
}

/** The known cost of requests: all of it, or a lower bound where a price is missing. */
export interface Spent {
  readonly known: Picodollars;
  readonly isAll: boolean;
}

export function spentIn({ cost, knownCost }: RequestSum): Spent {
  return { known: knownCost, isAll: cost !== undefined };
}

/** `periods`: what is asked for of days, projects, … */
export function createMeter(context: Context, periods: PeriodCosts = createPeriodCosts([], { dayOf: String })): Meter {
  const { countingFor } = context;
  const modelIn = (transcript: Transcript) => modelOf(context, transcript.model);
  const price = (request: RequestRecord): RequestFacts => priced(request, context);
  const each: Spent[] = [];
  const ledger = createLedger<Origin & Relative>({
    price,
    relativeOf: (origin) => origin,
    settled(origin, requests) {
      each.push(spentIn(sumRequests(requests)));
      periods.add(origin, requests);
    },
  });
  const countedBy = (transcript: Transcript) => countedOf(transcript, countingFor(modelIn(transcript)));
  const use = (transcript: Transcript): Use => {
    const model = modelIn(transcript);
    let tokens: number | undefined;
    return {
      get tokens() {
        tokens ??= totalsOf(transcript, countedBy(transcript), undefined, undefined).tokens;
        return tokens;
      },
      get source() {
        return countingFor(model).source;
      },
      window: transcript.contextWindow ?? modelInfo(model ?? '')?.contextWindow,
    };
  };
  const withTexts = (of: Use, texts: readonly Text[], transcript: Transcript): Use => {
    const { text: count } = countingFor(modelIn(transcript));
    return texts.length === 0 ? of : { ...of, tokens: texts.reduce((sum, text) => sum + count(text), of.tokens) };
  };
  const requestsIn = (transcript: Transcript) => requestsOf(transcript, countedBy(transcript), context);
  return {
    use,
    costOf(transcript) {
      const own = createLedger<undefined>({ price });
      own.add(undefined, requestsIn(transcript));
      return own.close().paid.cost;
    },
    fit(transcript) {
      const next = withoutCompacted(transcript);
      const messages = use(next);
      const { window } = messages;
      if (window === undefined) return messages;
      const texts = besideIn(next);
      const bytes = texts.reduce((sum, text) => sum + most(text), atMost(next));
      const tokens = bytes * Math.max(1, modelInfo(modelIn(next) ?? '')?.factor ?? Number.POSITIVE_INFINITY);
      return tokens <= window ? { tokens, source: 'estimated', window } : withTexts(messages, texts, next);
    },
    add(transcript, { file, line }) {
      const { format, project, agent, id, forkOf } = transcript;
      const origin = { file, line, format, project, agent, id, forkOf, turnStarts: [] };
      ledger.add(origin, requestsIn(transcript));
    },
    costs() {
      const { paid } = ledger.close();
      return { each, periods: periods.costs(), total: spentIn(paid) };
    },
  };
}

/** What its agent is known to send beside the messages. */
function besideIn(transcript: Transcript): readonly Text[] {
  return [...attachedIn(transcript).values()].flatMap(({ texts, isKnown }) => (isKnown ? texts : []));
}
