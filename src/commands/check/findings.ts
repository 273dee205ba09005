/** What `check` finds in the transcripts of its inputs: by rules, by budgets and by policies, each with its place. */

import type { Finding, FindingsReport, Safety, Severity, TranscriptPlace } from '../../findings.js';
import { formatNamed } from '../../formats/index.js';
import { type Input, shownName } from '../../io/input.js';
import type { Terminal } from '../../io/terminal.js';
import { JsonNode } from '../../json/node.js';
import type { Problem } from '../../rules/rule.js';
import { applyFixes, type LintOptions, runRules } from '../../rules/run-rules.js';
import type { Opened } from '../../source/open.js';
import type { Position, Positions } from '../../source/position.js';
import type { Message, Transcript } from '../../transcript/types.js';
import type { Run } from '../rewrite/run.js';
import type { Config } from '../shared/config.js';
import type { Meter, MeterOptions, Use } from '../shared/meter.js';
import type { PolicyCheck } from '../shared/policy-check.js';
import { createScope } from '../shared/read-files.js';
import { portable } from '../shared/reading.js';
import { costText, excesses, isCounted, isPriced, type Limits, overText } from './budgets.js';
import { COUNTING, tightProblems } from './context.js';
import type { Plan } from './plan.js';

export interface Check {
  /** Looks at the transcripts of an input. */
  examining(input: Input): Run['apply'];
  /** Mends them, and looks at what is left. */
  mending(input: Input, allowed: ReadonlySet<Safety>): Run['apply'];
  mendingOnly(input: Input, allowed: ReadonlySet<Safety>): Run['apply'];
  /** All of an input was read. */
  finished(input: Input): void;
  failed(file: string, error: unknown): void;
  /** All findings, in order. */
  findings(): Finding[];
  scope(): Omit<FindingsReport, 'findings' | 'wordsOf'>;
  /** All transcripts that were looked at. */
  places(): readonly TranscriptPlace[];
}

/** Where a transcript stands. */
type Place = Position & TranscriptPlace;

