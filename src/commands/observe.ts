/** The on-looker of a rewrite: counts tokens, shows diffs, writes the summary line of each file. Loaded only when something asks for it. */
import { shownName } from '../io/input.js';
import type { Terminal } from '../io/terminal.js';
import { loadPrices, type PriceBook } from '../pricing/cost.js';
import { diffJson, diffMarkdown } from '../reports/diff-data.js';
import { totalsLine } from '../reports/diff-layout.js';
import { diffText } from '../reports/diff-text.js';
import { safe } from '../safe/text.js';
import { type Counting, countings } from '../stats/counting.js';
import { differencesOf, summaryOf, type TranscriptDifference } from '../stats/differences.js';
import type { Totals } from '../stats/facts.js';
import { sumOf } from '../stats/sum.js';
import { changesBetween } from '../transcript/compare.js';
import type { Transcript } from '../transcript/types.js';
import type { Observer } from './observer.js';
import type { RewriteOptions } from './options.js';
import { paletteFor } from './palette.js';
import { say } from './reading.js';
import { loadTokenizer } from './tokenizer.js';

export async function createObserver(
  options: RewriteOptions,
  wanted: { readonly summary: boolean; readonly tokens: boolean },
  terminal: Terminal,
): Promise<Observer> {
  const counts = wanted.summary || wanted.tokens || options.diff === true;
  const tokenizer = counts ? await loadTokenizer(options.tokenizer) : undefined;
  const prices = wanted.summary || options.diff === true ? await loadPrices() : undefined;
  const countingFor = countings(tokenizer ?? (() => (text) => text.length));
  const counting = (transcript: Transcript) => countingFor(options.model ?? transcript.model);
  const diff = options.diff === true ? await createDiffWriter(options, terminal) : undefined;
  const summary = wanted.summary && tokenizer !== undefined ? createSummary(prices, terminal) : undefined;
  return {
    countsOf: counting,
    changed(input, line, before, after) {
      before.forEach((transcript, index) => {
        const changed = after[index]!;
        if (diff !== undefined && changed !== transcript)
          diff.show(
            differencesOf(
              transcript,
              changed,
              { file: shownName(input.name), line },
              { counting: counting(transcript), prices },
            ),
          );
        if (options.verbose === true && changed !== transcript)
          sayCuts(transcript, changed, { file: shownName(input.name), line }, terminal);
        summary?.add(transcript, changed, counting(transcript));
      });
    },
    finished: (input) => summary?.say(shownName(input.name)),
    done: () => diff?.end(),
  };
}

// --- diff

export interface DiffWriter {
  show(difference: TranscriptDifference): void;
  end(): void;
}

export interface DiffFormat {
  readonly format: 'text' | 'json' | 'markdown';
  readonly sideBySide?: boolean | undefined;
  readonly color?: boolean;
}

/** Text is written transcript by transcript; JSON and markdown when all are known. */
export async function createDiffWriter(
  { format, sideBySide, color }: DiffFormat,
  terminal: Terminal,
): Promise<DiffWriter> {
  const { stdout } = terminal;
  if (format === 'text') {
    const layout = {
      style: await paletteFor(stdout, terminal, color),
      width: stdout.columns,
      sideBySide: sideBySide === true,
    };
    let separator = safe``;
    const show = (difference: TranscriptDifference) => {
      stdout.write(safe`${separator}${diffText(difference, layout)}`);
      separator = safe`\n`;
    };
    return { show, end: () => {} };
  }
  const all: TranscriptDifference[] = [];
  return {
    show: (difference) => all.push(difference),
    end: () => stdout.write(format === 'json' ? diffJson(all) : diffMarkdown(all)),
  };
}

// --- summary and notes

function createSummary(prices: PriceBook | undefined, terminal: Terminal) {
  let before: Totals[] = [];
  let after: Totals[] = [];
  return {
    add(transcript: Transcript, changed: Transcript, counting: Counting) {
      const totals = summaryOf(transcript, counting, prices);
      before.push(totals);
      after.push(changed === transcript ? totals : summaryOf(changed, counting, prices));
    },
    say(name: string) {
      if (before.length > 0) say(terminal, `${name}: ${totalsLine(sumOf(before), sumOf(after))}`);
      before = [];
      after = [];
    },
  };
}

/** Each message that a step made shorter, and how much: `from → to` in characters. */
function sayCuts(
  before: Transcript,
  after: Transcript,
  { file, line }: { readonly file: string; readonly line: number },
  terminal: Terminal,
): void {
  for (const change of changesBetween(before.messages, after.messages)) {
    if (change.kind !== 'changed') continue;
    const [from, to] = [before.messages[change.before]!, after.messages[change.after]!];
    const lengths = [from, to].map(({ parts }) =>
      parts.reduce((sum, part) => sum + (part.type === 'result' ? resultLength(part.content) : 0), 0),
    );
    if (lengths[0]! > lengths[1]!)
      say(terminal, `ctx-trim: ${file}:${line}: message ${change.before}: ${lengths[0]} → ${lengths[1]} characters`);
  }
}

function resultLength(content: readonly { readonly type: string; readonly text?: unknown }[]): number {
  return content.reduce(
    (sum, block) =>
      sum + (block.type === 'text' ? [...String((block.text as { text?: string }).text ?? block.text)].length : 0),
    0,
  );
}
