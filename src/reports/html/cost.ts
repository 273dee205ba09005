/** What a session cost up to each request. */

import { toNumber } from '../../decimals.js';
import type { ReportSession } from '../../engine/report/sessions.js';
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import type { SafeText } from '../../safe/text.js';
import { formatMoneyInRow, moneyColumn, USD } from '../../text/money.js';
import { dollarTick, legend, lineChart, type Series } from './charts.js';
import type { Column } from './columns.js';
import { endsOf, requestLink } from './context.js';
import { NOTHING, type SessionLook } from './page.js';
import { colorOf } from './policies.js';
import { besideChart, type HtmlColumn, tableOf } from './tables.js';

interface CostSeries extends Series {
  own(column: Column): bigint | undefined;
  /** The cost up to each column. */
  readonly upTo: readonly SafeText[];
}

/** The cost up to each request, recorded and with each policy. */
export function costHtml(session: ReportSession, columns: readonly Column[], { prefix }: SessionLook): HtmlText {
  const { policies, tokensSource } = session;
  const isRecorded = session.requests.every(({ paid }) => paid !== undefined);
  const mark = tokensSource === 'exact' ? NOTHING : html`~`;
  const seriesOf = (
    id: HtmlText,
    title: string,
    pick: (costs: Column['costs']) => bigint | undefined,
  ): CostSeries[] => {
    const last = pick(columns.at(-1)!.costs);
    if (last === undefined) return [];
    const amounts = columns.map(({ costs }) => pick(costs)!);
    const note = html`${id === RECORDED ? NOTHING : mark}${htmlText(formatMoneyInRow(last))}`;
    const upTo = amounts.map(moneyColumn(amounts, USD));
    return [{ id, title, values: amounts.map(toNumber), upTo, note, own: ({ own }) => pick(own) }];
  };
  const series = [
    ...(isRecorded ? seriesOf(RECORDED, 'recorded', ({ paid }) => paid) : []),
    ...(isRecorded && policies.length === 0
      ? []
      : seriesOf(html`without`, 'replayed without a policy', ({ without }) => without)),
    ...policies.flatMap(({ written }, index) =>
      seriesOf(html`p${colorOf(index + 1)}`, written, ({ with: sides }) => sides[index]),
    ),
  ];
  if (series.length === 0) return html`<p class="lead">The price of the model is not known.</p>`;
  const chart = lineChart(series, {
    title: 'Cost up to each request',
    summary: series.map(({ title, note }) => `${title} ${note}`).join(', '),
    ends: endsOf(columns),
    tick: dollarTick,
  });
  const rows = columns.map((column, index) => ({ column, index }));
  type Point = (typeof rows)[number];
  const table = tableOf<Point>(
    [
      { title: 'request', cell: ({ column }) => requestLink(column, prefix) },
      ...series.flatMap(({ title, own, upTo }): HtmlColumn<Point>[] => [
        { title, isNumber: true, cell: ({ column }) => htmlText(formatMoneyInRow(own(column) ?? 0n)) },
        { title: 'up to here', isNumber: true, cell: ({ index }) => htmlText(upTo[index]!) },
      ]),
    ],
    rows,
    { caption: html`Cost of each request`, kind: 'data' },
  );
  return html`<p class="lead">What the session cost up to each request.</p>${chart}${legend(series)}
${besideChart(table)}`;
}

const RECORDED = html`recorded`;