export async function createCheck(
  plan: Plan,
  limits: Limits,
  policies: readonly PolicyCheck[],
  prepare: (transcript: Transcript) => Transcript,
  options: MeterOptions,
  terminal: Terminal,
  config: Config,
): Promise<Check> {
  const meter =
    isCounted(limits) || plan.applies(COUNTING)
      ? await (await import('../shared/meter.js')).createMeter(options, isPriced(limits), config, terminal)
      : undefined;
  const rows: { readonly row: Finding; readonly file: number }[] = [];
  const opened: string[] = [];
  const { finished, failed, read } = createScope(terminal);
  const priced: Place[] = []; // the transcripts that the meter prices
  let first: Place | undefined;
  const places: TranscriptPlace[] = [];
  const checks = new Set<string>();
  const totals = { tokens: 0, calls: 0, source: 'exact' as Use['source'] };
  let fixed = 0;
  const pathOf = (file: string) => portable(file, terminal.cwd);

  const lintOptions = (transcript: Transcript, piece: Opened, file: string): LintOptions => {
    const format = formatNamed(transcript.format);
    return {
      provider: plan.at(file).providerFor(transcript),
      asRequest: plan.asRequest,
      format: format!,
      record: piece.record,
      contextUse: (of) => meter!.fit(of),
    };
  };
  const rulesOf = (of: LintOptions, file: string) => {
    const rules = plan.at(file).rulesFor(of.provider);
    for (const { id } of rules) checks.add(id);
    return rules;
  };
  const mended = (transcript: Transcript, piece: Opened, allowed: ReadonlySet<Safety>, file: string): Transcript => {
    const of = lintOptions(transcript, piece, file);
    const rules = rulesOf(of, file);
    const before = runRules(transcript, rules, of);
    if (!before.some(({ rule: { remedy } }) => remedy !== undefined && allowed.has(remedy.safety))) return transcript;
    const after = applyFixes(transcript, rules, allowed, of);
    if (after === transcript) return transcript;
    const left = runRules(after, rules, of);
    for (const rule of new Set(before.map((finding) => finding.rule)))
      fixed += Math.max(0, count(before, rule) - count(left, rule));
    return after;
  };
  const put = (
    rule: string,
    problem: Problem,
    place: Place,
    more: Partial<Finding> = {},
    atMost: Severity = 'error',
  ) => {
    const severity = plan.at(place.file).severityOf(rule);
    if (severity === undefined) return;
    const { file, path, line, column, transcript } = place;
    rows.push({
      file: opened.indexOf(file),
      row: {
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
    const tight = tightProblems(
      transcript,
      options.model,
      rules.some(({ id }) => id === COUNTING),
    );
    const against = policies.flatMap((policy) => policy.add(transcript, { file, line: piece.line, index: number }));
    places.push({ file, path: pathOf(file), transcript: { index: number, id: transcript.id } });
    if (
      found.length > 0 ||
      tight.length > 0 ||
      excess.length > 0 ||
      against.length > 0 ||
      first === undefined ||
      isPriced(limits)
    ) {
      const positions = piece.positions();
      const start = positionOfMessage(transcript.messages, 0, positions) ??
        (piece.record && positions(piece.record)) ?? { line: piece.line, column: 1 };
      const place: Place = { ...places.at(-1)!, ...start };
      const locate = (problem: Problem) => ({
        ...place,
        ...(positionOfProblem(problem, transcript, positions) ?? start),
      });
      first ??= place;
      if (isPriced(limits)) priced.push(place);
      for (const problem of found) {
        const { remedy, id } = problem.rule;
        const isMended = problem.isFixable && remedy !== undefined;
        const row = {
          excerpt: excerptOf(problem, transcript),
          fix: isMended ? { safety: remedy.safety, summary: remedy.summary } : undefined,
        };
        put(id, problem, locate(problem), row, problem.isNote ? 'info' : 'error');
      }
      for (const problem of tight) put(problem.rule, problem, locate(problem));
      for (const problem of excess) put(problem.rule, problem, locate(problem));
      for (const problem of against)
        put(problem.rule, problem, locate(problem), { excerpt: excerptOf(problem, transcript) }, problem.severity);
    }
    if (limits.total.tokens !== undefined) {
      const { tokens, source } = meter!.use(transcript);
      totals.tokens += tokens;
      if (source === 'estimated') totals.source = source;
    }
    totals.calls += transcript.messages.reduce(
      (sum, { parts }) => sum + parts.filter(({ type }) => type === 'call').length,
      0,
    );
    if (isPriced(limits)) meter!.add(transcript);
  };
  /** Numbers the transcripts of a file. */
  const numbered = (
    input: Input,
    look: (transcript: Transcript, piece: Opened, file: string, number: number) => Transcript,
  ): Run['apply'] => {
    const file = shownName(input.name);
    opened.push(file);
    let number = 0;
    return (transcript, piece) => look(transcript, piece, file, number++);
  };
  const closing = (): void => {
    for (const id of [...budgetsIn(limits), ...policies.flatMap(({ words }) => words.map((known) => known.id))])
      if (plan.severityOf(id) !== undefined) checks.add(id);
    if (first === undefined) return;
    const all: Place = { ...first, transcript: undefined };
    const whole = (rule: string, text: string | undefined, place: Place) =>
      text !== undefined &&
      put(rule, { message: undefined, text: place === all ? `all together: ${text}` : text }, place);
    for (const { rule, text, place } of policies.flatMap((policy) => policy.alerts())) {
      if (place === undefined) whole(rule, text, all);
      else
        put(
          rule,
          { message: undefined, text },
          {
            ...all,
            ...place,
            path: pathOf(place.file),
            column: 1,
            transcript: { index: place.index, id: place.transcript },
          },
        );
    }
    const { total, cost } = limits;
    if (isPriced(limits))
      priceAll(meter!, priced, cost, total.cost, (text, place) => whole('budget/cost', text, place ?? all));
    if (total.tokens !== undefined && totals.tokens > total.tokens)
      whole('budget/tokens', overText('tokens', totals.tokens, total.tokens, totals.source), all);
    if (total.calls !== undefined && totals.calls > total.calls)
      whole('budget/calls', overText('tool calls', totals.calls, total.calls), all);
  };
  return {
    examining: (input) =>
      numbered(input, (transcript, piece, file, number) => {
        examine(prepare(transcript), piece, file, number);
        return transcript;
      }),
    mending: (input, allowed) =>
      numbered(input, (transcript, piece, file, number) => {
        const after = mended(transcript, piece, allowed, file);
        examine(after, piece, file, number);
        return after;
      }),
    mendingOnly:
      ({ name }, allowed) =>
      (transcript, piece) =>
        mended(transcript, piece, allowed, shownName(name)),
    finished,
    failed,
    findings() {
      closing();
      return [...rows]
        .sort((a, b) => a.file - b.file || a.row.line - b.row.line || a.row.column - b.row.column)
        .map(({ row }) => row);
    },
    scope: () => ({ ...read(), transcripts: places.length, fixed, checks: checks.size }),
    places: () => places,
  };
}

function budgetsIn({
  tokens,
  cost,
  calls,
  repeatedCalls,
  resultLength,
  systemLength,
  contextShare,
  total,
}: Limits): string[] {
  const set = {
    tokens: tokens ?? total.tokens,
    cost: cost ?? total.cost,
    calls: calls ?? total.calls,
    'repeated-calls': repeatedCalls,
    'result-length': resultLength,
    'system-prompt': systemLength,
    'context-share': contextShare,
  };
  return Object.entries(set).flatMap(([name, limit]) => (limit === undefined ? [] : [`budget/${name}`]));
}

/** What each cost and what all cost is known when all requests are: of some that two recordings share, one has paid. */
function priceAll(
  meter: Meter,
  places: readonly Place[],
  limit: bigint | undefined,
  totalLimit: bigint | undefined,
  say: (text: string | undefined, place: Place | undefined) => void,
): void {
  const { each, total } = meter.costs();
  if (limit !== undefined) places.forEach((place, number) => void say(costText(each[number], limit), place));
  if (totalLimit !== undefined) say(costText(total, totalLimit), undefined);
}

function count(findings: readonly { readonly rule: unknown }[], rule: unknown): number {
  return findings.filter((finding) => finding.rule === rule).length;
}

// --- where it is

/** The most exact place that is known: of the value, the part, the message, or a message before it. */
function positionOfProblem(
  { node, part, message }: Problem,
  { messages }: Transcript,
  positions: Positions,
): Position | undefined {
  for (const value of [node, part?.raw]) {
    const position = value instanceof JsonNode ? positions(value) : undefined;
    if (position !== undefined) return position;
  }
  return message === undefined ? undefined : positionOfMessage(messages, message, positions);
}

function positionOfMessage(messages: readonly Message[], index: number, positions: Positions): Position | undefined {
  for (let at = index; at >= 0; at--) {
    for (const value of [messages[at]?.raw, messages[at]?.origin]) {
      const position = value instanceof JsonNode ? positions(value) : undefined;
      if (position !== undefined) return position;
    }
  }
  return undefined;
}

/** Bytes of a value that are looked at. */
const SHOWN = 400;

function excerptOf({ node, part, message }: Problem, { messages }: Transcript): string | undefined {
  const value = [node, part?.raw, message === undefined ? undefined : messages[message]?.raw].find(
    (candidate) => candidate instanceof JsonNode,
  );
  if (value === undefined) return undefined;
  const { source, start, end } = value as JsonNode;
  return source.bytes.utf8Slice(start, Math.min(end, start + SHOWN)).replace(/\s+/g, ' ');
}

const SEVERITIES: readonly Severity[] = ['info', 'warning', 'error'];

function milder(a: Severity, b: Severity): Severity {
  return SEVERITIES[Math.min(SEVERITIES.indexOf(a), SEVERITIES.indexOf(b))]!;
}
