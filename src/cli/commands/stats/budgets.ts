/** Reports unknown prices and exceeded budgets of `stats` on stderr. */

import type { AuditFacts, Settled } from '../../../measure/stats/audit.js';
import {
  createPeriodCosts,
  type Period,
  type PeriodLimit,
  type PeriodNames,
} from '../../../measure/stats/period-costs.js';
import { type RequestSum, sumRequests } from '../../../measure/stats/request-sum.js';
import { formatMoneyApart } from '../../../text/money.js';
import { dollarsIn } from '../../../text/parse-usd.js';
import { grouped, plural } from '../../../text/words.js';
import type { Config } from '../../config/config.js';
import { say } from '../../inputs/reading.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { StatsOptions } from './options.js';

/** Reports models without a known price. Returns whether there are any. */
export function sayUnpriced({ unpriced, unpricedMedia }: AuditFacts, terminal: Terminal): boolean {
  for (const [model, places] of unpriced) say(terminal, unpricedText(model, places, unpricedMedia.get(model)));
  return unpriced.size > 0;
}

/**
 * `undefined`: a model that is not recorded. `places`: the transcripts that it is used in. `media`: what of it has no
 * price, if its text has one.
 */
export function unpricedText(
  model: string | undefined,
  places: Iterable<string> = [],
  media: ReadonlySet<string> = new Set(),
): string {
  const [first, ...others] = places;
  const more = others.length === 0 ? '' : ` (and ${plural(others.length, 'more transcript')})`;
  const what = media.size === 0 ? model : `${[...media].join(' and ')} tokens of ${model}`;
  const where = first === undefined ? '' : `${first}: `;
  return model === undefined
    ? `ctx-trim: ${where}model not recorded, cost unknown (set --model)${more}`
    : `ctx-trim: ${where}no known price for ${what}${more}`;
}

export interface Excess {
  readonly settled?: Settled;
  /** Reports exceeded budgets. Returns whether there are any. */
  report(facts: AuditFacts, terminal: Terminal): boolean;
}

/** Checks budgets per transcript, per day or project or so, and in total. */
export function createExcess(options: StatsOptions, config: Pick<Config, 'budgets'>, names: PeriodNames): Excess {
  const { maxTokens, maxTotalTokens, maxCost, maxTotalCost } = budgetsOf(options);
  const { per } = options;
  const limits =
    maxTotalCost === undefined ? periodLimits(config) : per === undefined ? [] : [{ per, cost: maxTotalCost }];
  const periods = createPeriodCosts(limits, names);
  const exceeded: string[] = [];
  const addOver = (what: string, { cost, knownCost }: RequestSum, flag: string, limit: bigint) => {
    if (knownCost > limit)
      exceeded.push(`${what}: ${cost === undefined ? 'at least ' : ''}${overCost(knownCost, flag, limit)}`);
    else if (cost === undefined) exceeded.push(`${what}: cost unknown, ${flag} cannot be checked`);
  };
  const settled: Settled = (transcript, requests) => {
    const { file, line, totals } = transcript;
    periods.add(transcript, requests);
    const place = `${file}:${line}`;
    if (maxTokens !== undefined && totals.tokens > maxTokens)
      exceeded.push(
        `${place}: ${grouped(totals.tokens)} tokens, ` +
          `${grouped(totals.tokens - maxTokens)} over --max-tokens ${grouped(maxTokens)}`,
      );
    if (maxCost === undefined) return;
    addOver(place, sumRequests(requests), '--max-cost', maxCost);
  };
  return {
    ...((maxTokens ?? maxCost ?? limits[0]) === undefined ? {} : { settled }),
    report({ totals: { tokens }, paid }, terminal) {
      if (maxTotalTokens !== undefined && tokens > maxTotalTokens)
        exceeded.push(
          `all transcripts: ${grouped(tokens)} tokens, ` +
            `${grouped(tokens - maxTotalTokens)} over --max-total-tokens ${grouped(maxTotalTokens)}`,
        );
      for (const { of, cost, per: name } of periods.costs())
        addOver(of.names[0]!, of, per === undefined ? `budgets.per.${name}` : '--max-total-cost', cost);
      if (maxTotalCost !== undefined && per === undefined)
        addOver('all transcripts', paid, '--max-total-cost', maxTotalCost);
      for (const line of exceeded) say(terminal, `ctx-trim: ${line}`);
      return exceeded.length > 0;
    },
  };
}

/** Those of the config. */
function periodLimits({ budgets: { per = {} } }: Pick<Config, 'budgets'>): readonly PeriodLimit[] {
  return (Object.keys(per) as Period[]).flatMap((name) => {
    const usd = per[name];
    return usd === undefined ? [] : [{ per: name, cost: dollarsIn(String(usd), `budgets.per.${name}`) }];
  });
}

function overCost(cost: bigint, flag: string, limit: bigint): string {
  const [spent, over, most] = formatMoneyApart([cost, cost - limit, limit]);
  return `${spent}, ${over} over ${flag} ${most}`;
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
