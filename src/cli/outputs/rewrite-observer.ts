/** The observer of a rewrite: counts tokens, prints diffs and summary lines. Loaded only if needed. */

import { diffDocument, type FileSummary, summaryDocument } from '../../documents/diff.js';
import { printed } from '../../documents/print.js';
import { modelOf } from '../../engine/context.js';
import { TranscriptError } from '../../errors.js';
import type { PriceBook } from '../../measure/pricing/cost.js';
import { type Counting, countings } from '../../measure/stats/counting.js';
import { differencesOf, summaryOf, type TranscriptDifference } from '../../measure/stats/differences.js';
import type { Totals } from '../../measure/stats/facts.js';
import { createTotals } from '../../measure/stats/sum.js';
import { withAttached } from '../../measure/stats/with-attached.js';
import { loadTokenizer } from '../../node/tokenizer.js';
import type { Omissions } from '../../omissions.js';
import { totalsLine } from '../../reports/diff-layout.js';
import { diffMarkdown } from '../../reports/diff-markdown.js';
import { diffText } from '../../reports/diff-text.js';
import { safe } from '../../safe/text.js';
import { changesBetween } from '../../transcript/compare.js';
import { withoutCompacted } from '../../transcript/sent.js';
import { joinTexts } from '../../transcript/text.js';
import type { Message, ResultPart, Transcript } from '../../transcript/types.js';
import { measureByUnit } from '../../transforms/measure.js';
import type { Step } from '../../transforms/pipeline.js';
import { requestTokens } from '../../transforms/request.js';
import type { Unit } from '../../transforms/transform.js';
import { loadUsualPrices } from '../context/price-list.js';
import { type Input, shownName } from '../files/input.js';
import { collectOmissions } from '../inputs/omissions.js';
import { say } from '../inputs/reading.js';
import type { RewriteOptions } from '../options/options.js';
import type { Terminal } from '../terminal/terminal.js';
import { paletteFor } from './colors.js';
import type { Observer } from './observer.js';

export interface ObserverNeeds {
  readonly summary: boolean;
  readonly tokens: boolean;
  readonly units: readonly Unit[];
  /** The summary also says why one of them changed nothing. */
  readonly steps: readonly Step[];
}

export async function createObserver(
  options: RewriteOptions,
  needs: ObserverNeeds,
  terminal: Terminal,
): Promise<Observer> {
  const counts = needs.summary || needs.tokens || options.diff === true;
  const tokenizer = counts ? await loadTokenizer(options.tokenizer) : undefined;
  const prices = needs.summary || options.diff === true ? await loadUsualPrices(terminal) : undefined;
  const countingFor = countings(tokenizer ?? (() => (text) => text.length));
  const counting = (transcript: { readonly model?: string | undefined }) =>
    countingFor(modelOf(options, transcript.model));
  const omissions = collectOmissions();
  const diff = options.diff === true ? await createDiffWriter(options, terminal, omissions) : undefined;
  if (options.format === 'markdown' && options.diff !== true)
    throw new TranscriptError('usage', '--format markdown needs --diff');
  const writer = createSummaryWriter(options, terminal);
  const isSummed = needs.summary && tokenizer !== undefined;
  const summary = isSummed ? createSummary(needs.steps, prices, writer.take) : undefined;
  return {
    omissions,
    countsOf: (transcript) =>
      'messages' in transcript ? withAttached(counting(transcript), transcript) : counting(transcript),
    nextTokens: (transcript) =>
      counts ? requestTokens(withoutCompacted(transcript), counting(transcript)) : undefined,
    changed(input, line, before, after) {
      summary?.begin(input);
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
          for (const cut of cutsBetween(transcript, changed, needs.units, counting(transcript).text))
            say(terminal, `ctx-trim: ${shownName(input.name)}:${line}: ${cut}`);
        summary?.add(transcript, changed, counting(transcript));
      });
    },
    finished(input) {
      summary?.begin(input);
      summary?.finished(shownName(input.name));
    },
    handOver: () => summary?.handOver(),
    takeOver(input, told) {
      summary?.begin(input);
      summary?.takeOver(told as Told);
    },
    done() {
      diff?.end();
      writer.end();
    },
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

/** Prints text for each transcript at once; JSON and markdown at the end. */
export async function createDiffWriter(
  { format, sideBySide, color }: DiffFormat,
  terminal: Terminal,
  omissions?: Omissions,
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
    end: () => stdout.write(format === 'json' ? printed(diffDocument(all, omissions)) : diffMarkdown(all)),
  };
}

// --- summary and notes

/** Sums, which are added up again. */
interface Told extends Sums {
  readonly reasons: readonly string[];
}

interface Sums {
  readonly transcripts: number;
  readonly before: Totals;
  readonly after: Totals;
}

