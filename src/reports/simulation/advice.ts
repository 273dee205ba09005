/** What a simulation means in a few sentences: what to do, and what the figures are based on. */
import { joined, type SafeText, safe, spaces } from '../../safe/text.js';
import type { CacheModel } from '../../simulation/caches.js';
import type { Basis, SimulationFacts, SweepFacts } from '../../simulation/facts.js';
import type { Prediction, Side } from '../../simulation/simulate.js';
import type { Outcome } from '../../simulation/sweep.js';
import type { Currency } from '../../text/money.js';
import { changeText, grouped, percent, plural, shortCount, wrapped } from '../../text/words.js';
import { promptTokens } from '../../transcript/usage.js';
import { SEVERAL_ESTIMATED } from '../estimates.js';
import { cacheWriteOf, estimateMark, fineCost, keptText, percentOf } from './figures.js';

const WIDTH = 80;

/** A paragraph on lines of at most 80 columns. */
export function paragraph(text: string): SafeText[] {
  return wrapped(text, WIDTH);
}

/** Whether to use the policy, and what it does to the prompt cache. */
export function adviceOf(
  { policy, totals, caches, tokensSource }: Pick<SimulationFacts, 'policy' | 'totals' | 'caches' | 'tokensSource'>,
  currency?: Currency,
): string {
  const { without, with: sent, requests } = totals;
  const assumed = assumptions(requestsText(requests, tokensSource), caches);
  if (policy === '')
    return without.cost === undefined
      ? `The cost of ${plural(requests, 'request')} is unknown. ${assumed}`
      : `Without a policy, ${plural(requests, 'request')} cost ${fineCost(without.cost, currency)}. ${assumed}`;
  return `${verdictOf(without, sent, currency)}. ${cacheEffect(totals)}. ${assumed}`;
}

function verdictOf(without: Side, sent: Side, currency: Currency | undefined): string {
  if (without.cost === undefined || sent.cost === undefined) {
    const [before, after] = [promptTokens(without.usage), promptTokens(sent.usage)];
    const change = changeText(before, after);
    const sends = `${plural(after, 'input token')} instead of ${grouped(before)}${change}`;
    return `The policy sends ${sends}; the cost is unknown`;
  }
  const saved = without.cost - sent.cost;
  if (saved === 0n) return 'The policy does not change the cost';
  return saved > 0n
    ? `Recommended: saves ${fineCost(saved, currency)} (${percentOf(saved, without.cost)})`
    : `Not recommended: costs ${fineCost(-saved, currency)} (${percentOf(-saved, without.cost)}) more`;
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
export function sweepAdvice(
  { outcomes, cheapest, budget, within, transcripts, caches, tokensSource }: SweepFacts,
  currency?: Currency,
): string {
  const unchanged = outcomes[0]!;
  const requests = requestsText(unchanged.totals.requests, tokensSource);
  const assumed = assumptions(`${requests} in ${plural(transcripts.length, 'transcript')}`, caches);
  const costOf = ({ totals }: Outcome) => fineCost(totals.with.cost, currency);
  const described = (outcome: Outcome) =>
    `${outcome.label} (${costOf(outcome)}, keeps ${keptText(outcome.totals)} of the results)`;
  if (budget !== undefined)
    return within === undefined
      ? `Every policy costs more than ${fineCost(budget, currency)}; the cheapest is ${described(cheapest)}. ${assumed}`
      : `Within ${fineCost(budget, currency)}, the most results are kept by ${described(within)}. ${assumed}`;
  return cheapest === unchanged
    ? `Keep the context unchanged: every policy costs at least ${costOf(unchanged)}. ${assumed}`
    : `Use ${described(cheapest)}: the lowest cost, against ${costOf(unchanged)} without a policy. ${assumed}`;
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
export function basisLines({ caches, prediction, tokensSource }: Basis): SafeText[] {
  return [
    ...caches.flatMap(({ title, lifetime, caveat, source, date }) =>
      paragraph(
        `${title}, ${grouped(lifetime)} s: ${source}, read ${date}${caveat === undefined ? '' : `; ${caveat}`}`,
      ),
    ),
    ...(prediction === undefined ? [] : paragraph(predictionText(prediction))),
    ...(tokensSource === 'estimated' ? paragraph(SEVERAL_ESTIMATED) : []),
  ];
}

function predictionText(prediction: Prediction): string {
  const { requests, predicted, recorded, prompt, off, predictedCost, recordedCost } = prediction;
  const error = percent(prompt === 0 ? 0 : off / prompt);
  const cost =
    predictedCost === undefined || recordedCost === undefined
      ? ''
      : `; cost ${fineCost(predictedCost)} predicted, ${fineCost(recordedCost)} recorded`;
  const read = `${shortCount(predicted)} predicted, ${shortCount(recorded)} recorded`;
  const checked = `checked against ${plural(requests, 'recorded request')}`;
  return `${checked}: cache read ${read}; error ${error} of the input${cost}`;
}

export function lines(texts: readonly SafeText[]): SafeText {
  return joined([...texts, safe``], '\n');
}
