/** What a check finds in transcripts: by rules, by budgets and by policies, each finding with its position. */

import type { Finding, FindingsReport, Safety, TranscriptPlace } from '../../findings.js';
import type { Read } from '../../json/rows.js';
import { type FileUnread, unreadText } from '../../omissions.js';
import { ruleNamed } from '../../rules/index.js';
import type { Provider } from '../../rules/providers.js';
import { errorOf, type Problem } from '../../rules/rule.js';
import type { RuleFinding } from '../../rules/run-rules.js';
import type { Detection } from '../../source/detect/detection.js';
import type { Opened } from '../../source/piece.js';
import type { Transcript } from '../../transcript/types.js';
import type { Models } from '../context.js';
import type { Settled } from '../rewrite/settle.js';
import { budgetsIn, excesses, isCounted, isPriced, type Limits } from './budgets.js';
import { COUNTING, tightProblems, UNREAD } from './context-limits.js';
import type { FixPiece } from './fix.js';
import type { Meter } from './meter.js';
import type { Plan } from './plan.js';
import type { PolicyCheck } from './policies.js';
import { excerptOf, messagePositions, positionOfProblem } from './positions.js';
import { createRows, type FindingPlace, type FindingRow } from './rows.js';
import type { SecretCheck } from './secrets.js';
import { sentBefore } from './sent-before.js';
import type { SessionFinding } from './sessions.js';
import { createTotals } from './totals.js';
import { createTranscriptRules, type Subject } from './transcript-rules.js';

/** Takes a transcript of one file, in the order of the file, and returns what it became. */
export type Visit = (transcript: Transcript, piece: Opened) => Transcript;

/** What becomes of a piece, step by step. */
export type Fixing = (piece: Opened, detection: Detection) => readonly Settled[];

export interface Check {
  /** Checks the transcripts of a file, and returns them unchanged. `tried`: fixes of these kinds were. */
  examining(
    file: string,
    withUsage?: (transcript: Transcript) => Transcript,
    tried?: ReadonlySet<Safety> | undefined,
  ): Visit;
  /** Fixes the pieces of a file, and checks what is left, unless another reading of the file does. */
  fixing(file: string, fixPiece: FixPiece, allowed: ReadonlySet<Safety>, leaves?: 'unchecked'): Fixing;
  /** Adds what was not read of a file, and so was not checked. */
  addUnread(unread: FileUnread): void;
  /** Adds what keeps its agent from loading all of a file, and how many of these faults were mended before. */
  addSession(file: string, findings: readonly SessionFinding[], mended: number): void;
  /** Searches the bytes of a file that was visited for secrets that no transcript of it holds. */
  searching(file: string, read: Read): void;
  /** In a worker thread: the transcripts since it was last asked; undefined if there is more to tell. */
  handOver(): CheckedPart | undefined;
  /** Adds transcripts of the file that is being examined, which another thread has checked. */
  takeOver(part: CheckedPart, file: string): void;
  /** All findings, by file and position. */
  findings(): Finding[];
  totals(): Pick<FindingsReport, 'transcripts' | 'fixed' | 'checks'>;
  /** All transcripts that were checked. */
  places(): readonly TranscriptPlace[];
}

/** Transcripts in which nothing was found. */
export interface CheckedPart {
  readonly ids: readonly (string | undefined)[];
  /** The rules that were run. */
  readonly rules: readonly string[];
}

interface PlacedSubject extends Subject {
  /** The file as programs name it. */
  readonly path: string;
}

export interface CheckOptions {
  readonly plan: Plan;
  readonly limits: Limits;
  readonly policies: readonly PolicyCheck[];
  /** Searches for secrets, if given. */
  readonly secrets?: SecretCheck | undefined;
  /** Made when something is counted. */
  meter(): Meter;
  readonly models: Models;
  /** What is done to a transcript before it is checked. */
  prepare?(transcript: Transcript): Transcript;
  /** How programs name a file: relative to the working directory, with slashes. */
  pathOf(file: string): string;
}

/** Whether a check counts tokens. */
export function needsMeter(plan: Plan, limits: Limits): boolean {
  return isCounted(limits) || plan.applies(COUNTING);
}

