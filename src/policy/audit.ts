/** Applies a policy to many transcripts: rows by tool, rule, file and day, alerts, and rules that never applied. */
import { divideRounded } from '../decimals.js';
import { globOf } from '../text/glob.js';
import { compile } from './compiled.js';
import type { Conversation } from './conversation.js';
import { type Amount, amountOf } from './costs.js';
import {
  activeRules,
  type CallStatus,
  type Judgement,
  type JudgeOptions,
  judge,
  type PolicyFinding,
  statusOf,
  worseStatus,
} from './judge.js';
import type { AnyRule, Call, Policy } from './types.js';

export interface AuditPlace {
  readonly file: string;
  readonly line: number;
  /** The transcript: its place among those of the file, from 0, and its id. */
  readonly index: number;
  readonly transcript: string | undefined;
}

export interface PlacedFinding extends PolicyFinding {
  readonly place: AuditPlace;
}

export interface AuditRow {
  /** Of the tool, the rule, the file: whatever the rows are. */
  readonly name: string;
  readonly calls: number;
  readonly valid: number;
  readonly warned: number;
  readonly denied: number;
  readonly invalid: number;
  /** What the calls that were denied or invalid cost; undefined where no cost is known. */
  readonly wasted: Amount | undefined;
}

export interface Alert {
  readonly rule: string;
  /** The tool that it is about; else it is about the rules of this id. */
  readonly tool: string | undefined;
  readonly of: string;
  /** Of one transcript; undefined for all together. */
  readonly place: AuditPlace | undefined;
  readonly calls: number;
  readonly wrong: number;
  readonly denied: number;
  readonly invalid: number;
  readonly max: number;
  /** Of fewer calls there is no alert. */
  readonly minCalls: number;
}

/** What of the calls is counted, and on which day each was made. */
export interface AuditPeriod {
  readonly dayOf?: ((time: number) => string) | undefined;
  /** By the time of a call; of one without a time it is not asked: it does not count. */
  readonly counts?: ((time: number) => boolean) | undefined;
}

export interface AuditFacts {
  readonly policy: Policy;
  readonly transcripts: number;
  readonly tools: readonly AuditRow[];
  readonly rules: readonly (AuditRow & { readonly type: string })[];
  readonly files: readonly AuditRow[];
  /** In the order of the calendar; of calls without a time `(unknown)`. */
  readonly days: readonly AuditRow[];
  readonly findings: readonly PlacedFinding[];
  readonly alerts: readonly Alert[];
  /** Rates that would be alerts, were there calls enough. */
  readonly heldBack: readonly Alert[];
  /** Calls that were left out as nothing says when they were made. */
  readonly timeless: number;
  /** Rules that no call or transcript was subject to. */
  readonly notExercised: readonly string[];
}

export interface Audit {
  add(conversation: Conversation, place: AuditPlace): readonly PlacedFinding[];
  facts(): AuditFacts;
}

/** A policy without a rate of its own is alarmed as the built-in one is, for each tool. */
const USUAL_RATE: AnyRule = { id: 'abuse', type: 'violation_rate', of: '*', max: 0.3, min_calls: 5 };

/** The rates that a policy is alarmed by. */
export function ratesOf(policy: Policy): readonly AnyRule[] {
  const own = activeRules(policy).filter(({ type }) => type === 'violation_rate');
  return own.length > 0 ? own : [USUAL_RATE];
}

export function createAudit(policy: Policy, options: JudgeOptions & AuditPeriod = {}): Audit {
  const { dayOf, counts } = options;
  const rates = ratesOf(policy).filter((rate) => rate !== USUAL_RATE);
  const others = activeRules(policy).filter(({ type }) => type !== 'violation_rate');
  const tools = new Map<string, Tally>();
  const files = new Map<string, Tally>();
  const rules = new Map(others.map((rule) => [rule.id, emptyTally()]));
  const measured = rates.map((rule) => ({ rule, tallies: new Map<AuditPlace | undefined, Tally>() }));
  const findings: PlacedFinding[] = [];
  const days = new Map<string, Tally>();
  let transcripts = 0;
  let timeless = 0;
  const dayTally = ({ time }: Call) =>
    dayOf === undefined ? [] : [tallyOf(days, time === undefined ? '(unknown)' : dayOf(time))];
  const rated = () =>
    rates.length > 0
      ? measured.flatMap(({ rule, tallies }) => [...tallies].flatMap(([place, tally]) => alertOf(rule, tally, place)))
      : [...tools].flatMap(([tool, tally]) => alertOf({ ...USUAL_RATE, tool }, tally, undefined));
  return {
    add(conversation, place) {
      const { calls } = conversation;
      if (counts !== undefined) timeless += calls.filter(({ time }) => time === undefined).length;
      const isCounted = ({ time }: Call) => counts === undefined || (time !== undefined && counts(time));
      if (counts !== undefined && !calls.some(isCounted)) return [];
      transcripts++;
      const judgement = within(judge(policy, conversation, options), isCounted);
      for (const [call, fate] of judgement.statuses)
        for (const tally of [tallyOf(tools, call.tool), tallyOf(files, place.file), ...dayTally(call)])
          take(tally, fate, call, policy);
      const byRule = fatesByRule(judgement);
      for (const [id, tally] of rules) for (const [call, fate] of byRule.get(id)!) take(tally, fate, call, policy);
      for (const { rule, tallies } of measured) {
        const tally = tallyOf(tallies, rule['per'] === 'transcript' ? place : undefined);
        for (const [call, fate] of concerned(rule, byRule, policy)) take(tally, fate, call, policy);
      }
      const placed = judgement.findings.map((finding) => ({ ...finding, place }));
      for (const finding of placed) findings.push(finding);
      return placed;
    },
    facts: () => ({
      policy,
      transcripts,
      tools: rowsOf(tools),
      rules: others.map(({ id, type }) => ({ ...rowOf(id, rules.get(id)!), type })),
      files: rowsOf(files),
      findings,
      days: rowsOf(days).sort((a, b) => (a.name < b.name ? -1 : 1)),
      timeless,
      alerts: rated().filter(({ calls, minCalls }) => calls >= minCalls),
      heldBack: rated().filter(({ calls, minCalls }) => calls < minCalls),
      notExercised: others.flatMap(({ id }) => (rules.get(id)!.calls === 0 ? [id] : [])),
    }),
  };
}

