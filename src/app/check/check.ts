/** What a check finds in transcripts: by rules, by budgets and by policies, each finding with its position. */
import type { Finding, FindingsReport, Safety, Severity, TranscriptPlace } from '../../findings.js';
import { formatNamed } from '../../formats/index.js';
import type { Problem } from '../../rules/rule.js';
import { applyFixes, type LintOptions, runRules } from '../../rules/run-rules.js';
import type { Opened } from '../../source/piece.js';
import type { Position } from '../../source/position.js';
import { grouped, plural } from '../../text/words.js';
import type { Transcript } from '../../transcript/types.js';
import { budgetsIn, costText, excesses, isCounted, isPriced, type Limits, overText } from './budgets.js';
import { COUNTING, tightProblems } from './context-limits.js';
import type { Meter, Use } from './meter.js';
import type { Plan } from './plan.js';
import type { PolicyCheck } from './policies.js';
import { excerptOf, positionOfMessage, positionOfProblem } from './positions.js';

/** Takes a transcript of one file, in the order of the file, and returns what it became. */
export type Visit = (transcript: Transcript, piece: Opened) => Transcript;

export interface Check {
  /** Checks the transcripts of a file, and returns them unchanged. */
  examining(file: string): Visit;
  /** Fixes them, and checks what is left. */
  fixing(file: string, allowed: ReadonlySet<Safety>): Visit;
  /** Fixes them without checking the result. */
  fixingOnly(file: string, allowed: ReadonlySet<Safety>): Visit;
  /** All findings, by file and position. */
  findings(): Finding[];
  totals(): Pick<FindingsReport, 'transcripts' | 'fixed' | 'checks'>;
  /** All transcripts that were checked. */
  places(): readonly TranscriptPlace[];
}

export interface CheckOptions {
  readonly plan: Plan;
  readonly limits: Limits;
  readonly policies: readonly PolicyCheck[];
  /** Needed where `needsMeter` says so. */
  readonly meter: Meter | undefined;
  /** Count as this model, whatever the recording says. */
  readonly model: string | undefined;
  /** What is done to a transcript before it is checked. */
  prepare?(transcript: Transcript): Transcript;
  /** How programs name a file: relative to the working directory, with slashes. */
  pathOf(file: string): string;
}

/** Whether a check counts tokens. */
export function needsMeter(plan: Plan, limits: Limits): boolean {
  return isCounted(limits) || plan.applies(COUNTING);
}

/** Where a transcript begins. */
type Start = Position & TranscriptPlace;

