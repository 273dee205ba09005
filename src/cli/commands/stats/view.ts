/** Prints statistics in each output format of `stats`. */

import { statsPrinter } from '../../../documents/stats.js';
import { byCost, carriedByTool, carriedWithTotal } from '../../../engine/stats/carried-by-tool.js';
import { chosenGroups, chosenMessages, chosenShares, type Rows } from '../../../engine/stats/order.js';
import { usageRows } from '../../../engine/stats/usage-rows.js';
import { addAll } from '../../../lists.js';
import type { AuditFacts, Settled } from '../../../measure/stats/audit.js';
import type { Calibration } from '../../../measure/stats/calibrate.js';
import type { Carried } from '../../../measure/stats/carried.js';
import type { MessageFacts, TranscriptFacts } from '../../../measure/stats/facts.js';
import { sharesBy } from '../../../measure/stats/shares.js';
import { carriedColumns, carriedToolColumns } from '../../../reports/carried.js';
import type { Style } from '../../../reports/report.js';
import { type Column, renderCsv, renderMarkdown, renderTable } from '../../../reports/rows.js';
import { closingText, messageColumns, paidClosing, statsClosing, statsSection } from '../../../reports/stats.js';
import { groupColumns, shareColumns, sharesWithTotal, withTotal } from '../../../reports/stats-rows.js';
import { USAGE_COLUMNS } from '../../../reports/usage-columns.js';
import { joined, type SafeText, safe, sliced } from '../../../safe/text.js';
import { type Currency, USD } from '../../../text/money.js';
import { paletteFor } from '../../outputs/colors.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { StatsOptions } from './options.js';
import { type Naming, ndjsonView, parquetView } from './request-rows.js';

export interface View {
  /** Called when the figures of a transcript are final. */
  readonly settled?: Settled;
  /** Prints the totals. */
  end(facts: AuditFacts, calibrations: readonly Calibration[]): void;
}

export type ViewOptions = Omit<StatsOptions, 'by'> & { readonly by: readonly Rows[] };

/** Prints each transcript as soon as its figures are final. */
export async function createView(
  options: ViewOptions,
  naming: Naming,
  currency: Currency,
  terminal: Terminal,
): Promise<View> {
  const { tools, format } = options;
  const out = createBuffer(terminal.stdout);
  if (format === 'json') return jsonView(options, out);
  if (format === 'ndjson') return ndjsonView(naming, out);
  if (format === 'parquet') return parquetView(naming, terminal);
  const write = (text: SafeText) => void terminal.stdout.write(text);
  const rows = rowKind(options);
  if (format === 'csv') {
    if (rows === 'messages') return messageCsv(options, out);
    return { end: (facts) => write(tools === true ? carriedCsv(facts, options) : groupCsv(facts, options)) };
  }
  if (format === 'markdown') {
    if (rows === 'messages') return messageMarkdown(options, out);
    const render = tools === true ? renderCarriedMarkdown : renderGroupMarkdown;
    const groups: View = { end: (facts) => write(render(facts, options, currency)) };
    return rows === 'groups' ? groups : oneOrMany(messageMarkdown(options, out), groups);
  }
  const { stdout } = terminal;
  const room = stdout.isTerminal ? stdout.columns : Number.POSITIVE_INFINITY;
  const look = { style: await paletteFor(stdout, terminal, options.color), currency, room };
  if (rows === 'messages') return messageTables(options, look, out);
  const render = tools === true ? renderCarriedTables : renderGroupTable;
  const groups: View = { end: (facts) => write(render(facts, options, look)) };
  return rows === 'groups' ? groups : oneOrMany(messageTables(options, look, out), groups);
}

/** Whether messages are listed, groups, or (`either`) the messages of one transcript, of several a row each. */
function rowKind({ by, tools, format, recorded }: ViewOptions): 'messages' | 'groups' | 'either' {
  if (tools === true) return 'groups';
  if (by[0] === 'message') return 'messages';
  if (by[0] !== 'transcript' || recorded === true) return 'groups';
  return format === 'csv' ? 'messages' : 'either';
}

/** `one` shows the messages of a single transcript, `many` shows several. */
function oneOrMany(one: View, many: View): View {
  let first: Parameters<Settled> | undefined;
  return {
    settled(...transcript) {
      first ??= transcript;
    },
    end(facts, calibrations) {
      if (facts.transcripts > 1) return many.end(facts, calibrations);
      if (first !== undefined) one.settled?.(...first);
      one.end(facts, calibrations);
    },
  };
}

