/** Prints statistics in each output format of `stats`. */

import { chosen, GROUP_SORTS, MESSAGE_SORTS, SHARE_SORTS } from '../../app/stats/order.js';
import type { Terminal } from '../../io/terminal.js';
import { addAll } from '../../lists.js';
import { byCost, carriedByTool, carriedColumns, carriedToolColumns } from '../../reports/carried.js';
import type { TableStyle } from '../../reports/report.js';
import { type Column, renderCsv, renderMarkdown, renderTable } from '../../reports/rows.js';
import { closingText, messageColumns, paidClosing, statsClosing, statsSection } from '../../reports/stats.js';
import { createStatsJson } from '../../reports/stats-json.js';
import { groupColumns, shareColumns } from '../../reports/stats-rows.js';
import { USAGE_COLUMNS, usageRows } from '../../reports/usage-rows.js';
import { joined, type SafeText, safe, sliced } from '../../safe/text.js';
import type { AuditFacts, Settled } from '../../stats/audit.js';
import type { Calibration } from '../../stats/calibrate.js';
import type { Carried } from '../../stats/carried.js';
import type { MessageFacts, TranscriptFacts } from '../../stats/facts.js';
import { sharesBy } from '../../stats/shares.js';
import type { Currency } from '../../text/money.js';
import { tableStyleFor } from '../shared/colors.js';
import type { StatsOptions } from './options.js';

export interface View {
  /** Called when the figures of a transcript are final. */
  readonly settled?: Settled;
  /** Prints the totals. */
  end(facts: AuditFacts, calibrations: readonly Calibration[]): void;
}

/** Prints each transcript as soon as its figures are final. */
export async function createView(options: StatsOptions, currency: Currency, terminal: Terminal): Promise<View> {
  const { by, tools, format } = options;
  const out = createBuffer(terminal.stdout);
  if (format === 'json') return jsonView(options, out);
  const isByMessage = by === 'message' && tools !== true;
  if (format !== 'table') {
    if (isByMessage) return format === 'csv' ? messageCsv(options, out) : messageMarkdown(options, out);
    const render = tools === true ? renderCarriedRows : renderGroupRows;
    return { end: (facts) => void terminal.stdout.write(render(facts, options, currency)) };
  }
  const look = { style: await tableStyleFor(terminal.stdout, terminal, options.color), currency };
  if (isByMessage) return messageTables(options, look, out);
  const render = tools === true ? renderCarriedTables : renderGroupTable;
  return { end: (facts) => void terminal.stdout.write(render(facts, options, look)) };
}

interface Look {
  readonly style: TableStyle;
  readonly currency: Currency;
}

function jsonView(options: StatsOptions, out: Buffered): View {
  const { by, tools, calibrate: calibrates } = options;
  const carries = tools === true;
  const json = createStatsJson();
  return {
    settled: (transcript, requests, carried) =>
      out.write(json.transcript(transcript, requests, carries ? carried : undefined)),
    end(facts, calibrations) {
      out.write(
        json.end(facts, {
          rows: by === 'message' ? undefined : usageRows(facts, options),
          carries,
          calibrations: calibrates === true ? calibrations : undefined,
        }),
      );
      out.flush();
    },
  };
}

type MessageRow = MessageFacts & { readonly of: TranscriptFacts };

const PLACE: readonly Column<MessageRow>[] = [
  { title: 'file', text: ({ of }) => of.file },
  { title: 'line', text: ({ of }) => String(of.line) },
  { title: 'id', text: ({ of }) => of.id ?? '' },
  { title: 'model', text: ({ of }) => of.model ?? '' },
];

const messageRows = (transcript: TranscriptFacts, options: StatsOptions) =>
  chosen(transcript.messages, options, MESSAGE_SORTS);
const placedRows = (of: TranscriptFacts, options: StatsOptions) =>
  messageRows(of, options).map((message): MessageRow => ({ ...message, of }));

function messageTables(options: StatsOptions, { style, currency }: Look, out: Buffered): View {
  let separator = safe``;
  return {
    settled(transcript, requests) {
      const section = statsSection({ transcript, rows: messageRows(transcript, options), requests }, style, currency);
      out.write(safe`${separator}${section}`);
      separator = safe`\n`;
    },
    end(facts) {
      out.write(statsClosing(facts, style, currency));
      out.flush();
    },
  };
}

