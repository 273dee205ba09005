/** Runs transforms: reads, applies the steps, and writes, compares or lists the results. */

import { settle } from '../../../engine/rewrite/settle.js';
import { type CountsOf, haveTables, rewriteTable } from '../../../engine/rewrite/tables/by-table.js';
import { TranscriptError } from '../../../errors.js';
import { safe, shown } from '../../../safe/text.js';
import type { Tabled } from '../../../source/piece.js';
import { loadAuto } from '../../../transforms/auto.js';
import { KEEPS_NOTHING, withStore } from '../../../transforms/offload.js';
import { countsTokens, limitUnits, rewriteBy, type Step } from '../../../transforms/pipeline.js';
import { NO_COUNTS } from '../../../transforms/transform.js';
import { shownName } from '../../files/input.js';
import { createKeptResults } from '../../files/kept-results.js';
import { BufferedSink } from '../../files/output.js';
import { forEachInput, say } from '../../inputs/reading.js';
import { threadsFor } from '../../inputs/thread-count.js';
import { type PartOfRewrite, serveParts } from '../../inputs/threads.js';
import type { ExitCode } from '../../options/command.js';
import type { RewriteOptions } from '../../options/options.js';
import { createContextWarnings } from '../../outputs/context-warnings.js';
import type { Terminal } from '../../terminal/terminal.js';
import { type Run, rejectInPlace, rewriteInPlace, transformInput } from './transform-input.js';

/** Applies the steps to every transcript of every input, and writes, compares or lists the results. */
export async function rewrite(
  words: readonly string[],
  given: readonly Step[],
  options: RewriteOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  loadAuto();
  const files = createKeptResults(terminal);
  const steps = withStore(given, options.diff || options.check ? KEEPS_NOTHING : files.store);
  if (options.write && (words.length === 0 || words.includes('-')))
    throw new TranscriptError('usage', '--write needs a file, not stdin');
  if (options.write === true) await rejectInPlace(words, options.backup, terminal);
  for (const warning of remarksOf(steps, 'warnings')) say(terminal, `ctx-trim: warning: ${warning}`);
  if (options.verbose) for (const note of remarksOf(steps, 'notes')) say(terminal, `ctx-trim: ${note}`);
  // with --trust speed matters, so the summary must be requested
  const summarizes =
    options.quiet !== true && (options.summary === true || (terminal.stderr.isTerminal && options.trust !== true));
  const wanted = { summary: summarizes, tokens: countsTokens(steps), units: limitUnits(steps), steps };
  const isObserved = wanted.summary || wanted.tokens || options.diff === true || options.verbose === true;
  const observer = isObserved
    ? await (await import('../../outputs/rewrite-observer.js')).createObserver(options, wanted, terminal)
    : undefined;
  const countsOf: CountsOf = observer === undefined ? () => NO_COUNTS : observer.countsOf;
  const apply: Run['apply'] = (transcript, _, tell) => rewriteBy(transcript, steps, countsOf(transcript), tell);
  const trusts =
    options.trust === true &&
    observer === undefined &&
    steps.every(({ transform, values }) => transform.onlyTraffic?.(values) === true);
  if (options.trust === true && !trusts) {
    const cause =
      observer === undefined
        ? 'a step that reads more than tool calls and results'
        : 'a summary, a diff, --verbose or token counts';
    say(terminal, `ctx-trim: warning: --trust has no effect with ${cause}`);
  }
  const warns = steps.some(({ transform }) => transform.minded === 'context') && !trusts;
  const warnings = warns ? createContextWarnings(terminal) : undefined;
  const isWatched = wanted.summary || options.diff === true || options.verbose === true;
  const byTable =
    isWatched || !haveTables(steps) ? undefined : (tabled: Tabled) => rewriteTable(tabled, steps, countsOf);
  const alone = whyAlone(options, steps);
  const threads = alone === undefined ? threadsFor(words, options.threads, terminal) : undefined;
  if (alone !== undefined && options.threads !== undefined)
    say(terminal, `ctx-trim: warning: --threads has no effect with ${alone}`);
  const run: Run = { apply, ...{ options, terminal, observer, trusts, warnings, byTable, threads }, settling: settle };
  if (terminal.serve !== undefined)
    return serveParts(terminal, (input, sink) => {
      observer?.handOver?.(); // of a part that was given back
      const { changed } = transformInput(input, run, options.check === true ? undefined : sink);
      return { changed, told: observer?.handOver?.() } satisfies PartOfRewrite;
    });
  try {
    const isEach = options.output === undefined || options.output === '-';
    return await (isEach ? rewriteEach(words, options, run) : rewriteInto(options.output!, words, run));
  } finally {
    if (options.quiet !== true) files.done();
    threads?.close();
  }
}

/** What needs all lines in one thread, if anything does: the files of `offload` are counted. */
function whyAlone({ diff, verbose }: Pick<RewriteOptions, 'diff' | 'verbose'>, steps: readonly Step[]) {
  if (diff === true) return '--diff';
  if (verbose === true) return '--verbose';
  return steps.some(({ transform }) => transform.id === 'offload') ? 'offload' : undefined;
}

async function rewriteEach(words: readonly string[], options: RewriteOptions, run: Run): Promise<ExitCode> {
  const { terminal, observer } = run;
  const stdout = new BufferedSink((bytes, start, end) => terminal.stdout.data(bytes.subarray(start, end)));
  const listing = options.check === true || options.diff === true;
  const isSilent = (options.write === true || listing) && options.diff !== true && options.verbose !== true;
  let changes = 0;
  let short = false;
  const good = await forEachInput(
    words,
    terminal,
    async (input) => {
      if (options.write === true && !listing) {
        if ((await rewriteInPlace(input, run)).isShort) short = true;
      } else if (listing) {
        const { changed, isShort } = transformInput(input, run, undefined);
        if (changed) changes++;
        if (isShort) short = true;
        if (changed && options.check === true && options.diff !== true)
          terminal.stdout.write(safe`${shown(shownName(input.name))}\n`);
      } else {
        const isLineOpen = stdout.lastByte >= 0 && stdout.lastByte !== 0x0a;
        if (isLineOpen) stdout.text('\n'); // the previous file does not end with a newline
        try {
          if (transformInput(input, run, stdout).isShort) short = true;
        } finally {
          stdout.flush();
        }
      }
      observer?.finished(input);
    },
    { ...options, isSilent, failed: observer?.omissions.failed },
  );
  observer?.done();
  stdout.flush();
  if (!good) return 2;
  return short || (options.check === true && changes > 0) ? 1 : 0;
}

async function rewriteInto(output: string, words: readonly string[], run: Run): Promise<ExitCode> {
  let short = false;
  const { inputsIntoFile } = await import('../../outputs/into-file.js');
  const written = await inputsIntoFile(
    output,
    words,
    run.terminal,
    (input, sink) => {
      if (transformInput(input, run, sink).isShort) short = true;
      run.observer?.finished(input);
    },
    run.options,
  );
  if (written) run.observer?.done();
  if (!written) return 2;
  return short ? 1 : 0;
}

function remarksOf(steps: readonly Step[], kind: 'warnings' | 'notes'): string[] {
  return steps.flatMap(({ transform, values }) =>
    (transform.remarks?.(values)[kind] ?? []).map((text) => `${transform.id}: ${text}`),
  );
}
