/** Budgets: limits that a transcript, or all together, has to keep. What is over one is a finding like any other. */

import type { Picodollars } from '../../decimals.js';
import type { RuleWords } from '../../findings.js';
import { callKey } from '../../json/canonical.js';
import { listIn } from '../../lists.js';
import type { Period, PeriodLimit } from '../../measure/stats/period-costs.js';
import type { Problem } from '../../rules/rule.js';
import { formatMoney, formatMoneyApart } from '../../text/money.js';
import { dollarsIn } from '../../text/parse-usd.js';
import { grouped, percent, plural, tokensText } from '../../text/words.js';
import { joinTexts } from '../../transcript/text.js';
import type { CallPart, Part, Transcript } from '../../transcript/types.js';
import { measureByUnit } from '../../transforms/measure.js';
import type { Spent, Use } from './meter.js';
import type { BudgetSettings, TotalBudgets } from './settings.js';

/** Of a transcript; `total`: of all together. */
export interface Limits extends Total {
  readonly repeatedCalls: number | undefined;
  readonly resultLength: number | undefined;
  readonly systemLength: number | undefined;
  readonly contextShare: number | undefined;
  readonly total: Total;
  readonly per: readonly PeriodLimit[];
}

interface Total {
  readonly tokens: number | undefined;
  readonly cost: Picodollars | undefined;
  readonly calls: number | undefined;
}

export const BUDGETS: readonly RuleWords[] = (
  [
    ['budget/tokens', 'more tokens than the budget allows'],
    ['budget/cost', 'a higher cost than the budget allows'],
    ['budget/calls', 'more tool calls than the budget allows'],
    ['budget/repeated-calls', 'the same call again and again'],
    ['budget/result-length', 'a tool result longer than the budget allows'],
    ['budget/system-prompt', 'a system prompt longer than the budget allows'],
    ['budget/context-share', "more of the model's context window than the budget allows"],
  ] as const
).map(([id, summary]) => ({ id, summary, severity: 'error' }));

/** How an amount of US dollars is read. Throws TranscriptError that says where it is written. */
type ReadDollars = (text: string, key: 'cost' | 'total.cost' | `per.${Period}`) => Picodollars;
const readDollars: ReadDollars = (text, key) => dollarsIn(text, `\`budgets.${key}\``);

export function limitsOf(budgets: BudgetSettings, dollarsOf: ReadDollars = readDollars): Limits {
  const dollars = (cost: TotalBudgets['cost'], key: Parameters<ReadDollars>[1]) =>
    cost === undefined ? undefined : dollarsOf(String(cost), key);
  const { tokens, cost, calls, total, per = {} } = budgets;
  return {
    tokens,
    cost: dollars(cost, 'cost'),
    calls,
    repeatedCalls: budgets.repeatedCalls,
    resultLength: budgets.resultLength,
    systemLength: budgets.systemLength,
    contextShare: budgets.contextShare,
    total: { tokens: total?.tokens, cost: dollars(total?.cost, 'total.cost'), calls: total?.calls },
    per: (Object.keys(per) as Period[]).flatMap((name) => {
      const limit = dollars(per[name], `per.${name}`);
      return limit === undefined ? [] : [{ per: name, cost: limit }];
    }),
  };
}

/** Which of them need what. */
export const isPriced = ({ cost, total, per }: Limits) => (cost ?? total.cost ?? per[0]) !== undefined;
export const isCounted = (limits: Limits) =>
  isPriced(limits) ||
  limits.tokens !== undefined ||
  limits.contextShare !== undefined ||
  limits.total.tokens !== undefined;

/** Ids of the budgets that are set. */
export function budgetsIn(limits: Limits): string[] {
  const { tokens, cost, calls, total } = limits;
  const set = {
    tokens: tokens ?? total.tokens,
    cost: cost ?? total.cost ?? limits.per[0],
    calls: calls ?? total.calls,
    'repeated-calls': limits.repeatedCalls,
    'result-length': limits.resultLength,
    'system-prompt': limits.systemLength,
    'context-share': limits.contextShare,
  };
  return Object.entries(set).flatMap(([name, limit]) => (limit === undefined ? [] : [`budget/${name}`]));
}

export interface Excess extends Problem {
  readonly rule: string;
}

