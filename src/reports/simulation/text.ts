/** The lines above and below the tables of `simulate`. */

import type { SimulationFacts, TranscriptOrigin } from '../../measure/simulation/facts.js';
import { type SafeText, safe, shown } from '../../safe/text.js';
import { type Currency, rateLine } from '../../text/money.js';
import { fittedEnd, grouped, plural, shortCount } from '../../text/words.js';
import { promptTokens } from '../../transcript/usage.js';
import type { Style } from '../report.js';
import { adviceOf, basisLines, lines, paragraph, sideText } from './advice.js';
import { fineCost } from './figures.js';

const HEADING_WIDTH = 78;

export function headingOf({ file, line, id, format, model }: TranscriptOrigin, style: Style): SafeText {
  const name = style.name(fittedEnd(`${file}:${line}`, HEADING_WIDTH));
  const about = shown(`${format}, ${model ?? 'model not recorded (set --model)'}`);
  return safe`${name}${id === undefined ? safe`` : safe`  ${shown(id)}`}\n${style.dim(about)}`;
}

/** The totals without the policy and with it, what to do, and what the figures are based on. */
export function closingText(facts: SimulationFacts, style: Style, currency: Currency): SafeText {
  const { totals, policy } = facts;
  const side = (label: SafeText, which: 'without' | 'with') =>
    safe`${style.bold(label)}  ${sideText(totals[which], facts, currency, label.length + 2)}`;
  return lines([
    ...recordedLines(facts, currency).map(style.dim),
    side(safe`without`, 'without'),
    ...(policy === '' ? [] : [side(safe`with   `, 'with')]),
    ...paragraph(adviceOf(facts, currency)),
    ...[...basisLines(facts), ...rateLine(currency)].map(style.dim),
  ]);
}

/** What the recording says was paid, and the requests that cannot be replayed. */
function recordedLines({ recorded, totals }: SimulationFacts, currency: Currency): SafeText[] {
  if (recorded === undefined) return [];
  const input = `${shortCount(promptTokens(recorded.usage))} input tokens, ${fineCost(recorded.cost, currency)}`;
  const all = plural(recorded.requests, 'request');
  const note = recorded.requests > totals.requests ? ` in ${all}, ${grouped(totals.requests)} of them replayed` : '';
  return [shown(`recorded ${input}${note}`)];
}
