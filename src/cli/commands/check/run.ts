/** The command `check`: checks or fixes its inputs, and writes reports. */

import { checkDocument } from '../../../documents/findings.js';
import { printed } from '../../../documents/print.js';
import type { CheckedPart } from '../../../engine/check/check.js';
import { tooManyWarnings } from '../../../engine/check/rows.js';
import { isTranscriptError, TranscriptError } from '../../../errors.js';
import type { FindingsReport, Safety } from '../../../findings.js';
import type { Read } from '../../../json/rows.js';
import { findingsPretty, summaryLine } from '../../../reports/findings/pretty.js';
import { PLAIN } from '../../../reports/report.js';
import { receiverOf } from '../../../rules/own-provider.js';
import { type SafeText, safe } from '../../../safe/text.js';
import type { DetectOptions } from '../../../source/detect/detection.js';
import { plural } from '../../../text/words.js';
import type { Config } from '../../config/config.js';
import { type Input, shownName } from '../../files/input.js';
import { finderOf } from '../../inputs/finder.js';
import { collectOmissions, type OmissionsCollector } from '../../inputs/omissions.js';
import { createScope, type Scope } from '../../inputs/read-files.js';
import { forEachInput, say } from '../../inputs/reading.js';
import { threadsFor } from '../../inputs/thread-count.js';
import type { DonePart } from '../../inputs/threads.js';
import { usageTaker } from '../../inputs/usage-file.js';
import type { ExitCode } from '../../options/command.js';
import { paletteFor } from '../../outputs/colors.js';
import { isSilent, putOut, type ReportOutput, reportOutputs, writeText } from '../../outputs/report-outputs.js';
import { type Terminal, USUAL_WIDTH } from '../../terminal/terminal.js';
import { type Run, rejectInPlace, transformInput } from '../rewrite/transform-input.js';
import { type OpenedCheck, openCheck, today } from './open.js';
import { type CheckOptions, REPORTERS } from './options.js';
import { checkParts, whyAlone } from './parts.js';
import { examined } from './sessions.js';

export async function runCheck(
  words: readonly string[],
  given: CheckOptions,
  terminal: Terminal,
  config: Config,
): Promise<ExitCode> {
  const options = withFix(given);
  if (options.backup !== undefined && isStdin(words))
    throw new TranscriptError('usage', '--backup needs --fix on files, not stdin');
  if (options.fix !== undefined && !options.diff && options.output === undefined)
    await rejectInPlace(words, options.backup, terminal);
  const outputs = reportOutputs(REPORTERS, 'pretty', options, terminal, stdoutIsTaken(words, options));
  const baseline =
    options.baseline === undefined
      ? undefined
      : (await import('./baseline.js')).readBaseline(options.baseline, terminal, today());
  const { check, plan, suppressions } = await openCheck(options, config, terminal);
  if (options.merge === true) return reportMerged(words, options, { plan, outputs }, terminal);
  const inputs = createScope(terminal);
  const receiver = receiverOf(options.provider, options.asRequest === true);
  const omissions = collectOmissions({ countsBadLines: false, mayBeMute: receiver.isStated });
  const good = await checkInputs(words, { ...options, omissions, receiver }, config, terminal, { check, plan }, inputs);
  for (const unread of omissions.unread) check.addUnread(unread);
  const found = check.findings();
  const all = suppressions?.without(found) ?? found;
  if (options.writeBaseline !== undefined) {
    const { baselineText } = await import('./baseline.js');
    if (!(await writeText(options.writeBaseline, baselineText(all, options.writeBaseline, terminal), terminal)))
      return 2;
    say(terminal, `ctx-trim: ${plural(all.length, 'finding')} written to ${options.writeBaseline}`);
  }
  const known = options.writeBaseline !== undefined ? [] : (baseline?.without(all) ?? all);
  const scope = { ...inputs.read(), ...check.totals() };
  const notes = [
    ...(suppressions?.notes(scope.files.map(({ file }) => file)) ?? []),
    ...(baseline?.notes(check.places()) ?? []),
  ];
  if (options.quiet !== true) for (const note of notes) say(terminal, `ctx-trim: ${note}`);
  const findings = [...known, ...tooManyWarnings(known, plan)];
  const report: FindingsReport = {
    ...scope,
    omissions,
    findings: options.quiet === true ? findings.filter(({ severity }) => severity === 'error') : findings,
    isPreview: options.diff,
    suppressed: found.length - all.length,
    wordsOf: plan.wordsOf,
  };
  if (!(await put(outputs, report, options, terminal)) || !good) return 2;
  return findings.some(({ severity }) => severity === 'error') ? 1 : 0;
}

