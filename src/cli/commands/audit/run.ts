import { auditDocument, decisionDocument } from '../../../documents/audit.js';
import { printed } from '../../../documents/print.js';
import { auditFindings, auditRules, createAuditRun } from '../../../engine/audit/audit.js';
import { dayFunction, periodOf } from '../../../engine/period.js';
import { TranscriptError } from '../../../errors.js';
import type { FindingsReport } from '../../../findings.js';
import { languageOf } from '../../../options/language.js';
import { alertText } from '../../../policy/alerts.js';
import { amountOf } from '../../../policy/costs.js';
import { decide } from '../../../policy/decide.js';
import { faultsOfRules } from '../../../policy/lint.js';
import { lenient } from '../../../policy/query-history/index.js';
import type { Policy } from '../../../policy/types.js';
import { type AuditReport, auditCsv, auditMarkdown, auditText, decisionText } from '../../../reports/audit/index.js';
import { summaryLine } from '../../../reports/findings/pretty.js';
import { PLAIN } from '../../../reports/report.js';
import { safeJson } from '../../../safe/json.js';
import { joined, type SafeText, safe, shown } from '../../../safe/text.js';
import { currencyOf } from '../../../text/money.js';
import { shareIn } from '../../../text/parse-share.js';
import { plural } from '../../../text/words.js';
import type { Config } from '../../config/config.js';
import { policiesIn } from '../../config/paths.js';
import { loadPolicyContext } from '../../context/policy-context.js';
import { readPolicy } from '../../context/policy-file.js';
import { type Input, shownName } from '../../files/input.js';
import { finderOf } from '../../inputs/finder.js';
import { collectOmissions } from '../../inputs/omissions.js';
import { createScope } from '../../inputs/read-files.js';
import { forEachInput, openPieces, portable, say } from '../../inputs/reading.js';
import type { ExitCode } from '../../options/command.js';
import { tableStyleFor } from '../../outputs/colors.js';
import { isSilent, putOut, type ReportOutput, reportOutputs } from '../../outputs/report-outputs.js';
import type { Terminal } from '../../terminal/terminal.js';
import { type AuditOptions, REPORTERS } from './options.js';

export async function runAudit(
  words: readonly string[],
  options: AuditOptions,
  terminal: Terminal,
  config: Config,
): Promise<ExitCode> {
  const { policy: loaded, placeOf } = await readPolicy(policyFor(options, config), terminal);
  const policy = options.lenient === true ? lenient(loaded) : loaded;
  if (options.explain !== undefined) return explain(policy, words, options, terminal);
  for (const { path, message } of faultsOfRules(loaded))
    say(terminal, `ctx-trim: ${placeOf(path)}: warning: ${message}`);
  const currency = currencyFor(policy, options.currency);
  const outputs = reportOutputs(REPORTERS, 'table', options, terminal);
  const targetRate = shareIn(options.targetRate, '--target-rate');
  const gathered = await gather(policy, words, options, config, terminal);
  const { facts, findings, good } = gathered;
  if (facts.timeless > 0) say(terminal, `ctx-trim: ${plural(facts.timeless, 'call')} without a recorded time skipped`);
  const report: AuditReport = {
    omissions: gathered.omissions,
    facts,
    findings,
    by: options.by,
    callsPerDay: options.callsPerDay,
    targetRate,
    language: languageOf(options.lang),
    currency,
  };
  const isWritten = await putOut(outputs, (output) => rendered(output, report, gathered, options, terminal), terminal);
  if (isWritten && isSilent(outputs))
    terminal.stderr.write(safe`ctx-trim: ${summaryLine(findingsOf(report, gathered, options, terminal))}\n`);
  if (!good || !isWritten) return 2;
  return facts.alerts.length > 0 || (options.strict === true && findings.some(({ severity }) => severity === 'error'))
    ? 1
    : 0;
}

/** `--explain` uses the built-in policy by default. */
function policyFor({ policy, explain: text }: AuditOptions, config: Config): string {
  const [first, ...others] = policy === undefined ? policiesIn(config) : [policy];
  if (others.length > 0)
    throw new TranscriptError('usage', `${config.file} names several policies; choose one with --policy`);
  if (first === undefined && text === undefined)
    throw new TranscriptError(
      'usage',
      'audit needs --policy <file>, or --policy query-history (built in); create a file with ' +
        '`ctx-trim policy init <recordings> > policy.yaml`',
    );
  return first ?? 'query-history';
}

