/** What a reader should know first: what it cost and how sure that is, where the money went, and what to do. */
import { toNumber } from '../../decimals.js';
import type { ReportFacts } from '../../engine/report/report.js';
import type { WholeSession } from '../../engine/report/sessions.js';
import { carriedByTool } from '../../engine/stats/carried-by-tool.js';
import type { Finding } from '../../findings.js';
import type { SimulationFacts } from '../../measure/simulation/facts.js';
import type { CacheMiss } from '../../measure/stats/cache-figures.js';
import type { Carried } from '../../measure/stats/carried.js';
import { groupBy } from '../../measure/stats/groups.js';
import type { RequestSum } from '../../measure/stats/request-sum.js';
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import { costInRow, paidText, percent, plural } from '../../text/words.js';
import { CAUSES } from '../cache-causes.js';
import { costChange } from '../simulation/figures.js';
import { concat, NOTHING, type Page } from './page.js';
import { weekSentence } from './week.js';

/** What the headline of a session or of several is made of. */
interface HeadlineFacts {
  readonly paid: RequestSum;
  readonly carried: readonly Carried[];
  readonly misses: readonly CacheMiss[];
  readonly findings: readonly Finding[];
  readonly tokensSource: 'exact' | 'estimated';
}

/** Less than this share of the bill is not worth a sentence. */
const LEAST_SHARE = 0.05;

/** Without `policies` it says nothing of policies: on a page of several sessions, they stand above. */
export function sessionHeadline(
  session: WholeSession,
  policies: readonly SimulationFacts[] | undefined,
  page: Page,
): HtmlText {
  return headline(session, policies, page);
}

export function auditHeadline(all: ReportFacts, page: Page): HtmlText {
  const { stats, sessions, findings, policies } = all;
  const { paid, carried, totals } = stats;
  const misses = sessions.flatMap((session) => session.misses);
  const facts = { paid, carried, misses, findings, tokensSource: totals.tokensSource };
  return headline(facts, policies, page, weekSentence(all));
}

function headline(
  facts: HeadlineFacts,
  policies: readonly SimulationFacts[] | undefined,
  page: Page,
  trend = NOTHING,
): HtmlText {
  const sentences = [
    costOf(facts),
    trend,
    resultsOf(facts, page),
    missesOf(facts),
    policies === undefined ? NOTHING : policyOf(facts, policies, page),
    problemsOf(facts),
  ].filter((sentence) => sentence !== NOTHING);
  return html`<ul class="headline">${concat(sentences.map((sentence) => html`<li>${sentence}</li>`))}</ul>`;
}

/** How sure: what the recording states is exact, what was counted without it is not. */
function costOf({ paid, tokensSource }: HeadlineFacts): HtmlText {
  const { requests, unpriced, isRecorded } = paid;
  if (requests === 0) return NOTHING;
  const count = htmlText(plural(requests, 'request'));
  if (unpriced === requests) return html`The cost of ${count} is <b>unknown</b>: no price is known for the model.`;
  const isExact = (isRecorded ? paid.tokensSource : tokensSource) === 'exact';
  const counted = html`by ${isExact ? html`counted` : html`estimated`} tokens, as if there were no cache`;
  const recorded = html`by their recorded usage`;
  const partly = html`${recorded}, and where they have none ${counted}`;
  const source = isRecorded ? (paid.tokensSource === 'recorded' ? recorded : partly) : counted;
  const rest = unpriced === 0 ? NOTHING : html`; ${htmlText(plural(unpriced, 'request'))} without a known price`;
  const least = unpriced === 0 ? NOTHING : html`at least `;
  const cost = htmlText(paidText({ ...paid, cost: paid.knownCost }));
  return html`${count} cost ${least}<b>${cost}</b>, ${source}${rest}.`;
}

function resultsOf({ carried, paid, tokensSource }: HeadlineFacts, page: Page): HtmlText {
  const [first] = carriedByTool(carried, paid);
  if (first === undefined || first.share < LEAST_SHARE) return NOTHING;
  const cost = first.cost === undefined ? NOTHING : html` (${htmlText(costInRow(first.cost, tokensSource))})`;
  const tool = html`<code>${page.text(first.tool)}</code>`;
  const share = html`<b>${htmlText(percent(first.share))}</b>${cost}`;
  return html`${share} went for results of ${tool}, which every later request sends again.`;
}

function missesOf({ misses, paid }: HeadlineFacts): HtmlText {
  const known = misses.filter(({ cost }) => cost !== undefined);
  const cost = known.reduce((sum, miss) => sum + miss.cost!, 0n);
  const share = paid.cost === undefined || paid.cost === 0n ? 0 : toNumber(cost) / toNumber(paid.cost);
  if (share < LEAST_SHARE) return NOTHING;
  const byCause = [...groupBy(known, ({ cause }) => cause)].map(([cause, own]) => ({
    cause,
    cost: own.reduce((sum, miss) => sum + miss.cost!, 0n),
  }));
  const { cause } = byCause.reduce((most, next) => (next.cost > most.cost ? next : most));
  const { title } = CAUSES[cause];
  const paidAgain = html`<b>${htmlText(percent(share))}</b> (${htmlText(costInRow(cost, 'exact'))})`;
  const count = htmlText(plural(misses.length, 'request'));
  return html`${paidAgain} went for ${count} that missed the cache; the main cause: ${htmlText(title)}.`;
}

/** The policy that saves most, or how to see what one would save. */
function policyOf({ carried, paid }: HeadlineFacts, policies: readonly SimulationFacts[], page: Page): HtmlText {
  const [best] = policies
    .filter(({ verdict }) => verdict.kind === 'saves')
    .sort((a, b) => ((a.verdict.saved ?? 0n) < (b.verdict.saved ?? 0n) ? 1 : -1));
  if (best !== undefined) {
    const { without, with: sent } = best.totals;
    const change = htmlText(costChange(without.cost!, sent.cost!));
    const saved = html`<b>${htmlText(costInRow(best.verdict.saved, 'exact'))}</b> (${change})`;
    const all = htmlText(costInRow(without.cost, 'exact'));
    const policy = html`<code>${page.text(best.policy)}</code>`;
    return html`${policy} would have saved ${saved} of ${all} in a replay of these requests.`;
  }
  const isLarge = carriedByTool(carried, paid).reduce((sum, { share }) => sum + share, 0) >= 2 * LEAST_SHARE;
  if (policies.length > 0) return html`In a replay of these requests, none of the policies would have saved anything.`;
  if (!isLarge) return NOTHING;
  const option = html`<code>--policy clear:trigger=0,keep=10,every=auto</code>`;
  return html`With ${option}, this page shows what clearing old results would have saved.`;
}

function problemsOf({ findings }: HeadlineFacts): HtmlText {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  if (errors === 0) return NOTHING;
  const count = html`<b>${htmlText(plural(errors, 'error'))}</b> for which a provider would refuse a request`;
  return html`${count}; <code class="whole">ctx-trim check --fix --diff</code> shows the repair.`;
}