type Outputs = readonly ReportOutput<(typeof REPORTERS)[number]>[];

async function put(outputs: Outputs, report: FindingsReport, options: FixOptions, terminal: Terminal) {
  const isWritten = await putOut(outputs, (output) => rendered(output, report, options, terminal), terminal);
  if (isWritten && isSilent(outputs) && options.quiet !== true)
    terminal.stderr.write(safe`ctx-trim: ${summaryLine(report)}\n`);
  return isWritten;
}

/** `--merge`: the exit code is the one of a run over everything. */
async function reportMerged(
  words: readonly string[],
  options: FixOptions,
  { plan, outputs }: Pick<OpenedCheck, 'plan'> & { readonly outputs: Outputs },
  terminal: Terminal,
): Promise<ExitCode> {
  if (outputs.some(({ name }) => name === 'junit'))
    throw new TranscriptError('usage', '--merge has no --reporter junit, which lists files without findings, too');
  const { mergedReport } = await import('./merge.js');
  const all = mergedReport(words, terminal.cwd, plan.wordsOf);
  const isError = ({ severity }: { readonly severity: string }) => severity === 'error';
  const report = options.quiet === true ? { ...all, findings: all.findings.filter(isError) } : all;
  if (!(await put(outputs, report, options, terminal)) || report.unreadable.length > 0) return 2;
  return all.findings.some(isError) ? 1 : 0;
}

// --- options

const SAFETIES: readonly Safety[] = ['safe', 'lossy', 'synthetic'];

/** Each level of `--fix` includes the levels before it. */
function safetiesUpTo(fix: string): ReadonlySet<Safety> | undefined {
  const last = SAFETIES.indexOf(fix as Safety);
  return last < 0 ? undefined : new Set(SAFETIES.slice(0, last + 1));
}

type FixOptions = Omit<CheckOptions, 'fix'> & { readonly fix: ReadonlySet<Safety> | undefined };

function withFix({ fix, ...options }: CheckOptions): FixOptions {
  if (fix === undefined) return { ...options, fix };
  const safeties = safetiesUpTo(fix === true ? 'safe' : fix);
  if (safeties === undefined)
    throw new TranscriptError('usage', `--fix takes safe, lossy or synthetic, not \`${fix}\``);
  return { ...options, fix: safeties };
}

function isStdin(files: readonly string[]): boolean {
  return files.length === 0 || files.includes('-');
}

/** Whether fixed text or a diff goes to stdout, so that reports cannot. */
function stdoutIsTaken(files: readonly string[], { fix, diff, output }: FixOptions): boolean {
  return fix !== undefined && (output === '-' || (output === undefined && (diff === true || isStdin(files))));
}

// --- inputs

