/** What a simulation means in a few sentences: what to do, and what the figures are based on. */
import type { Picodollars } from '../../decimals.js';
import type { CacheModel } from '../../measure/simulation/caches.js';
import {
  type Basis,
  isUnchanged,
  type SimulationFacts,
  type Steadier,
  type SweepFacts,
  type TranscriptOrigin,
} from '../../measure/simulation/facts.js';
import type { Shortfall } from '../../measure/simulation/shortfalls.js';
import type { Prediction, Side, Totals } from '../../measure/simulation/simulate.js';
import type { Outcome } from '../../measure/simulation/sweep.js';
import { errorOf, type Verdict } from '../../measure/simulation/verdict.js';
import { joined, type SafeText, safe, spaces } from '../../safe/text.js';
import type { Currency } from '../../text/money.js';
import { changeText, grouped, percent, plural, shortCount, wrapped } from '../../text/words.js';
import { promptTokens } from '../../transcript/usage.js';
import { estimatesNote } from '../estimates.js';
import { cacheWriteOf, costChange, estimateMark, fineCost, keptText, percentOf } from './figures.js';

const WIDTH = 80;

/** A paragraph on lines of at most 80 columns. */
export function paragraph(text: string): SafeText[] {
  return wrapped(text, WIDTH);
}

/** Whether to use the policy, and what it does to the prompt cache. */
export function adviceOf(
  facts: Pick<
    SimulationFacts,
    'policy' | 'sparesTurn' | 'shortfalls' | 'totals' | 'verdict' | 'steadier' | keyof Basis
  >,
  currency?: Currency,
): string {
  const { policy, totals, caches, tokensSource, verdict, steadier, shortfalls } = facts;
  const { without, requests } = totals;
  const assumed = assumptions(requestsText(requests, tokensSource), caches);
  if (policy === '')
    return without.cost === undefined
      ? `The cost of ${plural(requests, 'request')} is unknown. ${assumed}`
      : `Without a policy, ${plural(requests, 'request')} cost ${fineCost(without.cost, currency)}. ${assumed}`;
  const wayOut = steadier === undefined ? '' : `${steadierText(steadier, totals, currency)}. `;
  const short = shortfalls.map((one) => `${shortfallText(one)}. `).join('');
  return `${verdictText(verdict, facts, currency)}. ${short}${wayOut}${cacheEffect(totals)}. ${assumed}`;
}

/** How many prompts a step left above its budget. */
export function shortfallText({ step, budget, requests, of, tokens, ways }: Shortfall): string {
  const stay = `${grouped(requests)} of ${plural(of, 'request')} ${requests === 1 ? 'stays' : 'stay'}`;
  const by = requests === 1 ? 'by' : 'by up to';
  const hint = ways.length === 0 ? '' : `; ${ways.join(' or ')} may leave less`;
  return `${step}: ${stay} above the budget of ${plural(budget, 'token')}, ${by} ${grouped(tokens)}${hint}`;
}

function verdictText(
  verdict: Verdict,
  { sparesTurn, totals: { without, with: sent } }: Pick<SimulationFacts, 'sparesTurn' | 'totals'>,
  currency: Currency | undefined,
): string {
  const { kind, saved } = verdict;
  if ((kind === 'same' || kind === 'unpriced') && isUnchanged({ without, with: sent }))
    return `The policy changes no request${sparesTurn ? TURN : ''}`;
  if (kind === 'unpriced' || saved === undefined || without.cost === undefined) {
    const [before, after] = [promptTokens(without.usage), promptTokens(sent.usage)];
    const change = changeText(before, after);
    const sends = `${plural(after, 'input token')} instead of ${grouped(before)}${change}`;
    return `No recommendation: the cost is unknown; the policy sends ${sends}`;
  }
  if (kind === 'same') return 'The policy does not change the cost';
  const share = rangeText(verdict, without.cost);
  const change =
    saved > 0n
      ? `saves ${fineCost(saved, currency)} (${share})`
      : `costs ${fineCost(-saved, currency)} (${share}) more`;
  if (kind === 'saves') return `Recommended: ${change}`;
  if (kind === 'costs') return `Not recommended: ${change}`;
  return `No recommendation: the policy ${change}, ${doubtText(verdict)}`;
}

