/** Keeps records of a dataset, and drops the others whole. */
import { createHash } from 'node:crypto';
import { printed } from '../../../documents/print.js';
import { selectDocument } from '../../../documents/select.js';
import { CONDITIONS, givenConditions, type Means } from '../../../engine/select/conditions.js';
import { createSelection, type Reason } from '../../../engine/select/select.js';
import { TranscriptError } from '../../../errors.js';
import { countedOf, totalsOf } from '../../../measure/stats/facts.js';
import { kebab } from '../../../options/parse.js';
import type { Config } from '../../config/config.js';
import { say } from '../../inputs/reading.js';
import { threadsFor } from '../../inputs/thread-count.js';
import type { ExitCode } from '../../options/command.js';
import { rejectBackup, rejectStreams } from '../../outputs/into-file.js';
import type { Terminal } from '../../terminal/terminal.js';
import { nearFile } from '../dataset/means.js';
import { drops, type Run, select } from './input.js';
import { validityBy } from './means.js';
import type { SelectOptions } from './options.js';
import { each, selectParts, write } from './outputs.js';
import { changes, sumOf, type Tally, tallyText } from './tally.js';
import { readTwice } from './twice.js';
import { NO_WRITER } from './writer.js';

export async function runSelect(
  words: readonly string[],
  options: SelectOptions,
  terminal: Terminal,
  config: Config,
): Promise<ExitCode> {
  rejectWrong(words, options, terminal);
  const selection = createSelection(options, await meansFor(options, config, terminal), sha256);
  const run: Run = {
    ...{ words, options, terminal, selection, tallies: [], counts: new Map() },
    decide: (record) => selection.reasonFor(record),
  };
  if (terminal.serve !== undefined) return selectParts(run);
  const alone = ALONE.find((option) => options[option] !== undefined);
  if (alone !== undefined && options.threads !== undefined)
    say(terminal, `ctx-trim: warning: --threads has no effect with --${kebab(alone)}`);
  const threads = alone === undefined ? threadsFor(words, options.threads, terminal) : undefined;
  const good = selection.needsAll ? await selectTwice(run) : await write({ ...run, threads });
  threads?.close();
  // what an unreadable input hinders altogether is not reported
  if (good || (!selection.needsAll && (options.output ?? '-') === '-')) report(run);
  if (!good) return 2;
  return options.check === true && run.tallies.some((tally) => changes(tally, drops(options))) ? 1 : 0;
}

/** What needs all records, or several files. */
const ALONE = ['unique', 'uniqueBy', 'near', 'sample', 'split'] as const;

function rejectWrong(words: readonly string[], options: SelectOptions, { cwd }: Terminal): void {
  const { skipBadLines, split, write: inPlace, backup } = options;
  if (skipBadLines !== undefined && skipBadLines !== true && skipBadLines !== 'drop')
    throw new TranscriptError('usage', `--skip-bad-lines \`${skipBadLines}\` is invalid; expected =drop, or no value`);
  if (split !== undefined && skipBadLines === true)
    throw new TranscriptError('usage', '--split has no file for lines that are not JSON: use --skip-bad-lines=drop');
  if (inPlace !== true) return;
  if (words.length === 0 || words.includes('-')) throw new TranscriptError('usage', '--write needs a file, not stdin');
  rejectBackup(backup);
  rejectStreams(words, cwd);
}

/** Loads only what the given conditions need. */
async function meansFor(options: SelectOptions, config: Config, terminal: Terminal): Promise<Means> {
  const needs = new Set(givenConditions(options).map((key) => CONDITIONS[key].needs));
  const countingFor = needs.has('tokensOf')
    ? await (await import('../../../node/tokenizer.js')).loadCountings(options.tokenizer)
    : undefined;
  const isValid = needs.has('isValid') ? await validityBy(options, config, terminal) : undefined;
  return {
    ...(isValid && { isValid }),
    nearFile: options.near === undefined ? undefined : nearFile(),
    ...(countingFor && {
      tokensOf: (transcript) => {
        const counting = countingFor(options.asModel ?? transcript.model);
        return totalsOf(transcript, countedOf(transcript, counting), undefined, undefined).tokens;
      },
    }),
  };
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}

/** First finds the records of a sample, then writes them. */
async function selectTwice(run: Run): Promise<boolean> {
  const { terminal, tallies } = run;
  const twice = readTwice(terminal);
  try {
    if (!(await each({ ...run, terminal: twice.first }, (input, now) => select(input, now, NO_WRITER), {})))
      return false;
    const winners = run.selection.winners()!;
    let order = 0;
    let next = 0;
    const decide = (): Reason | undefined => {
      const isWinner = winners[next] === order++;
      if (isWinner) next++;
      return isWinner ? undefined : 'sample';
    };
    const again = { ...run, terminal: twice.again(), decide, tallies: [], before: tallies };
    const good = await write(again);
    if (good) merge(tallies, again.tallies);
    return good;
  } finally {
    twice.close();
  }
}

/** What the sample drops. */
function merge(tallies: readonly Tally[], again: readonly Tally[]): void {
  tallies.forEach((tally, index) => {
    const lost = tally.kept - again[index]!.kept;
    if (lost > 0) tally.dropped.set('sample', lost);
    tally.kept -= lost;
  });
}

// --- report

function report({ options, terminal, tallies, counts, selection }: Run): void {
  const { format, quiet, summary, check, write: inPlace, output, split, list } = options;
  if (format === 'json') {
    const isFree = list !== true && (check === true || inPlace === true || (output !== undefined && output !== '-'));
    const splits = selection.splits.map(({ name }) => ({ name, records: counts.get(name)! }));
    (isFree ? terminal.stdout : terminal.stderr).write(printed(selectDocument(tallies, sumOf(tallies), splits)));
    return;
  }
  if (quiet === true || (summary !== true && !terminal.stderr.isTerminal)) return;
  for (const tally of tallies) say(terminal, tallyText(tally, drops(options)));
  if (tallies.length > 1) say(terminal, tallyText(sumOf(tallies), drops(options)));
  if (split !== undefined) for (const [name, records] of counts) say(terminal, `${name}: ${records} records`);
}