async function checkInputs(
  files: readonly string[],
  { omissions, ...options }: FixOptions & Pick<DetectOptions, 'receiver'> & { readonly omissions: OmissionsCollector },
  config: Config,
  terminal: Terminal,
  { check, plan }: Pick<OpenedCheck, 'check' | 'plan'>,
  inputs: Scope,
): Promise<boolean> {
  const traversal = { ...options, failed: inputs.failed, find: finderOf(options, config, terminal) };
  const each = (visit: (input: Input) => void | Promise<void>) => {
    const whole = async (input: Input) => {
      await visit(input);
      inputs.finished(input);
    };
    return forEachInput(files, terminal, whole, { ...traversal, isSilent: true });
  };
  const { fix } = options;
  const examine = async (given: Input, tried?: ReadonlySet<Safety>) => {
    const input = await examined(given, check);
    const name = shownName(input.name);
    const withUsage = usageTaker(input.path, (text) => say(terminal, `ctx-trim: warning: ${text}`));
    const apply = check.examining(name, withUsage, tried);
    const takePart = ({ data }: DonePart) => check.takeOver(data as CheckedPart, name);
    const visit = (one: Input) => void transformInput(one, { ...runOf(apply), threads, takePart }, undefined);
    if (options.secrets !== true || input.allowance !== undefined) return visit(input);
    const [first, again] = readTwice(input);
    const failure = failureOf(() => visit(first));
    check.searching(name, again);
    if (failure !== undefined && (!isOtherText(failure) || NAMED_JSON.test(name))) throw failure;
    if (failure !== undefined) say(terminal, `ctx-trim: ${name}: ${failure.message}; only searched for secrets`);
  };
  const runOf = (apply: Run['apply']): Run => ({ apply, options, terminal, observer: undefined, omissions });
  if (terminal.serve !== undefined) return checkParts(terminal, check, runOf);
  const alone = whyAlone(options, config);
  if (alone !== undefined && options.threads !== undefined)
    say(terminal, `ctx-trim: warning: --threads has no effect with ${alone}`);
  const threads = alone === undefined ? threadsFor(files, options.threads, terminal) : undefined;
  if (fix !== undefined) {
    const { fixInputs } = await import('./fix.js');
    return fixInputs(
      files,
      { ...options, fix },
      { check, plan, inputs, omissions, traversal, examine, each, runOf },
      terminal,
    );
  }
  try {
    return await each(examine);
  } finally {
    threads?.close();
  }
}

// --- reports

async function rendered(
  { name, file, stream }: ReportOutput<(typeof REPORTERS)[number]>,
  report: FindingsReport,
  { maxFindings, color, quiet }: FixOptions,
  terminal: Terminal,
): Promise<SafeText> {
  if (name === 'json') return printed(checkDocument(report));
  if (name !== 'pretty') return (await import('../../outputs/findings-for.js')).findingsFor(name, report, terminal);
  if (quiet === true && report.findings.length === 0) return safe``;
  return findingsPretty(report, {
    style: file === undefined ? await paletteFor(stream, terminal, color) : PLAIN,
    width: file === undefined ? stream.columns : USUAL_WIDTH,
    most: maxFindings,
  });
}

function failureOf(action: () => void): TranscriptError | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (isTranscriptError(error)) return error;
    throw error;
  }
}

const NAMED_JSON = /\.jsonl?(?:\.\w+)?$/i;

/** Whether an input is no JSON from its first sign on, such as a stream of events: `redact` takes it, too. */
function isOtherText({ code, place }: TranscriptError): boolean {
  return code === 'json' && place.line === 1 && place.column === 1;
}

/** Two readers of an input; what cannot be read again is kept. */
function readTwice(input: Input): [first: Input, again: Read] {
  if (input.reread !== undefined) return [input, input.reread];
  const kept: Buffer[] = [];
  const read: Read = (buffer, at, length) => {
    const got = input.read(buffer, at, length);
    if (got > 0) kept.push(Buffer.from(buffer.subarray(at, at + got)));
    return got;
  };
  const again: Read = (buffer, at, length) => {
    const next = kept.shift();
    if (next === undefined) return input.read(buffer, at, length); // the first reader gave up
    const got = next.copy(buffer, at, 0, length);
    if (got < next.length) kept.unshift(next.subarray(got));
    return got;
  };
  return [{ ...input, read }, again];
}
