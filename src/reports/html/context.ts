/** How the context of a session grew, request by request. */
import type { ReportSession } from '../../engine/report/sessions.js';
import { greatest } from '../../lists.js';
import { CONTEXT_KINDS, type ContextKind } from '../../measure/simulation/context-tokens.js';
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import { plural, shortCount } from '../../text/words.js';
import { promptTokens } from '../../transcript/usage.js';
import { countTick, legend, type Series, stackedChart } from './charts.js';
import type { Column } from './columns.js';
import { NOTHING, type SessionLook } from './page.js';
import { besideChart, type HtmlColumn, tableOf } from './tables.js';
import { timeOf } from './times.js';

const KIND_TITLES: Readonly<Record<ContextKind, string>> = {
  unrecorded: 'not in the recording',
  tools: 'tool definitions',
  system: 'system prompt',
  user: 'user',
  assistant: 'assistant',
  calls: 'tool calls',
  results: 'tool results',
};

const CACHE_KINDS = [
  ['read', 'read from cache'],
  ['written', 'written to cache'],
  ['new', 'new'],
] as const;

/** How the context grew. */
export function contextHtml(session: ReportSession, columns: readonly Column[], { prefix }: SessionLook): HtmlText {
  const kinds = CONTEXT_KINDS.map(
    (kind): Series => ({
      id: htmlText(kind),
      title: KIND_TITLES[kind],
      values: columns.map(({ longest }) => longest.context[kind]),
    }),
  ).filter(({ values }) => values.some((value) => value > 0));
  const usages = columns.map(({ longest: { usage } }) => usage);
  const caches: Series[] = CACHE_KINDS.map(([kind, title]) => ({
    id: htmlText(kind),
    title,
    values: usages.map((usage) => {
      if (kind === 'read') return usage.cacheRead;
      return kind === 'written' ? usage.cacheWrite5m + usage.cacheWrite1h : usage.input;
    }),
  })).filter(({ values }) => values.some((value) => value > 0));
  const prompts = usages.map(promptTokens);
  const count = plural(session.requests.length, 'request');
  const summary = `${count}, the longest prompt has ${shortCount(greatest(prompts))} tokens`;
  const look = {
    summary,
    ends: endsOf(columns),
    tick: countTick,
    marked: columns.map(({ misses }) => misses.length > 0),
  };
  const byKind = stackedChart(kinds, { ...look, title: 'Tokens of each request by role' });
  const byCache = stackedChart(caches, { ...look, title: 'Tokens of each request by cache' });
  const name = html`${prefix}view`;
  const marks = look.marked.some(Boolean)
    ? html`<p class="hint"><i class="k k-mark"></i>marks a cache miss.</p>`
    : NOTHING;
  return html`<p class="lead">${htmlText(`${summary}.`)}</p>
<fieldset class="views"><legend>What a prompt consists of</legend>
<label><input type="radio" name="${name}" class="v1" checked> by role</label>
<label><input type="radio" name="${name}" class="v2"> by cache</label>
<div class="view view1">${byKind}${legend(kinds)}</div>
<div class="view view2">${byCache}${legend(caches)}</div></fieldset>${marks}
${besideChart(contextTable(columns, kinds, caches, prefix))}`;
}

function contextTable(
  columns: readonly Column[],
  kinds: readonly Series[],
  caches: readonly Series[],
  prefix: HtmlText,
): HtmlText {
  const at = columns.map((column, index) => ({ column, index }));
  type Point = (typeof at)[number];
  const series = [...kinds, ...caches].map(
    ({ title, values }): HtmlColumn<Point> => ({
      title,
      isNumber: true,
      cell: ({ index }) => htmlText(shortCount(values[index]!)),
    }),
  );
  return tableOf<Point>(
    [
      { title: 'request', cell: ({ column }) => requestLink(column, prefix) },
      {
        title: 'prompt',
        isNumber: true,
        cell: ({ column }) => htmlText(shortCount(promptTokens(column.longest.usage))),
      },
      ...series,
    ],
    at,
    {
      caption: columns.some(isSeveral)
        ? html`Tokens of each request; of several, those of the longest prompt`
        : html`Tokens of each request`,
      kind: 'data',
    },
  );
}

const isSeveral = ({ first, last }: Column) => last > first;

/** A link to the reply of a request. */
export function requestLink({ first, last, longest }: Column, prefix: HtmlText): HtmlText {
  const name = first === last ? html`${first}` : html`${first}–${last}`;
  return html`<a href="#${prefix}m${longest.message}">${name}</a>`;
}

/** What is at the ends of a chart of requests. */
export function endsOf(columns: readonly Column[]): readonly [HtmlText, HtmlText] {
  const [first, last] = [columns[0]!, columns.at(-1)!];
  const time = ({ longest }: Column) => (longest.time === undefined ? NOTHING : html`, ${timeOf(longest.time)}`);
  return [
    html`request ${first.first}${time(first)}`,
    last === first ? NOTHING : html`request ${last.last}${time(last)}`,
  ];
}