export function createCheck(options: CheckOptions): Check {
  const {
    plan,
    limits,
    policies,
    secrets,
    meter,
    models,
    pathOf,
    prepare = (transcript: Transcript) => transcript,
  } = options;
  const rows = createRows(plan);
  const rules = createTranscriptRules(plan, meter);
  const totals = createTotals(limits, meter);
  const places: TranscriptPlace[] = [];
  const priced: FindingPlace[] = [];
  let first: FindingPlace | undefined;
  let fixes = 0;
  let index = 0; // of the transcript in its file

  const examine = (subject: PlacedSubject, index: number, tried?: ReadonlySet<Safety>) => {
    const { transcript, piece, file, path } = subject;
    const { found, counts, provider } = rules.run(subject);
    const isAsked = counts || plan.at(file).severityOf(COUNTING) === undefined;
    const whole = [
      ...tightProblems(transcript, models, isAsked ? undefined : (of) => meter().fit(of)),
      ...excesses(transcript, limits, isCounted(limits) ? meter().use(transcript) : undefined),
      ...(secrets?.problemsIn(transcript, piece) ?? []),
    ];
    const against = policies.flatMap((policy) => policy.add(transcript, { file, line: piece.line, index }));
    const place = { file, path, transcript: { index, id: transcript.id } };
    places.push(place);
    totals.add(transcript, { file, line: piece.line });
    const isFine = found.length + whole.length + against.length === 0;
    if (isFine && first !== undefined && !isPriced(limits)) return; // positions take time
    const locate = locator(subject, place);
    first ??= locate(undefined);
    if (isPriced(limits)) priced.push(locate(undefined));
    const add = (rule: string, problem: Problem, more: Partial<FindingRow> = {}) =>
      rows.add({ rule, problem, place: locate(problem), ...more });
    for (const problem of found.map((one) => withoutTried(one, tried)))
      add(problem.rule.id, problem, ruleRow(problem, transcript, provider));
    for (const problem of whole) add(problem.rule, problem, wholeRow(problem.rule, provider));
    for (const problem of against)
      add(problem.rule, problem, { more: { excerpt: excerptOf(problem, transcript) }, atMost: problem.severity });
  };
  /** Adds the findings that are known only at the end. */
  const close = () => {
    if (first === undefined) return;
    const all: FindingPlace = { ...first, transcript: undefined };
    for (const { rule, text, place } of policies.flatMap((policy) => policy.alerts())) {
      const at = place && { ...place, path: pathOf(place.file), column: 1, transcript: alertTranscript(place) };
      rows.add({ rule, problem: wholeProblem(text, place === undefined), place: at ?? all });
    }
    for (const { rule, text, place } of totals.exceeded(priced))
      rows.add({ rule, problem: wholeProblem(text, place === undefined), place: place ?? all });
  };
  const visiting = (file: string, visit: (subject: PlacedSubject, index: number) => void): Visit => {
    rows.open(file);
    const path = pathOf(file);
    index = 0;
    return (transcript, piece) => {
      visit({ transcript, piece, file, path }, index++);
      return transcript;
    };
  };
  return {
    examining: (file, withUsage = (transcript) => transcript, tried) =>
      visiting(file, (subject, index) =>
        examine({ ...subject, transcript: withUsage(prepare(subject.transcript)) }, index, tried),
      ),
    fixing(file, fixPiece, allowed, leaves) {
      const visit =
        leaves === undefined ? visiting(file, (subject, index) => examine(subject, index, allowed)) : undefined;
      return (piece, detection) => {
        const { rounds, left, fixed } = fixPiece(piece, { rules, file, allowed, detection });
        fixes += fixed;
        for (const transcript of left.transcripts) visit?.(transcript, left.piece);
        return rounds;
      };
    },
    addUnread(unread) {
      const { file, line } = unread;
      const place = { file, path: pathOf(file), line, column: 1, transcript: undefined };
      rows.add({ rule: UNREAD.id, problem: wholeProblem(unreadText(unread), false), place });
    },
    addSession(file, findings, mended) {
      rows.open(file);
      fixes += mended;
      for (const { rule, line, text, fix } of findings) {
        const place = { file, path: pathOf(file), line, column: 1, transcript: undefined };
        rows.add({ rule, problem: wholeProblem(text, false), place, more: { excerpt: undefined, fix } });
      }
    },
    searching(file, read) {
      for (const problem of secrets?.problemsAround(read) ?? []) {
        const { rule, line, column } = problem;
        rows.add({ rule, problem, place: { file, path: pathOf(file), line, column, transcript: undefined } });
      }
    },
    handOver() {
      const ids = places.splice(0).map(({ transcript }) => transcript?.id);
      return rows.clear() > 0 ? undefined : { ids, rules: [...rules.ids] };
    },
    takeOver({ ids, rules: run }, file) {
      const path = pathOf(file);
      for (const id of ids) places.push({ file, path, transcript: { index: index++, id } });
      for (const rule of run) rules.ids.add(rule);
    },
    findings() {
      close();
      return secrets === undefined ? rows.sorted() : rows.sorted().map(secrets.cleaned);
    },
    totals: () => ({
      transcripts: places.length,
      fixed: fixes,
      checks: checksOf(options, rules.ids).size,
    }),
    places: () => places,
  };
}