function createSums() {
  const [before, after] = [createTotals(), createTotals()];
  let transcripts = 0;
  return {
    add(sums: Sums) {
      transcripts += sums.transcripts;
      before.add(sums.before);
      after.add(sums.after);
    },
    sum: (): Sums => ({ transcripts, before: before.sum(), after: after.sum() }),
  };
}

function createSummary(steps: readonly Step[], prices: PriceBook | undefined, take: (file: FileSummary) => void) {
  const reasons = new Set<string>();
  let current: Input | undefined;
  let sums = createSums();
  const clear = () => {
    reasons.clear();
    sums = createSums();
  };
  return {
    begin(input: Input) {
      if (input !== current) clear(); // of one that could not be read to its end
      current = input;
    },
    add(transcript: Transcript, changed: Transcript, counting: Counting) {
      const before = summaryOf(transcript, counting, prices);
      const after = changed === transcript ? before : summaryOf(changed, counting, prices);
      sums.add({ transcripts: 1, before, after });
      if (changed === transcript) for (const reason of reasonsOf(transcript, steps, counting)) reasons.add(reason);
    },
    handOver(): Told {
      const told = { ...sums.sum(), reasons: [...reasons] };
      clear();
      return told;
    },
    takeOver(told: Told) {
      sums.add(told);
      for (const reason of told.reasons) reasons.add(reason);
    },
    finished(file: string) {
      take({ file, ...sums.sum(), notes: [...reasons] });
      clear();
    },
  };
}

/** Prints text for each file at once; JSON at the end, on stdout where nothing else goes there. */
function createSummaryWriter(options: RewriteOptions, terminal: Terminal) {
  if (options.summary !== true || options.format !== 'json')
    return {
      take({ file, transcripts, before, after, notes }: FileSummary) {
        if (transcripts > 0) say(terminal, `${file}: ${totalsLine(before, after)}`);
        for (const note of notes) say(terminal, `${file}: ${note}`);
      },
      end: () => {},
    };
  const [files, total] = [[] as FileSummary[], createSums()];
  const { write, output = '-', diff, check } = options;
  const isFree = (write === true || output !== '-') && diff !== true && check !== true;
  return {
    take(file: FileSummary) {
      files.push(file);
      total.add(file);
    },
    end: () => (isFree ? terminal.stdout : terminal.stderr).write(printed(summaryDocument(files, total.sum()))),
  };
}

function reasonsOf(transcript: Transcript, steps: readonly Step[], counting: Counting): string[] {
  return steps.flatMap(({ transform, values }) => {
    const reason = transform.idle?.(transcript, values, withAttached(counting, transcript));
    const mark = counting.source === 'exact' ? '' : '~';
    return reason === undefined ? [] : [`${transform.id} changes nothing: ${mark}${reason}`];
  });
}

const UNIT_WORDS: Readonly<Record<Unit, string>> = { chars: 'characters', bytes: 'bytes', tokens: 'tokens' };

/** Results that a step shortened, as `from → to` in the units of the steps' limits. */
function cutsBetween(before: Transcript, after: Transcript, units: readonly Unit[], count: Counting['text']): string[] {
  const measure = measureByUnit(count);
  return changesBetween(before.messages, after.messages).flatMap((change) => {
    if (change.kind !== 'changed' && change.kind !== 'moved') return [];
    const [from, to] = [resultsIn(before.messages[change.before]!), resultsIn(after.messages[change.after]!)];
    const isAlone = from.length === 1;
    return resultPairs(from, to).flatMap(([index, was, is]) => {
      const lengths = units.map((unit) => [measure[unit].length(was), measure[unit].length(is), unit] as const);
      if (!lengths.some(([long, short]) => long > short)) return [];
      const texts = lengths.map(([long, short, unit]) => `${long} → ${short} ${UNIT_WORDS[unit]}`);
      return [`message ${change.before}${isAlone ? '' : `, result ${index}`}: ${texts.join(', ')}`];
    });
  });
}

/** The texts of changed results, before and after, paired by call id. */
function resultPairs(
  before: readonly ResultPart[],
  after: readonly ResultPart[],
): (readonly [index: number, was: string, is: string])[] {
  const kept = new Set(after);
  const removed = new Set(before.filter((part) => !kept.has(part)));
  const known = new Set(before);
  const changed = new Map<string | undefined, ResultPart[]>(); // in reverse order, for pop()
  for (const part of after.toReversed()) {
    if (known.has(part)) continue;
    const others = changed.get(part.callId);
    if (others === undefined) changed.set(part.callId, [part]);
    else others.push(part);
  }
  return before.flatMap((part, index) => {
    const became = removed.has(part) ? changed.get(part.callId)?.pop() : undefined;
    return became === undefined ? [] : [[index, joinTexts(part.content), joinTexts(became.content)] as const];
  });
}

function resultsIn({ parts }: Message): ResultPart[] {
  return parts.filter((part): part is ResultPart => part.type === 'result');
}