/** Why a policy has nothing to do. */
const TURN = ' (without --scope all, steps leave the current turn as it is)';

/** Why a change of cost is no reason to recommend anything. */
function doubtText({ kind, error }: Verdict): string {
  const off = `the replay is ${percent(error ?? 0)} off the recording`;
  return kind === 'inexact' ? `but ${off}` : `which is within the error: ${off}`;
}

/** `40.1 %`, or with an error `40.1 %, 38.9 to 41.3 % within the error`. */
function rangeText({ saved, least, most }: Verdict, before: Picodollars): string {
  const share = (part: Picodollars) => percentOf(part < 0n ? -part : part, before);
  const signed = (part: Picodollars) => `${part < 0n === saved! < 0n ? '' : '−'}${share(part).replace(/ %$/, '')}`;
  if (least === most || signed(least!) === signed(most!)) return share(saved!);
  const [from, to] = saved! < 0n ? [most!, least!] : [least!, most!];
  return `${share(saved!)}, ${signed(from)} to ${signed(to)} % within the error`;
}

/** The way out if a policy costs more: it moves in steps. */
function steadierText({ label, totals: { with: sent } }: Steadier, { without }: Totals, currency?: Currency): string {
  const change = costChange(without.cost!, sent.cost!);
  if (change === '') return `With ${label} it would cost as much as no policy`;
  const cost = `${fineCost(sent.cost, currency)} (${change} against no policy)`;
  return `With ${label} it would cost ${cost}, because the cache stays warm`;
}

function cacheEffect({ requests, rewrites, paidAgain }: SimulationFacts['totals']): string {
  if (rewrites === 0) return 'It changes no message that was already sent';
  const lost = paidAgain === 0 ? 'no cached token is' : `${plural(paidAgain, 'cached token')} are`;
  return `It changes already sent messages in ${grouped(rewrites)} of ${plural(requests, 'request')}; ${lost} lost`;
}

const COUNTED = {
  recorded: 'with tokens fitted to recorded usage',
  exact: "counted with the model's own tokenizer",
  estimated: 'with estimated tokens',
} as const;

function requestsText(requests: number, source: Basis['tokensSource']): string {
  return `${plural(requests, 'request')} ${COUNTED[source]}`;
}

function assumptions(requests: string, caches: readonly CacheModel[]): string {
  const cache = caches.length === 0 ? 'no cache' : caches.map(({ title }) => title).join(' and ');
  return `Assumptions: ${requests}; the recorded replies; ${cache}.`;
}

/** Which policy of a sweep to use. */
export function sweepAdvice(facts: SweepFacts, currency?: Currency): string {
  const { outcomes, budget, transcripts, caches, tokensSource } = facts;
  const requests = requestsText(outcomes[0]!.totals.requests, tokensSource);
  const assumed = assumptions(`${requests} in ${plural(transcripts.length, 'transcript')}`, caches);
  const short = shortPoliciesText(outcomes);
  const choice = budget === undefined ? choiceText(facts, currency) : budgetText(facts, currency);
  return `${choice}. ${short === undefined ? '' : `${short}. `}${assumed}`;
}

/** Which policies of a sweep left prompts above their budget, the first ones by name. */
export function shortPoliciesText(outcomes: readonly Outcome[]): string | undefined {
  const short = outcomes.filter(({ shortfalls }) => shortfalls.length > 0);
  if (short.length === 0) return undefined;
  const named = short
    .slice(0, NAMED)
    .map(({ label, shortfalls }) => `${label}: ${shortfalls.map(shortfallText).join('; ')}`);
  const more = short.length - NAMED;
  return [...named, ...(more > 0 ? [`and so with ${grouped(more)} more of ${outcomes.length - 1}`] : [])].join('; ');
}

const NAMED = 3;