function messageCsv(options: StatsOptions, out: Buffered): View {
  const columns = [
    ...PLACE,
    ...messageColumns('exact'),
    { title: 'tokens_source', text: ({ of }: MessageRow) => of.totals.tokensSource },
  ];
  let skipped = 0; // the heading is written once
  return {
    settled(transcript) {
      out.write(sliced(renderCsv(columns, placedRows(transcript, options)), skipped));
      skipped = renderCsv(columns, []).length;
    },
    end: () => out.flush(),
  };
}

function messageMarkdown(options: StatsOptions, out: Buffered): View {
  const rows: MessageRow[] = [];
  return {
    settled: (transcript) => addAll(rows, placedRows(transcript, options)),
    end(facts) {
      out.write(renderMarkdown<MessageRow>([PLACE[0]!, ...messageColumns(facts.totals.tokensSource)], rows));
      out.flush();
    },
  };
}

/** Renders the rows of `--by`: shares of roles or tools, or groups of requests. */
function renderRows(
  facts: AuditFacts,
  options: StatsOptions,
  currency: Currency,
  render: <Row>(columns: readonly Column<Row>[], rows: readonly Row[]) => SafeText,
): SafeText {
  const { by } = options;
  if (by === 'role' || by === 'tool') {
    const shares = chosen(sharesBy(facts, by), options, SHARE_SORTS);
    return render(shareColumns(by, facts.totals.tokensSource), shares);
  }
  const groups = chosen(facts.groups, options, GROUP_SORTS);
  return render(groupColumns(by, groups, currency), groups);
}

function renderGroupTable(facts: AuditFacts, options: StatsOptions, { style, currency }: Look): SafeText {
  const table = renderRows(facts, options, currency, (columns, rows) => renderTable(columns, rows, style));
  return safe`${table}${(options.recorded === true ? paidClosing : closingText)(facts, style, currency)}`;
}

function renderGroupRows(facts: AuditFacts, options: StatsOptions, currency: Currency): SafeText {
  return options.format === 'csv'
    ? renderCsv(USAGE_COLUMNS, usageRows(facts, options))
    : renderRows(facts, options, currency, renderMarkdown);
}

interface Buffered {
  write(text: SafeText): void;
  flush(): void;
}

/** Size at which buffered text is written. */
const BUFFERED = 1 << 16;

function createBuffer(stream: Terminal['stdout']): Buffered {
  let texts: SafeText[] = [];
  let length = 0;
  const flush = () => {
    if (length > 0) stream.write(joined(texts, ''));
    texts = [];
    length = 0;
  };
  return {
    write(text) {
      texts.push(text);
      length += text.length;
      if (length >= BUFFERED) flush();
    },
    flush,
  };
}

const RESULTS_SHOWN = 10;

function renderCarriedTables(facts: AuditFacts, { top }: StatsOptions, { style, currency }: Look): SafeText {
  const source = facts.totals.tokensSource;
  const tools = renderTable(carriedToolColumns(source, currency), carriedByTool(facts.carried, facts.paid), style);
  const results = renderTable(carriedColumns(source, currency), mostExpensive(facts, top ?? RESULTS_SHOWN), style);
  const heading = style.bold(safe`most expensive tool results`);
  return safe`${tools}\n${heading}\n${results}${closingText(facts, style, currency)}`;
}

function renderCarriedRows(facts: AuditFacts, { format, top }: StatsOptions, currency: Currency): SafeText {
  const source = facts.totals.tokensSource;
  const columns = carriedColumns(source, currency);
  if (format === 'csv') return renderCsv(columns, mostExpensive(facts, top));
  const tools = renderMarkdown(carriedToolColumns(source, currency), carriedByTool(facts.carried, facts.paid));
  return safe`${tools}\n${renderMarkdown(columns, mostExpensive(facts, top ?? RESULTS_SHOWN))}`;
}

function mostExpensive({ carried }: AuditFacts, most: number | undefined): Carried[] {
  return [...carried].sort(byCost).slice(0, most);
}
