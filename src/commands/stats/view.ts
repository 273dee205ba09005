/** What `stats` prints, in each of its formats. */

import { chosen, GROUP_SORTS, MESSAGE_SORTS, SHARE_SORTS } from '../../app/stats/order.js';
import type { Terminal } from '../../io/terminal.js';
import { addAll } from '../../lists.js';
import type { Style } from '../../reports/report.js';
import { type Column, renderCsv, renderMarkdown, renderTable } from '../../reports/rows.js';
import { closingText, messageColumns, paidClosing, statsClosing, statsSection } from '../../reports/stats.js';
import { createStatsJson } from '../../reports/stats-json.js';
import {
  byCost,
  carriedByTool,
  carriedColumns,
  carriedToolColumns,
  groupColumns,
  shareColumns,
  USAGE_COLUMNS,
} from '../../reports/stats-rows.js';
import { usageRows } from '../../reports/usage-rows.js';
import { joined, type SafeText, safe, sliced } from '../../safe/text.js';
import type { AuditFacts, Settled } from '../../stats/audit.js';
import type { Calibration } from '../../stats/calibrate.js';
import type { MessageFacts, TranscriptFacts } from '../../stats/facts.js';
import { sharesBy } from '../../stats/shares.js';
import type { Currency } from '../../text/money.js';
import { paletteFor } from '../shared/colors.js';
import type { StatsOptions } from './options.js';

export interface View {
  /** What can be shown of a transcript as soon as it is known. */
  readonly settled?: Settled;
  /** The rest. */
  end(facts: AuditFacts, calibrations: readonly Calibration[]): void;
}

/** How the figures are shown: what can be is written as soon as it is known. */
export async function createView(options: StatsOptions, currency: Currency, terminal: Terminal): Promise<View> {
  const { by, format } = options;
  const style = await paletteFor(terminal.stdout, terminal, options.color);
  const out = createBuffer(terminal.stdout);
  const whole = (render: (facts: AuditFacts) => SafeText): View => ({
    end: (facts) => void terminal.stdout.write(render(facts)),
  });
  if (format === 'json') return jsonView(options, out);
  if (options.tools === true) return whole((facts) => renderCarried(facts, options, style, currency));
  if (by === 'message') return messageView(options, style, currency, out);
  return whole((facts) => renderGroups(facts, options, style, currency));
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

function messageView(options: StatsOptions, style: Style, currency: Currency, out: Buffered): View {
  const rowsOf = (transcript: TranscriptFacts) => chosen(transcript.messages, options, MESSAGE_SORTS);
  const placed = (of: TranscriptFacts) => rowsOf(of).map((message): MessageRow => ({ ...message, of }));
  if (options.format === 'table') {
    let separator = safe``;
    return {
      settled(transcript, requests) {
        out.write(safe`${separator}${statsSection(transcript, rowsOf(transcript), requests, style, currency)}`);
        separator = safe`\n`;
      },
      end(facts) {
        out.write(statsClosing(facts, style, currency));
        out.flush();
      },
    };
  }
  if (options.format === 'csv') {
    const columns = [
      ...PLACE,
      ...messageColumns('exact'),
      { title: 'tokens_source', text: ({ of }: MessageRow) => of.totals.tokensSource },
    ];
    let skipped = 0; // the heading stands once
    return {
      settled(transcript) {
        out.write(sliced(renderCsv(columns, placed(transcript)), skipped));
        skipped = renderCsv(columns, []).length;
      },
      end: () => out.flush(),
    };
  }
  const rows: MessageRow[] = [];
  return {
    settled: (transcript) => addAll(rows, placed(transcript)),
    end(facts) {
      out.write(renderMarkdown<MessageRow>([PLACE[0]!, ...messageColumns(facts.totals.tokensSource)], rows));
      out.flush();
    },
  };
}

function renderGroups(facts: AuditFacts, options: StatsOptions, style: Style, currency: Currency): SafeText {
  const { by, format } = options;
  if (format === 'csv') return renderCsv(USAGE_COLUMNS, usageRows(facts, options));
  if (by === 'role' || by === 'tool') {
    const columns = shareColumns(by, facts.totals.tokensSource);
    const rows = chosen(sharesBy(facts, by), options, SHARE_SORTS);
    return format === 'markdown'
      ? renderMarkdown(columns, rows)
      : safe`${renderTable(columns, rows, style)}${closingText(facts, style, currency)}`;
  }
  const rows = chosen(facts.groups, options, GROUP_SORTS);
  const columns = groupColumns(by, rows, currency);
  return format === 'markdown'
    ? renderMarkdown(columns, rows)
    : safe`${renderTable(columns, rows, style)}${(options.recorded === true ? paidClosing : closingText)(facts, style, currency)}`;
}

interface Buffered {
  write(text: SafeText): void;
  flush(): void;
}

/** Texts are written when they have come to something: most are a few lines. */
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

function renderCarried(
  { carried, paid, totals, ...rest }: AuditFacts,
  { format, top }: StatsOptions,
  style: Style,
  currency: Currency,
): SafeText {
  const source = totals.tokensSource;
  const tools = carriedByTool(carried, paid);
  const worst = [...carried].sort(byCost).slice(0, top ?? RESULTS_SHOWN);
  if (format === 'csv') return renderCsv(carriedColumns(source, currency), [...carried].sort(byCost).slice(0, top));
  if (format === 'markdown')
    return safe`${renderMarkdown(carriedToolColumns(source, currency), tools)}\n${renderMarkdown(carriedColumns(source, currency), worst)}`;
  return safe`${renderTable(carriedToolColumns(source, currency), tools, style)}\n${style.bold(safe`the dearest results`)}\n${renderTable(carriedColumns(source, currency), worst, style)}${closingText({ carried, paid, totals, ...rest }, style, currency)}`;
}