export function createCheck(options: CheckOptions): Check {
  const { plan, limits, policies, meter, model, pathOf, prepare = (transcript: Transcript) => transcript } = options;
  const rows: { readonly finding: Finding; readonly file: number }[] = [];
  const opened: string[] = [];
  const priced: Start[] = []; // the transcripts that the meter prices
  let first: Start | undefined;
  const places: TranscriptPlace[] = [];
  const checks = new Set<string>();
  const totals = { tokens: 0, calls: 0, source: 'exact' as Use['source'] };
  let fixed = 0;

  const lintOptions = (transcript: Transcript, piece: Opened, file: string): LintOptions => ({
    provider: plan.at(file).providerFor(transcript),
    asRequest: plan.asRequest,
    format: formatNamed(transcript.format),
    record: piece.record,
    contextUse: (of) => meter!.fit(of),
  });
  const rulesOf = (of: LintOptions, file: string) => {
    const rules = plan.at(file).rulesFor(of.provider);
    for (const { id } of rules) checks.add(id);
    return rules;
  };
  const fix = (transcript: Transcript, piece: Opened, allowed: ReadonlySet<Safety>, file: string): Transcript => {
    const of = lintOptions(transcript, piece, file);
    const rules = rulesOf(of, file);
    const before = runRules(transcript, rules, of);
    if (!before.some(({ rule: { fix } }) => fix !== undefined && allowed.has(fix.safety))) return transcript;
    const after = applyFixes(transcript, rules, allowed, of);
    if (after === transcript) return transcript;
    const left = runRules(after, rules, of);
    for (const rule of new Set(before.map((finding) => finding.rule)))
      fixed += Math.max(0, countOf(before, rule) - countOf(left, rule));
    return after;
  };
  const put = (rule: string, { problem, place, more, atMost = 'error' }: Put) => {
    const severity = plan.at(place.file).severityOf(rule);
    if (severity === undefined) return;
    const { file, path, line, column, transcript } = place;
    rows.push({
      file: opened.indexOf(file),
      finding: {
        rule,
        severity: milder(severity, atMost),
        message: problem.text,
        file,
        path,
        line,
        column,
        transcript,
        index: problem.message,
        callId: problem.callId === '' ? undefined : problem.callId,
        excerpt: undefined,
        fix: undefined,
        ...more,
      },
    });
  };
  const examine = (transcript: Transcript, piece: Opened, file: string, number: number) => {
    const of = lintOptions(transcript, piece, file);
    const rules = rulesOf(of, file);
    const found = runRules(transcript, rules, of);
    const excess = [...excesses(transcript, limits, meter?.use(transcript))];
    const countsContext = rules.some(({ id }) => id === COUNTING);
    const tight = tightProblems(transcript, model, countsContext);
    const against = policies.flatMap((policy) => policy.add(transcript, { file, line: piece.line, index: number }));
    places.push({ file, path: pathOf(file), transcript: { index: number, id: transcript.id } });
    const problems = found.length + excess.length + tight.length + against.length;
    if (problems > 0 || first === undefined || isPriced(limits)) {
      const positions = piece.positions();
      const start = positionOfMessage(transcript.messages, 0, positions) ??
        (piece.record && positions(piece.record)) ?? { line: piece.line, column: 1 };
      const at: Start = { ...places.at(-1)!, ...start };
      const placed = (problem: Problem) => ({
        problem,
        place: { ...at, ...(positionOfProblem(problem, transcript, positions) ?? start) },
      });
      first ??= at;
      if (isPriced(limits)) priced.push(at);
      for (const problem of found) {
        const { fix: remedy, id } = problem.rule;
        const isFixed = problem.isFixable && remedy !== undefined;
        const more = {
          excerpt: excerptOf(problem, transcript),
          fix: isFixed ? { safety: remedy.safety, summary: remedy.summary } : undefined,
        };
        put(id, { ...placed(problem), more, atMost: problem.isNote ? 'info' : 'error' });
      }
      for (const problem of [...tight, ...excess]) put(problem.rule, placed(problem));
      for (const problem of against) {
        const more = { excerpt: excerptOf(problem, transcript) };
        put(problem.rule, { ...placed(problem), more, atMost: problem.severity });
      }
    }
    if (limits.total.tokens !== undefined) {
      const { tokens, source } = meter!.use(transcript);
      totals.tokens += tokens;
      if (source === 'estimated') totals.source = source;
    }
    totals.calls += callsIn(transcript);
    if (isPriced(limits)) meter!.add(transcript);
  };
  const visiting = (
    file: string,
    visit: (transcript: Transcript, piece: Opened, index: number) => Transcript,
  ): Visit => {
    opened.push(file);
    let index = 0;
    return (transcript, piece) => visit(transcript, piece, index++);
  };
  /** Findings about all transcripts together, known only at the end. */
  const close = (): void => {
    for (const id of [...budgetsIn(limits), ...policies.flatMap(({ words }) => words.map((known) => known.id))])
      if (plan.severityOf(id) !== undefined) checks.add(id);
    if (first === undefined) return;
    const all: Start = { ...first, transcript: undefined };
    const whole = (rule: string, text: string | undefined, place: Start = all) => {
      if (text === undefined) return;
      put(rule, { problem: { message: undefined, text: place === all ? `all together: ${text}` : text }, place });
    };
    for (const { rule, text, place } of policies.flatMap((policy) => policy.alerts())) {
      if (place === undefined) whole(rule, text);
      else {
        const transcript = { index: place.index, id: place.transcript };
        const start = { file: place.file, path: pathOf(place.file), line: place.line, column: 1, transcript };
        put(rule, { problem: { message: undefined, text }, place: start });
      }
    }
    const { total, cost } = limits;
    if (isPriced(limits)) {
      const { each, total: sum } = meter!.costs();
      if (cost !== undefined)
        priced.forEach((place, index) => void whole('budget/cost', costText(each[index], cost), place));
      if (total.cost !== undefined) whole('budget/cost', costText(sum, total.cost));
    }
    if (total.tokens !== undefined && totals.tokens > total.tokens)
      whole('budget/tokens', overText('tokens', totals.tokens, total.tokens, totals.source));
    if (total.calls !== undefined && totals.calls > total.calls)
      whole('budget/calls', overText('tool calls', totals.calls, total.calls));
  };
  return {
    examining: (file) =>
      visiting(file, (transcript, piece, index) => {
        examine(prepare(transcript), piece, file, index);
        return transcript;
      }),
    fixing: (file, allowed) =>
      visiting(file, (transcript, piece, index) => {
        const after = fix(transcript, piece, allowed, file);
        examine(after, piece, file, index);
        return after;
      }),
    fixingOnly: (file, allowed) => (transcript, piece) => fix(transcript, piece, allowed, file),
    findings() {
      close();
      return [...rows]
        .sort((a, b) => a.file - b.file || a.finding.line - b.finding.line || a.finding.column - b.finding.column)
        .map(({ finding }) => finding);
    },
    totals: () => ({ transcripts: places.length, fixed, checks: checks.size }),
    places: () => places,
  };
}

interface Put {
  readonly problem: Problem;
  readonly place: Start;
  readonly more?: Partial<Finding>;
  /** The finding is no more severe than this, whatever the plan says. */
  readonly atMost?: Severity;
}

/** The finding that says that there are too many warnings, where there are. */
export function tooManyWarnings(findings: readonly Finding[], { maxWarnings }: Plan): Finding[] {
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  if (maxWarnings === undefined || warnings.length <= maxWarnings) return [];
  return [
    {
      ...warnings[0]!,
      rule: 'check/max-warnings',
      severity: 'error',
      message: `${plural(warnings.length, 'warning')}, and no more than ${grouped(maxWarnings)} allowed`,
      transcript: undefined,
      index: undefined,
      callId: undefined,
      excerpt: undefined,
      fix: undefined,
    },
  ];
}

function countOf(findings: readonly { readonly rule: unknown }[], rule: unknown): number {
  return findings.filter((finding) => finding.rule === rule).length;
}

function callsIn({ messages }: Transcript): number {
  return messages.reduce((sum, { parts }) => sum + parts.filter(({ type }) => type === 'call').length, 0);
}

const SEVERITIES: readonly Severity[] = ['info', 'warning', 'error'];

function milder(a: Severity, b: Severity): Severity {
  return SEVERITIES[Math.min(SEVERITIES.indexOf(a), SEVERITIES.indexOf(b))]!;
}
