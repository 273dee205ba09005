/** What `stats` says of its figures: prices that are not known, and budgets that are exceeded. */
import type { Terminal } from '../../io/terminal.js';
import type { AuditFacts, Settled } from '../../stats/audit.js';
import { sumRequests } from '../../stats/groups.js';
import { formatMoneyApart } from '../../text/money.js';
import { dollarsIn } from '../../text/parse-usd.js';
import { grouped } from '../../text/words.js';
import { say } from '../shared/reading.js';
import type { StatsOptions } from './options.js';

/** Models without a known price. Returns whether there are any. */
export function sayUnpriced({ unpriced }: AuditFacts, terminal: Terminal): boolean {
  for (const model of unpriced)
    say(
      terminal,
      model === undefined
        ? 'ctx-trim: a transcript says no model, so there is no price; --model names one'
        : `ctx-trim: no price is known for ${model}`,
    );
  return unpriced.size > 0;
}

export interface Excess {
  readonly settled?: Settled;
  /** Returns whether a budget is exceeded. */
  say(facts: AuditFacts, terminal: Terminal): boolean;
}

/** Budgets, per transcript and for all together. */
export function createExcess(options: StatsOptions): Excess {
  const { maxTokens, maxTotalTokens, maxCost, maxTotalCost } = budgetsOf(options);
  const wrong: string[] = [];
  const settled: Settled = ({ file, line, totals }, requests) => {
    const place = `${file}:${line}`;
    if (maxTokens !== undefined && totals.tokens > maxTokens)
      wrong.push(
        `${place}: ${grouped(totals.tokens)} tokens are ${grouped(totals.tokens - maxTokens)} over --max-tokens ${grouped(maxTokens)}`,
      );
    if (maxCost === undefined) return;
    const { cost } = sumRequests(requests);
    if (cost === undefined) wrong.push(`${place}: the cost is not known, so it cannot be kept under --max-cost`);
    else if (cost > maxCost) wrong.push(`${place}: ${overCost(cost, '--max-cost', maxCost)}`);
  };
  return {
    ...(maxTokens === undefined && maxCost === undefined ? {} : { settled }),
    say({ totals: { tokens }, paid: { cost } }, terminal) {
      if (maxTotalTokens !== undefined && tokens > maxTotalTokens)
        wrong.push(
          `all together: ${grouped(tokens)} tokens are ${grouped(tokens - maxTotalTokens)} over --max-total-tokens ${grouped(maxTotalTokens)}`,
        );
      if (maxTotalCost !== undefined && cost === undefined)
        wrong.push('all together: the cost is not known, so it cannot be kept under --max-total-cost');
      if (maxTotalCost !== undefined && cost !== undefined && cost > maxTotalCost)
        wrong.push(`all together: ${overCost(cost, '--max-total-cost', maxTotalCost)}`);
      for (const line of wrong) say(terminal, `ctx-trim: ${line}`);
      return wrong.length > 0;
    },
  };
}

function overCost(cost: bigint, flag: string, limit: bigint): string {
  const [spent, over, most] = formatMoneyApart([cost, cost - limit, limit]);
  return `${spent} are ${over} over ${flag} ${most}`;
}

interface Budgets {
  readonly maxTokens: number | undefined;
  readonly maxTotalTokens: number | undefined;
  readonly maxCost: bigint | undefined;
  readonly maxTotalCost: bigint | undefined;
}

function budgetsOf({ maxTokens, maxTotalTokens, maxCost, maxTotalCost }: StatsOptions): Budgets {
  return {
    maxTokens,
    maxTotalTokens,
    maxCost: maxCost === undefined ? undefined : dollarsIn(maxCost, '--max-cost'),
    maxTotalCost: maxTotalCost === undefined ? undefined : dollarsIn(maxTotalCost, '--max-total-cost'),
  };
}