/** A problem that a fix did not mend has none. */
function withoutTried(problem: RuleFinding, tried: ReadonlySet<Safety> | undefined): RuleFinding {
  const { isFixable, isNote, safety, text } = problem;
  if (!isFixable || isNote === true || safety === undefined || tried?.has(safety) !== true) return problem;
  return { ...problem, isFixable: false, text: `${text}; its fix would not leave fewer errors` };
}

/** Where a problem is, or the transcript if there is none. */
function locator({ transcript, piece }: Subject, place: TranscriptPlace) {
  const positions = piece.positions();
  const ofMessage = messagePositions(transcript.messages, positions);
  const start = ofMessage(0) ?? (piece.record && positions(piece.record)) ?? { line: piece.line, column: 1 };
  return (problem: Problem | undefined): FindingPlace => ({
    ...place,
    ...start,
    ...(problem === undefined ? {} : positionOfProblem(problem, positions, ofMessage)),
  });
}

/** The rule that counts has no words of its own: those of the provider. */
function wholeRow(rule: string, provider: Provider): Partial<FindingRow> {
  return rule === COUNTING ? { more: { excerpt: undefined, error: errorOf(ruleNamed(rule)!, provider) } } : {};
}

function ruleRow(
  problem: RuleFinding,
  transcript: Transcript,
  provider: Provider,
): Pick<FindingRow, 'more' | 'atMost'> {
  const { rule, isFixable, safety } = problem;
  return {
    more: {
      excerpt: excerptOf(problem, transcript),
      error: errorAt(errorOf(rule, provider), problem.message, transcript),
      fix: isFixable && safety !== undefined ? { safety, summary: rule.fix!.summary } : undefined,
    },
    atMost: problem.isNote ? 'info' : 'error',
  };
}

/** The API's error with the place of this message, not of the one in the first report: `messages.22: …`. */
function errorAt(error: string | undefined, index: number | undefined, { messages }: Transcript) {
  if (index === undefined) return error;
  return error?.replace(/\b(messages|contents|input)([.[])\d+/g, (_, list: string, sign: string) => {
    const { sent, system } = sentBefore(messages)[index]!;
    const isApart = list === 'contents' || (list === 'messages' && sign === '.');
    return `${list}${sign}${sent - (isApart ? system : 0)}`;
  });
}

function wholeProblem(text: string, isAboutAll: boolean): Problem {
  return { message: undefined, text: isAboutAll ? `all together: ${text}` : text };
}

function alertTranscript({ index, transcript }: { readonly index: number; readonly transcript: string | undefined }) {
  return { index, id: transcript };
}

/** Ids of all rules that can have found something: those that were run, budgets that are set, rules of policies. */
function checksOf({ plan, limits, policies }: CheckOptions, run: ReadonlySet<string>): ReadonlySet<string> {
  const others = [...budgetsIn(limits), ...policies.flatMap(({ words }) => words.map(({ id }) => id))];
  return new Set([...run, ...others.filter((id) => plan.severityOf(id) !== undefined)]);
}