function choiceText(
  { outcomes, cheapest, recommended, sparesTurn }: SweepFacts,
  currency: Currency | undefined,
): string {
  const unchanged = outcomes[0]!;
  const without = fineCost(unchanged.totals.with.cost, currency);
  if (recommended !== undefined) {
    const range = rangeText(recommended.verdict, unchanged.totals.with.cost!);
    const saves = `saves ${fineCost(recommended.verdict.saved, currency)} (${range}) of ${without}`;
    const keeps = `keeps ${keptText(recommended.totals)} of the results`;
    if (recommended === cheapest) return `Use ${recommended.label}: it ${saves}, and ${keeps}`;
    const most = `No policy that saves half as much as the cheapest keeps more`;
    return `Use ${recommended.label}: it ${saves}, and ${keeps}. ${most}`;
  }
  if (unchanged.totals.with.cost === undefined) return 'No recommendation: the cost is unknown';
  if (outcomes.every(({ totals }) => isUnchanged(totals)))
    return `No policy changes a request${sparesTurn ? TURN : ''}`;
  if (cheapest === unchanged) return `Keep the context unchanged: every policy costs at least ${without}`;
  return `No recommendation: ${whyNone(outcomes, cheapest)}`;
}

function whyNone(outcomes: readonly Outcome[], { label, totals, verdict }: Outcome): string {
  if (verdict.kind === 'unpriced') return 'the cost of some requests is unknown';
  if (verdict.kind === 'inexact' || verdict.kind === 'unsure')
    return `the cheapest, ${label}, saves ${rangeText(verdict, outcomes[0]!.totals.with.cost!)}, ${doubtText(verdict)}`;
  return `${label} is the cheapest, but it keeps ${keptText(totals)} of the results, and none of the history`;
}

function budgetText({ budget, within, cheapest }: SweepFacts, currency: Currency | undefined): string {
  const described = ({ label, totals }: Outcome) =>
    `${label} (${fineCost(totals.with.cost, currency)}, keeps ${keptText(totals)} of the results)`;
  return within === undefined
    ? `Every policy costs more than ${fineCost(budget, currency)}; the cheapest is ${described(cheapest)}`
    : `Within ${fineCost(budget, currency)}, the most results are kept by ${described(within)}`;
}

interface SeveralBasis extends Basis {
  readonly transcripts: readonly Pick<TranscriptOrigin, 'model'>[];
}

/** `3,558 input tokens, $0.0115`, and below that the kinds of input if a cache is used. */
export function sideText({ usage, cost }: Side, { tokensSource }: Basis, currency: Currency, indent: number): SafeText {
  const input = safe`${estimateMark(tokensSource)}${shortCount(promptTokens(usage))} input tokens`;
  const [read, write] = [shortCount(usage.cacheRead), shortCount(cacheWriteOf(usage))];
  const parts = safe`${shortCount(usage.input)} uncached, ${read} cache read, ${write} cache write`;
  const total = safe`${input}, ${fineCost(cost, currency)}`;
  return promptTokens(usage) === usage.input ? total : safe`${total}\n${spaces(indent)}(${parts})`;
}

/** The caches with their sources, and how far the simulation is off what was recorded. */
export function basisLines({ caches, prediction, tokensSource, transcripts }: SeveralBasis): SafeText[] {
  const models = new Set(transcripts.map(({ model }) => model));
  const estimated = models.size === 1 ? models : new Set<undefined>();
  return [
    ...caches.flatMap(({ title, lifetime, caveat, source, date }) =>
      paragraph(
        `${title}, ${grouped(lifetime)} s: ${source}, read ${date}${caveat === undefined ? '' : `; ${caveat}`}`,
      ),
    ),
    ...(prediction === undefined ? [] : paragraph(predictionText(prediction))),
    ...(tokensSource === 'estimated' ? paragraph(estimatesNote(estimated)) : []),
  ];
}

function predictionText(prediction: Prediction): string {
  const { requests, predictedCost, recordedCost } = prediction;
  const { cost, tokens, largest } = errorOf(prediction)!;
  const paid =
    cost === undefined || predictedCost === undefined || recordedCost === undefined
      ? ''
      : `cost ${fineCost(predictedCost)} replayed, ${fineCost(recordedCost)} recorded (error ${percent(cost)}); `;
  const checked = `checked against ${plural(requests, 'recorded request')}`;
  return `${checked}: ${paid}prompts off by ${percent(tokens)}; costs with a policy are within ±${percent(largest)}`;
}

export function lines(texts: readonly SafeText[]): SafeText {
  return joined([...texts, safe``], '\n');
}