/** What a transcript by itself has too much of; its cost is known later, when all requests are. */
export function* excesses(transcript: Transcript, limits: Limits, use: Use | undefined): Generator<Excess> {
  const whole = (rule: string, text: string): Excess => ({ rule, message: undefined, text });
  const calls = limits.calls === undefined && limits.repeatedCalls === undefined ? [] : callsOf(transcript);
  if (limits.tokens !== undefined && use!.tokens > limits.tokens)
    yield whole('budget/tokens', overText('tokens', use!.tokens, limits.tokens, use!.source));
  if (limits.contextShare !== undefined) {
    const { window } = use!;
    if (window === undefined)
      yield whole(
        'budget/context-share',
        `the context window of ${transcript.model ?? 'its unnamed model'} is not known; set --model`,
      );
    else if (use!.tokens > window * limits.contextShare)
      yield whole(
        'budget/context-share',
        `${tokensText(use!.tokens, use!.source)} tokens are ${percent(use!.tokens / window)} of the context window ` +
          `of ${grouped(window)}; the budget is ${percent(limits.contextShare)}`,
      );
  }
  if (limits.calls !== undefined && calls.length > limits.calls)
    yield { ...calls[limits.calls]!, rule: 'budget/calls', text: overText('tool calls', calls.length, limits.calls) };
  if (limits.repeatedCalls !== undefined) yield* repeated(calls, limits.repeatedCalls);
  if (limits.resultLength === undefined && limits.systemLength === undefined) return;
  for (const [message, { role, parts }] of transcript.messages.entries()) {
    for (const part of parts)
      if (part.type === 'result' && limits.resultLength !== undefined)
        yield* tooLong('budget/result-length', 'the result', joinTexts(part.content), limits.resultLength, {
          message,
          part,
          callId: part.callId,
        });
    if (role === 'system' && limits.systemLength !== undefined)
      yield* tooLong(
        'budget/system-prompt',
        'the system prompt',
        joinTexts(parts.filter((part) => part.type === 'text')),
        limits.systemLength,
        { message },
      );
  }
}

/** `12,000 tokens are 2,000 over the budget of 10,000`. */
export function overText(noun: string, count: number, limit: number, source: Use['source'] = 'exact'): string {
  return `${tokensText(count, source)} ${noun} are ${grouped(count - limit)} over the budget of ${grouped(limit)}`;
}

/** Whether nobody can say if the cost is above the limit: what is known of it is not. */
export function isUnknown({ known, isAll }: Spent, limit: Picodollars): boolean {
  return !isAll && known <= limit;
}

/** `count`: of so many transcripts, which is said once. */
export function unknownCost(limit: Picodollars, count = 1): string {
  const others = count === 1 ? '' : ` here and in ${grouped(count - 1)} more`;
  return (
    `the cost is not known${others}, so it cannot be kept within ${formatMoney(limit)}; ` +
    '--model or --prices may help'
  );
}

/** `$3.00 are $1.00 over the budget of $2.00`; undefined if it is not known to be above. */
export function overCost({ known, isAll }: Spent, limit: Picodollars): string | undefined {
  if (known <= limit) return undefined;
  const [spent, over, most] = formatMoneyApart([known, known - limit, limit]);
  return `${isAll ? '' : 'at least '}${spent} are ${over} over the budget of ${most}`;
}

function* tooLong(
  rule: string,
  what: string,
  text: string,
  limit: number,
  place: Omit<Problem, 'text'>,
): Generator<Excess> {
  if (text.length <= limit) return; // characters are no more than UTF-16 units
  const length = measureByUnit(() => 0).chars.length(text);
  if (length > limit)
    yield {
      ...place,
      rule,
      text:
        `${what} has ${grouped(length)} characters, ` +
        `${grouped(length - limit)} over the budget of ${grouped(limit)}`,
    };
}

interface Called {
  readonly message: number;
  readonly part: CallPart;
  readonly callId: string | undefined;
}

function callsOf({ messages }: Transcript): Called[] {
  return messages.flatMap(({ parts }, message) =>
    parts.flatMap((part: Part) => (part.type === 'call' ? [{ message, part, callId: part.callId }] : [])),
  );
}

/** A finding for each call that is made too often, where it first is. */
function* repeated(calls: readonly Called[], limit: number): Generator<Excess> {
  const same = new Map<string, Called[]>();
  for (const call of calls) {
    listIn(same, callKey(call.part)).push(call);
  }
  for (const made of same.values()) {
    const again = made.length - 1;
    if (again > limit)
      yield {
        ...made[limit + 1]!,
        rule: 'budget/repeated-calls',
        text:
          `the same call of ${made[0]!.part.tool} was made again ${plural(again, 'time')}; ` +
          `the budget is ${grouped(limit)}`,
      };
  }
}