/** Of the calls, the share that was denied or invalid. */
export function rateOf({ calls, denied, invalid }: Pick<AuditRow, 'calls' | 'denied' | 'invalid'>): number {
  return calls === 0 ? 0 : (denied + invalid) / calls;
}

// --- counting

type Tally = { -readonly [K in CallStatus]: number } & { calls: number; wasted: Amount | undefined };

function emptyTally(): Tally {
  return { calls: 0, valid: 0, warned: 0, denied: 0, invalid: 0, wasted: undefined };
}

function tallyOf<K>(tallies: Map<K, Tally>, key: K): Tally {
  const tally = tallies.get(key) ?? emptyTally();
  tallies.set(key, tally);
  return tally;
}

function take(tally: Tally, fate: CallStatus, call: Call | undefined, policy: Policy): void {
  tally.calls++;
  tally[fate]++;
  const cost = call === undefined ? undefined : compile(policy).specOf(call.tool)?.cost;
  if (cost === undefined) return;
  tally.wasted ??= 0n;
  if (fate === 'denied' || fate === 'invalid') tally.wasted += amountOf(typeof cost === 'number' ? cost : cost.usual);
}

/** What was found of the calls that count, and of their transcript. */
function within(judgement: Judgement, isCounted: (call: Call) => boolean): Judgement {
  const isOf = ({ call }: { readonly call: Call | undefined }) => call === undefined || isCounted(call);
  return {
    findings: judgement.findings.filter(isOf),
    statuses: new Map([...judgement.statuses].filter(([call]) => isCounted(call))),
    results: new Map([...judgement.results].map(([id, list]) => [id, list.filter(isOf)])),
  };
}

/** What each rule made of the calls (or the transcript) that it applied to. */
type FatesByRule = ReadonlyMap<string, ReadonlyMap<Call | undefined, CallStatus>>;

function fatesByRule({ findings, results }: Judgement): FatesByRule {
  const fates = new Map(
    [...results].map(([id, list]) => [
      id,
      new Map(list.map(({ call }): [Call | undefined, CallStatus] => [call, 'valid'])),
    ]),
  );
  for (const finding of findings) fates.get(finding.rule)!.set(finding.call, statusOf(finding));
  return fates;
}

/** The calls that a rate is about, each with the worst that became of it by the rules that it names. */
function concerned(
  { of, tool }: AnyRule,
  byRule: FatesByRule,
  policy: Policy,
): ReadonlyMap<Call | undefined, CallStatus> {
  const { isOneOf } = compile(policy);
  const rules = globOf(String(of));
  const found = new Map<Call | undefined, CallStatus>();
  for (const [id, fates] of byRule) {
    if (!rules.test(id)) continue;
    for (const [call, fate] of fates)
      if (tool === undefined || (call !== undefined && isOneOf(call.tool, String(tool))))
        found.set(call, worseStatus(found.get(call) ?? 'valid', fate));
  }
  return found;
}

function rowsOf(tallies: ReadonlyMap<string, Tally>): AuditRow[] {
  return [...tallies]
    .map(([name, tally]) => rowOf(name, tally))
    .sort((a, b) => b.denied + b.invalid - (a.denied + a.invalid) || b.calls - a.calls || (a.name < b.name ? -1 : 1));
}

function rowOf(name: string, { calls, valid, warned, denied, invalid, wasted }: Tally): AuditRow {
  return { name, calls, valid, warned, denied, invalid, wasted };
}

// --- the alarm

/**
 * Due where there are calls enough. Above the threshold, not at it. Decimals are compared as whole numbers: 0.3 of 10
 * is 3.
 */
function alertOf(rule: AnyRule, { calls, denied, invalid, warned }: Tally, place: AuditPlace | undefined): Alert[] {
  const [of, tool, max] = [String(rule['of']), rule['tool'] as string | undefined, Number(rule['max'])];
  const wrong = denied + invalid + (of === '*' ? 0 : warned);
  const isAbove = BigInt(wrong) * amountOf(1) > BigInt(calls) * amountOf(max);
  const minCalls = Number(rule['min_calls'] ?? 1);
  return isAbove ? [{ rule: rule.id, of, tool, place, calls, wrong, denied, invalid, max, minCalls }] : [];
}

// --- what it comes to

/** Months have 30 days and years 12 such months: ¥0.06 a day is ¥1.8 a month and ¥21.6 a year. */
export const DAYS_A_MONTH = 30n;
export const MONTHS_A_YEAR = 12n;

export interface Projection {
  readonly day: Amount;
  readonly month: Amount;
  readonly year: Amount;
}

/** What misuse comes to at so many calls a day, where `wrong` of `calls` are misused. */
export function projected(cost: Amount, callsPerDay: number, wrong: number, calls: number): Projection {
  const times = (days: bigint) =>
    calls === 0 ? 0n : divideRounded(cost * BigInt(callsPerDay) * BigInt(wrong) * days, BigInt(calls));
  return { day: times(1n), month: times(DAYS_A_MONTH), year: times(DAYS_A_MONTH * MONTHS_A_YEAR) };
}
