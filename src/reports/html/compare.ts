/** Two sessions side by side, in the order in which they were named. */
import { toNumber } from '../../decimals.js';
import type { WholeSession } from '../../engine/report/sessions.js';
import { carriedByTool } from '../../engine/stats/carried-by-tool.js';
import { greatest } from '../../lists.js';
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import { formatMoneyInRow } from '../../text/money.js';
import { costInRow, paidText, percent, plural, shortCount } from '../../text/words.js';
import { promptTokens } from '../../transcript/usage.js';
import { countTick, dollarTick, legend, lineChart, type Series } from './charts.js';
import { columnsOf } from './columns.js';
import { NOTHING, type Page } from './page.js';
import { sessionTitle } from './session.js';
import { nameText, tableOf } from './tables.js';

interface Row {
  readonly title: HtmlText;
  /** Of each session. */
  readonly texts: readonly HtmlText[];
  readonly change: HtmlText;
}

type Pair = readonly [WholeSession, WholeSession];

/** Nothing unless there are two sessions. */
export function comparisonHtml(sessions: readonly WholeSession[], page: Page): HtmlText {
  const [first, second] = sessions;
  if (sessions.length !== 2 || first === undefined || second === undefined) return NOTHING;
  const names = [first, second].map(
    ({ main }, index) => html`<b>${LETTERS[index]!}</b> ${sessionTitle(main, page).title}`,
  );
  const table = tableOf<Row>(
    [
      { title: 'figure', isName: true, cell: ({ title }) => title },
      { title: 'A', isNumber: true, cell: ({ texts }) => texts[0]! },
      { title: 'B', isNumber: true, cell: ({ texts }) => texts[1]! },
      { title: 'A to B', isNumber: true, cell: ({ change }) => change },
    ],
    [...figureRows([first, second]), ...toolRows([first, second], page)],
    { caption: html`Both sessions, their sub-agents included` },
  );
  const lead = html`<p class="lead">${names[0]!}<br>${names[1]!}</p>`;
  return html`${lead}${table}<div class="pair">${charts([first, second])}</div>`;
}

const LETTERS = [html`A`, html`B`] as const;

function figureRows(pair: Pair): Row[] {
  const costs = pair.map(({ paid }) => paid.cost);
  const row = (title: string, values: readonly number[]): Row => ({
    title: htmlText(title),
    texts: values.map((value) => htmlText(shortCount(value))),
    change: changeOf(values),
  });
  const input = pair.map(({ paid }) => promptTokens(paid.usage));
  const cached = pair.map(({ paid }, index) => (input[index] === 0 ? 0 : paid.usage.cacheRead / input[index]!));
  return [
    {
      title: html`cost`,
      texts: pair.map(({ paid }) => htmlText(paidText(paid))),
      change: costs.includes(undefined) ? NOTHING : changeOf(costs.map((cost) => toNumber(cost!))),
    },
    row(
      'requests',
      pair.map(({ paid }) => paid.requests),
    ),
    row('input tokens', input),
    { title: html`from cache`, texts: cached.map((share) => htmlText(percent(share))), change: NOTHING },
    row(
      'output tokens',
      pair.map(({ paid }) => paid.usage.output),
    ),
    row('longest prompt', pair.map(longestPrompt)),
    row(
      'messages',
      pair.map(({ messages }) => messages),
    ),
    row(
      'tool calls',
      pair.map(({ toolCalls }) => toolCalls),
    ),
    row(
      'cache misses',
      pair.map(({ misses }) => misses.length),
    ),
    row(
      'problems',
      pair.map(({ findings }) => findings.length),
    ),
  ];
}

function longestPrompt({ main, subagents }: WholeSession): number {
  const requests = [main, ...subagents].flatMap((session) => session.requests);
  return greatest(
    requests.map(({ usage }) => promptTokens(usage)),
    0,
  );
}

const MOST_TOOLS = 5;

/** What the results of the tools cost that cost most. */
function toolRows(pair: Pair, page: Page): Row[] {
  const tools = pair.map(({ carried, paid }) => carriedByTool(carried, paid));
  const names = new Set(tools.flatMap((own) => own.slice(0, MOST_TOOLS).map(({ tool }) => tool)));
  return [...names].map((name): Row => {
    const found = tools.map((own) => own.find(({ tool }) => tool === name));
    const costs = found.map((tool) => (tool === undefined ? 0n : tool.cost));
    return {
      title: nameText(page.plain(`results of ${name}`)),
      texts: costs.map((cost, index) => htmlText(costInRow(cost, pair[index]!.tokensSource))),
      change: costs.includes(undefined) ? NOTHING : changeOf(costs.map((cost) => toNumber(cost!))),
    };
  });
}

/** `+12 %`; nothing without a first value. */
function changeOf([from = 0, to = 0]: readonly number[]): HtmlText {
  if (from === to) return html`same`;
  if (from === 0) return html`new`;
  const share = Math.round(((to - from) / from) * 100);
  return htmlText(`${share < 0 ? '\u2212' : '+'}${Math.abs(share)} %`);
}

function charts(pair: Pair): HtmlText {
  const columns = pair.map(({ main }) => columnsOf(main.requests));
  const longest = greatest(
    columns.map((own) => own.length),
    0,
  );
  if (longest < 2) return NOTHING;
  const series = (of: (column: (typeof columns)[number][number]) => number, note: (index: number) => HtmlText) =>
    columns.map(
      (own, index): Series => ({
        id: html`p${index + 1}`,
        title: index === 0 ? 'A' : 'B',
        values: own.map(of),
        note: note(index),
      }),
    );
  const isPriced = pair.every(({ main }) => main.requests.every(({ paid }) => paid !== undefined));
  const requests = pair.map(({ main }) => plural(main.requests.length, 'request')).join(' and ');
  const look = { summary: requests, ends: [html`first request`, html`last request`] as const };
  const costs = series(
    ({ costs: { paid } }) => toNumber(paid ?? 0n),
    (index) => htmlText(formatMoneyInRow(columns[index]!.at(-1)?.costs.paid ?? 0n)),
  );
  const prompts = series(
    ({ longest: { usage } }) => promptTokens(usage),
    (index) => html`${htmlText(shortCount(longestPrompt(pair[index]!)))} at most`,
  );
  const cost = isPriced
    ? html`<div>${lineChart(costs, { ...look, title: 'Cost up to each request', tick: dollarTick })}${legend(costs)}
<p class="hint">Cost up to each request.</p></div>`
    : NOTHING;
  const size = lineChart(prompts, { ...look, title: 'Tokens of each prompt', tick: countTick });
  return html`${cost}<div>${size}${legend(prompts)}<p class="hint">Tokens of each prompt.</p></div>`;
}