interface Look {
  readonly style: Style;
  readonly currency: Currency;
  /** Columns of the terminal; Infinity if the output is none. */
  readonly room: number;
}

function jsonView(options: ViewOptions, out: Buffered): View {
  const { tools, top, calibrate: calibrates } = options;
  const carries = tools === true;
  const json = statsPrinter();
  return {
    settled: (transcript, requests, carried) =>
      out.write(json.transcript(transcript, requests, carries ? carried : undefined)),
    end(facts, calibrations) {
      const end = { top, carries, calibrations: calibrates === true ? calibrations : undefined };
      for (const text of json.end(facts, { ...end, rows: usageRows(facts, options) })) out.write(text);
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

const messageRows = (transcript: TranscriptFacts, options: ViewOptions) => chosenMessages(transcript.messages, options);
const placedRows = (of: TranscriptFacts, options: ViewOptions) =>
  messageRows(of, options).map((message): MessageRow => ({ ...message, of }));

function messageTables(options: ViewOptions, { style, currency }: Look, out: Buffered): View {
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

function messageCsv(options: ViewOptions, out: Buffered): View {
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

function messageMarkdown(options: ViewOptions, out: Buffered): View {
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
  options: ViewOptions,
  { currency, room }: Pick<Look, 'currency' | 'room'>,
  render: <Row>(columns: readonly Column<Row>[], rows: readonly Row[]) => SafeText,
): SafeText {
  const { by } = options;
  const [first] = by;
  if (first === 'role' || first === 'tool') {
    const all = sharesBy(facts, first);
    const rows = sharesWithTotal(chosenShares(all, options, first), all);
    return render(shareColumns(first, facts.totals.tokensSource), rows);
  }
  const rows = withTotal(by, chosenGroups(facts.groups, options), facts.groups);
  return render(groupColumns({ by, paid: facts.paid, currency, room }, rows), rows);
}

function renderGroupTable(facts: AuditFacts, options: ViewOptions, look: Look): SafeText {
  const { style, currency } = look;
  const table = renderRows(facts, options, look, (columns, rows) => renderTable(columns, rows, style));
  return safe`${table}${(options.recorded === true ? paidClosing : closingText)(facts, style, currency)}`;
}

function renderGroupMarkdown(facts: AuditFacts, options: ViewOptions, currency: Currency): SafeText {
  return renderRows(facts, options, { currency, room: Number.POSITIVE_INFINITY }, renderMarkdown);
}

/** Columns that only these rows have, so that programs find the others where they were. */
const LATER = ['branch', 'title'] as const;

function groupCsv(facts: AuditFacts, options: ViewOptions): SafeText {
  const absent: readonly string[] = LATER.filter((key) => !options.by.includes(key));
  const columns = USAGE_COLUMNS.filter(({ title }) => !absent.includes(title));
  return renderCsv(columns, usageRows(facts, options));
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

function renderCarriedTables(facts: AuditFacts, { top }: ViewOptions, { style, currency }: Look): SafeText {
  const source = facts.totals.tokensSource;
  const rows = carriedWithTotal(carriedByTool(facts.carried, facts.paid), top);
  const tools = renderTable(carriedToolColumns(source, rows, facts.paid, currency), rows, style);
  const most = mostExpensive(facts, top ?? RESULTS_SHOWN);
  const results = renderTable(carriedColumns(source, most, currency), most, style);
  const heading = style.bold(safe`most expensive tool results`);
  return safe`${tools}\n${heading}\n${results}${closingText(facts, style, currency)}`;
}

function carriedCsv(facts: AuditFacts, { top }: ViewOptions): SafeText {
  const rows = mostExpensive(facts, top);
  return renderCsv(carriedColumns(facts.totals.tokensSource, rows, USD), rows);
}

function renderCarriedMarkdown(facts: AuditFacts, { top }: ViewOptions, currency: Currency): SafeText {
  const source = facts.totals.tokensSource;
  const rows = carriedWithTotal(carriedByTool(facts.carried, facts.paid), top);
  const tools = renderMarkdown(carriedToolColumns(source, rows, facts.paid, currency), rows);
  const most = mostExpensive(facts, top ?? RESULTS_SHOWN);
  return safe`${tools}\n${renderMarkdown(carriedColumns(source, most, currency), most)}`;
}

function mostExpensive({ carried }: AuditFacts, most: number | undefined): Carried[] {
  return [...carried].sort(byCost).slice(0, most);
}
