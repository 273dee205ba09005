/** Budgets that need all transcripts: totals, and costs, since transcripts can share requests. */
import type { Transcript } from '../../transcript/types.js';
import { isPriced, isUnknown, type Limits, overCost, overText, unknownCost } from './budgets.js';
import { type Meter, spentIn, type Use } from './meter.js';
import type { FindingPlace } from './rows.js';

/** `place`: the transcript that exceeds its budget; undefined for all transcripts together. */
export interface Exceeded {
  readonly rule: string;
  readonly text: string;
  readonly place?: FindingPlace;
}

export interface Totals {
  add(transcript: Transcript, place: { readonly file: string; readonly line: number }): void;
  /** The budgets that are exceeded. `priced`: the places of all transcripts, in the order in which they were added. */
  exceeded(priced: readonly FindingPlace[]): Exceeded[];
}

export function createTotals(limits: Limits, meter: () => Meter): Totals {
  const { total, cost } = limits;
  let tokens = 0;
  let calls = 0;
  let source: Use['source'] = 'exact';
  return {
    add(transcript, place) {
      if (total.calls !== undefined) calls += callsIn(transcript);
      if (isPriced(limits)) meter().add(transcript, place);
      if (total.tokens === undefined) return;
      const use = meter().use(transcript);
      tokens += use.tokens;
      if (use.source === 'estimated') source = use.source;
    },
    exceeded(priced) {
      const found: Exceeded[] = [];
      const add = (rule: string, text: string | undefined, place?: FindingPlace) => {
        if (text !== undefined) found.push({ rule, text, ...(place === undefined ? {} : { place }) });
      };
      if (isPriced(limits)) {
        const { each, total: sum, periods } = meter().costs();
        if (cost !== undefined) {
          const unknown = priced.filter((_, index) => isUnknown(each[index]!, cost));
          for (const [index, place] of priced.entries()) add('budget/cost', overCost(each[index]!, cost), place);
          if (unknown.length > 0) add('budget/cost', unknownCost(cost, unknown.length), unknown[0]);
        }
        for (const { of, cost: limit } of periods) {
          const over = isUnknown(spentIn(of), limit) ? unknownCost(limit) : overCost(spentIn(of), limit);
          add('budget/cost', over && `${of.names[0]}: ${over}`);
        }
        if (total.cost !== undefined)
          add('budget/cost', isUnknown(sum, total.cost) ? unknownCost(total.cost) : overCost(sum, total.cost));
      }
      if (total.tokens !== undefined && tokens > total.tokens)
        add('budget/tokens', overText('tokens', tokens, total.tokens, source));
      if (total.calls !== undefined && calls > total.calls)
        add('budget/calls', overText('tool calls', calls, total.calls));
      return found;
    },
  };
}

function callsIn({ messages }: Transcript): number {
  return messages.reduce((sum, { parts }) => sum + parts.filter(({ type }) => type === 'call').length, 0);
}