// --- reading

type Gathered = Awaited<ReturnType<typeof gather>>;

async function gather(
  policy: Policy,
  words: readonly string[],
  options: AuditOptions,
  config: Config,
  terminal: Terminal,
) {
  const dayOf = dayFunction(options.timezone);
  const period = { dayOf, counts: periodOf(options, dayOf) };
  const context = await loadPolicyContext(policy, options, config, terminal);
  const audit = createAuditRun(policy, { language: languageOf(options.lang), context, period });
  const scope = createScope(terminal);
  const omissions = collectOmissions({ countsBadLines: false });
  const take = (input: Input) => {
    const visit = audit.visiting(shownName(input.name));
    for (const piece of openPieces(input, options, terminal, { omissions })) if (piece.type === 'opened') visit(piece);
    scope.finished(input);
  };
  const good = await forEachInput(words, terminal, take, {
    ...options,
    isSilent: true,
    failed(file, error) {
      scope.failed(file, error);
      omissions.failed(file, error);
    },
    find: finderOf(options, config, terminal),
  });
  return { ...audit.result(), ...scope.read(), omissions, good };
}

// --- reports

async function rendered(
  { name, file, stream }: ReportOutput<(typeof REPORTERS)[number]>,
  report: AuditReport,
  gathered: Gathered,
  options: AuditOptions,
  terminal: Terminal,
): Promise<SafeText> {
  const isEmpty = report.facts.transcripts === 0;
  switch (name) {
    case 'table':
      return isEmpty
        ? safe``
        : auditText(
            report,
            file === undefined ? await tableStyleFor(stream, terminal, options.color) : PLAIN,
            file === undefined && stream.isTerminal ? stream.columns : undefined,
          );
    case 'json':
      return isEmpty ? safe`` : printed(auditDocument(report));
    case 'csv':
      for (const alert of report.facts.alerts) say(terminal, `ctx-trim: ${alertText(alert, report)}`);
      return isEmpty ? safe`` : auditCsv(report);
    case 'markdown':
      return isEmpty ? safe`` : auditMarkdown(report);
    default:
      return (await import('../../outputs/findings-for.js')).findingsFor(
        name,
        findingsOf(report, gathered, options, terminal),
        terminal,
      );
  }
}

/** Findings for CI reporters. A denied call is a warning unless --strict is given; an alert is an error. */
function findingsOf(
  report: AuditReport,
  { files, unreadable, omissions }: Gathered,
  { strict }: AuditOptions,
  { cwd }: Terminal,
): FindingsReport {
  const { facts, language } = report;
  const words = auditRules(facts);
  return {
    findings: auditFindings(report, {
      language,
      strict: strict === true,
      firstFile: files[0]?.file ?? 'stdin',
      pathOf: (file) => portable(file, cwd),
    }),
    files,
    unreadable,
    omissions,
    transcripts: facts.transcripts,
    fixed: 0,
    checks: words.size,
    wordsOf: (rule) => words.get(rule)!,
  };
}

function currencyFor({ currency: own = 'USD' }: Policy, text: string | undefined): AuditReport['currency'] {
  if (text === undefined) return { code: own, rate: amountOf(1) };
  const { code, perDollar } = currencyOf(text);
  return { code, rate: perDollar };
}

// --- explain

async function explain(
  policy: Policy,
  words: readonly string[],
  options: AuditOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { explain: text, tool, format } = options;
  const style = await tableStyleFor(terminal.stdout, terminal, options.color);
  const given = [...(typeof text === 'string' ? [text] : []), ...words];
  const lines = given.length > 0 ? given : linesOf(readAll(terminal));
  const answers = lines.map((line) => {
    const decision = decide(policy, { text: line, tool }, languageOf(options.lang));
    if (format === 'json') return safe`${safeJson(decisionDocument(decision))}\n`;
    const title = lines.length > 1 || given.length === 0 ? safe`${style.name(shown(line))}\n` : safe``;
    return safe`${title}${decisionText(decision, style)}`;
  });
  terminal.stdout.write(format === 'json' ? joined(answers, '') : joined(answers, '\n'));
  return 0;
}

function readAll({ stdin }: Terminal): string {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.alloc(1 << 16);
    const length = stdin(chunk, 0, chunk.length);
    if (length === 0) return Buffer.concat(chunks).toString();
    chunks.push(chunk.subarray(0, length));
  }
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '');
}
