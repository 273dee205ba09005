/** What an audit found, as a table and as JSON. */
import { type Alert, type AuditFacts, projected, type Row, rateOf } from '../policy/audit.js';
import { compile } from '../policy/compiled.js';
import { type Amount, costOf, formatAmount, roundedNumber, symbolOf } from '../policy/costs.js';
import type { Decision } from '../policy/decide.js';
import type { PolicyFinding } from '../policy/judge.js';
import { PHRASES } from '../policy/phrases.js';
import type { Language, Policy, ToolSpec } from '../policy/types.js';
import { type MarkdownText, markdown, markdownCode, markdownProse, markdownText } from '../safe/formats.js';
import { safeJson } from '../safe/json.js';
import { joined, type SafeText, safe, shown, spaces } from '../safe/text.js';
import { widthOf } from '../text/width.js';
import { grouped, wrapped } from '../text/words.js';
import { PLAIN, type Style } from './report.js';
import { type Column, renderCsv, renderMarkdown, renderTable } from './rows.js';

/** A finding with its place, as `check` has it too. */
export interface AuditFinding extends PolicyFinding {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly transcript: { readonly index: number; readonly id: string | undefined };
}

export interface AuditReport {
  readonly facts: AuditFacts;
  readonly findings: readonly AuditFinding[];
  readonly by: 'tool' | 'rule' | 'file' | 'day';
  readonly callsPerDay: number;
  /** The share of misuse that the saving is reckoned to: 0.02. */
  readonly targetRate: number;
  readonly language: Language;
  /** What an amount of the policy's currency is shown in, and how many of that it is, in 1e-12. */
  readonly currency: { readonly code: string; readonly rate: Amount };
}

// --- the table

/** `width`: of a terminal, within which it stays; a file or a pipe gets each finding on a line. */
export function auditText(report: AuditReport, style: Style, width = Infinity): SafeText {
  const { facts, findings } = report;
  const room = report.language === 'en' ? width : Infinity; // lines break between words
  const found = findings.map((finding) => findingText(finding, report, style, room));
  const alerts = facts.alerts
    .flatMap((alert) => linesOf(alertText(alert, report), room))
    .map((line) => safe`${style.gone(line)}\n`);
  const idle = facts.notExercised.length === 0 ? [] : [safe`${shown(idleText(facts))}\n`];
  const held = facts.heldBack
    .flatMap((alert) => linesOf(heldBackText(alert, report), room))
    .map((line) => safe`${line}\n`);
  const wasted = paragraphs(report).map((text) => linesOf(text, room).map((line) => safe`${line}\n`));
  return sectionsOf([[tableOf(report, style, width)], wasted.flat(), found, idle, held, alerts]);
}

/** Those that hold something, an empty line apart. */
function sectionsOf<Text extends SafeText>(sections: readonly (readonly Text[])[]): Text {
  const texts = sections.map((section) => joined(section, ''));
  return joined(
    texts.filter((text) => text !== ''),
    '\n',
  );
}

/** Without the range of a cost where there is no room for it. */
function tableOf(report: AuditReport, style: Style, width: number): SafeText {
  const table = (hasRange: boolean) => (of: Style) => renderTable(columnsOf(report, hasRange), rowsOf(report), of);
  const isWide = table(true)(PLAIN)
    .split('\n')
    .some((line) => widthOf(line) > width);
  return table(!isWide)(style);
}

function linesOf(text: string, width: number, indent = 0): SafeText[] {
  return width === Infinity ? [shown(text)] : wrapped(text, width, indent);
}

export function auditMarkdown(report: AuditReport): MarkdownText {
  const { facts, findings } = report;
  const found = findings.map(
    ({ file, line, severity, rule, text, instead }) =>
      markdown`- ${markdownCode(`${file}:${line}`)} ${markdownText(severity)} ${markdownCode(rule)}: ${markdownProse(text + adviceText(instead, report))}\n`,
  );
  return sectionsOf([
    [renderMarkdown(columnsOf(report), rowsOf(report))],
    paragraphs(report).map((text) => markdown`${markdownProse(text)}\n`),
    found,
    facts.notExercised.length === 0 ? [] : [markdown`${markdownText(idleText(facts))}\n`],
    facts.heldBack.map((alert) => markdown`${markdownProse(heldBackText(alert, report))}\n`),
    facts.alerts.map((alert) => markdown`**${markdownProse(alertText(alert, report))}**\n`),
  ]);
}

export function auditCsv(report: AuditReport): SafeText {
  return renderCsv(columnsOf(report), rowsOf(report));
}

function rowsOf({ facts, by }: AuditReport): readonly Row[] {
  return { tool: facts.tools, rule: facts.rules, file: facts.files, day: facts.days }[by];
}

function columnsOf({ facts: { policy }, by, currency }: AuditReport, hasRange = true): Column<Row>[] {
  const money = (amount: Amount | undefined) => (amount === undefined ? '' : amountIn(amount, currency));
  const count = (title: 'calls' | 'valid' | 'warned' | 'denied' | 'invalid'): Column<Row> => ({
    title,
    align: 'right',
    text: (row) => grouped(row[title]),
    value: (row) => row[title],
  });
  return [
    {
      title: by,
      text: ({ name }) => name,
      ...(by === 'file' ? { width: 40, keeps: 'end' as const } : {}),
      value: ({ name }) => name,
    },
    ...(['calls', 'valid', 'warned', 'denied', 'invalid'] as const).map(count),
    { title: 'rate', align: 'right', text: (row) => percent(rateOf(row)), value: (row) => rateOf(row) },
    ...(by === 'tool'
      ? [
          {
            title: hasRange ? 'cost per call' : 'cost',
            align: 'right' as const,
            text: ({ name }: Row) => costText(compile(policy).specOf(name)?.cost, currency, hasRange),
            value: ({ name }: Row) => priced(policy, name, currency),
          },
        ]
      : []),
    {
      title: 'wasted',
      align: 'right',
      text: ({ wasted }) => money(wasted),
      value: ({ wasted }) => (wasted === undefined ? undefined : roundedNumber(converted(wasted, currency))),
    },
  ];
}

function priced(policy: Policy, tool: string, currency: AuditReport['currency']): number | undefined {
  const cost = usualCost(policy, tool);
  return cost === undefined ? undefined : roundedNumber(converted(costOf(cost), currency));
}

/** `¥0.003 (0.002-0.005)`. */
function costText(cost: ToolSpec['cost'], currency: AuditReport['currency'], hasRange: boolean): string {
  if (cost === undefined) return '';
  if (typeof cost === 'number') return amountIn(costOf(cost), currency);
  const { usual, min = usual, max = usual } = cost;
  const bare = (figure: number) => amountIn(costOf(figure), currency).slice(symbolOf(currency.code).length);
  return `${amountIn(costOf(usual), currency)}${min === max || !hasRange ? '' : ` (${bare(min)}-${bare(max)})`}`;
}

/** What the misuse of each tool comes to. */
function paragraphs({ facts: { tools, policy }, callsPerDay, targetRate, currency, language }: AuditReport): string[] {
  const words = WORDS[language];
  return tools.flatMap((row) => {
    const cost = usualCost(policy, row.name);
    const wrong = row.denied + row.invalid;
    if (cost === undefined || wrong === 0) return [];
    const now = projected(costOf(cost), callsPerDay, wrong, row.calls);
    const later = projected(costOf(cost), callsPerDay, Math.round(targetRate * MILLION), MILLION);
    const saved = now.year - later.year;
    const money = (amount: Amount) => amountIn(amount, currency);
    return `${words.wasted(row.name, grouped(callsPerDay), money(now.day), money(now.month), money(now.year))}${saved > 0n ? words.saved(percent(targetRate), money(saved)) : ''}${words.stop}`;
  });
}

/** Shares are whole numbers of such parts, as amounts are exact. */
const MILLION = 1_000_000;

function findingText(
  { file, line, column, severity, rule, text, instead }: AuditFinding,
  report: AuditReport,
  style: Style,
  width: number,
): SafeText {
  const level = (severity === 'error' ? style.gone : style.changed)(shown(severity));
  const head = safe`${shown(file)}:${line}:${column}: ${level} ${style.dim(shown(rule))}`;
  const said = text + adviceText(instead, report);
  if (width === Infinity) return safe`${head} ${shown(said)}\n`;
  const lines = linesOf(said, width, INDENT).map((part) => safe`${spaces(INDENT)}${part}\n`);
  return safe`${head}\n${joined(lines, '')}`;
}

const INDENT = 2;

/** What to use instead, as it stands behind a finding. */
export function adviceText(instead: readonly string[], { language }: Pick<AuditReport, 'language'>): string {
  return instead.length === 0 ? '' : PHRASES[language].use(instead.join(', '));
}

function idleText({ notExercised }: AuditFacts): string {
  return `not exercised: ${notExercised.join(', ')}`;
}

// --- what is said, by language

interface Figures {
  readonly rate: string;
  readonly max: string;
  readonly calls: string;
  readonly wrong: string;
  readonly denied: string;
  readonly invalid: string;
}

interface AuditWords {
  readonly wasted: (tool: string, calls: string, day: string, month: string, year: string) => string;
  readonly saved: (rate: string, year: string) => string;
  readonly stop: string;
  readonly ofTool: (tool: string, figures: Figures) => string;
  readonly ofRules: (rules: string, figures: Figures) => string;
  /** Instead of an alert, where there are too few calls for one. */
  readonly heldBack: (name: string, figures: Figures, least: number) => string;
  /** What would do where the words do not call for it. */
  readonly instead: (tools: string) => string;
  /** For a policy that has something to put into a prompt. */
  readonly inject: (policy: string) => string;
}

const WORDS: Readonly<Record<Language, AuditWords>> = {
  en: {
    wasted: (tool, calls, day, month, year) =>
      `${tool}: at ${calls} calls a day ${day} a day, ${month} a month, ${year} a year are wasted`,
    saved: (rate, year) => `; at ${rate} it saves ${year} a year`,
    stop: '.',
    ofTool: (tool, { rate, max, calls, wrong, denied, invalid }) =>
      `ALERT: ${tool} is misused in ${rate} of its calls, above ${max}: ${calls} calls, ${invalid} invalid, ${denied} denied, ${wrong} in all.`,
    ofRules: (rules, { rate, max, calls, wrong, denied, invalid }) =>
      `ALERT: ${rate} of the calls are against ${rules}, above ${max}: ${calls} calls, ${invalid} invalid, ${denied} denied, ${wrong} in all.`,
    heldBack: (name, { rate, max, calls, wrong }, least) =>
      `${name}: ${wrong} of ${calls} calls are misuse (${rate}, above ${max}); there is no alert below ${least} calls (\`min_calls\`)`,
    instead: (tools) => ` Where the user does not ask for it, ${tools} would do.`,
    inject: (policy) => ` Put the rules into the prompt: ctx-trim inject --policy ${policy}`,
  },
  zh: {
    wasted: (tool, calls, day, month, year) =>
      `${tool}：按每天 ${calls} 次调用计，每天浪费 ${day}，每月 ${month}，每年 ${year}`,
    saved: (rate, year) => `；误用率降到 ${rate} 时每年可节省 ${year}`,
    stop: '。',
    ofTool: (tool, { rate, max, calls, wrong, denied, invalid }) =>
      `警报：${tool} 的误用率为 ${rate}，高于 ${max}：共 ${calls} 次调用，无效 ${invalid} 次，拒绝 ${denied} 次，合计 ${wrong} 次。`,
    ofRules: (rules, { rate, max, calls, wrong, denied, invalid }) =>
      `警报：${rate} 的调用违反 ${rules}，高于 ${max}：共 ${calls} 次调用，无效 ${invalid} 次，拒绝 ${denied} 次，合计 ${wrong} 次。`,
    heldBack: (name, { rate, max, calls, wrong }, least) =>
      `${name}：${calls} 次调用中误用 ${wrong} 次（${rate}，高于 ${max}）；少于 ${least} 次调用时不发警报（\`min_calls\`）`,
    instead: (tools) => `用户没有问起时，用 ${tools} 即可。`,
    inject: (policy) => `请把规则写进提示词：ctx-trim inject --policy ${policy}`,
  },
  ja: {
    wasted: (tool, calls, day, month, year) =>
      `${tool}：1 日 ${calls} 回の呼び出しで、1 日 ${day}、月 ${month}、年 ${year} が無駄になります`,
    saved: (rate, year) => `。誤用率が ${rate} になれば年 ${year} の節約です`,
    stop: '。',
    ofTool: (tool, { rate, max, calls, wrong, denied, invalid }) =>
      `警告：${tool} の誤用率は ${rate} で、${max} を超えています。呼び出し ${calls} 回のうち、無効 ${invalid} 回、拒否 ${denied} 回、計 ${wrong} 回。`,
    ofRules: (rules, { rate, max, calls, wrong, denied, invalid }) =>
      `警告：呼び出しの ${rate} が ${rules} に反し、${max} を超えています。呼び出し ${calls} 回のうち、無効 ${invalid} 回、拒否 ${denied} 回、計 ${wrong} 回。`,
    heldBack: (name, { rate, max, calls, wrong }, least) =>
      `${name}：呼び出し ${calls} 回のうち誤用 ${wrong} 回（${rate}、${max} 超）。${least} 回未満では警告しません（\`min_calls\`）`,
    instead: (tools) => `ユーザーが尋ねていない場面では ${tools} で足ります。`,
    inject: (policy) => `ルールをプロンプトに入れてください：ctx-trim inject --policy ${policy}`,
  },
};

export function alertText(
  { of, tool, place, calls, wrong, denied, invalid, max }: Alert,
  { language, facts: { policy } }: Pick<AuditReport, 'language' | 'facts'>,
): string {
  const words = WORDS[language];
  const figures = figuresOf({ calls, wrong, denied, invalid, max });
  const tools = tool === undefined ? [] : (compile(policy).specOf(tool)?.instead ?? []);
  const where = place === undefined ? '' : `${place.file}:${place.line}: `;
  return (
    where +
    (tool === undefined ? words.ofRules(of, figures) : words.ofTool(tool, figures)) +
    (tools.length === 0 ? '' : words.instead(tools.join(', '))) +
    (policy.prompt === undefined ? '' : words.inject(policy.name ?? 'policy.yaml'))
  );
}

function figuresOf({
  calls,
  wrong,
  denied,
  invalid,
  max,
}: Omit<Alert, 'rule' | 'of' | 'tool' | 'place' | 'minCalls'>): Figures {
  return {
    rate: percent(wrong / calls),
    max: percent(max),
    calls: grouped(calls),
    wrong: grouped(wrong),
    denied: grouped(denied),
    invalid: grouped(invalid),
  };
}

function heldBackText(alert: Alert, { language }: Pick<AuditReport, 'language'>): string {
  const where = alert.place === undefined ? '' : `${alert.place.file}:${alert.place.line}: `;
  return where + WORDS[language].heldBack(alert.tool ?? alert.of, figuresOf(alert), alert.minCalls);
}

// --- JSON

export function auditJson(report: AuditReport): SafeText {
  const { facts, findings, by, callsPerDay, currency } = report;
  const { policy } = facts;
  const money = (amount: Amount) => roundedNumber(converted(amount, currency));
  const rowJson = (row: Row) => ({
    calls: row.calls,
    valid: row.valid,
    warned: row.warned,
    denied: row.denied,
    invalid: row.invalid,
    rate: rateOf(row),
  });
  const wastedJson = ({ wasted }: Row) => ({ wasted: wasted === undefined ? null : money(wasted) });
  const tools = facts.tools.map((row) => {
    const cost = compile(policy).specOf(row.name)?.cost;
    const usual = usualCost(policy, row.name);
    const range =
      typeof cost === 'object'
        ? { cost_range: [cost.min ?? cost.usual, cost.max ?? cost.usual].map((figure) => money(costOf(figure))) }
        : {};
    const per =
      usual === undefined ? undefined : projected(costOf(usual), callsPerDay, row.denied + row.invalid, row.calls);
    return {
      tool: row.name,
      ...rowJson(row),
      cost_per_call: usual === undefined ? null : money(costOf(usual)),
      ...range,
      ...wastedJson(row),
      projected:
        per === undefined
          ? null
          : { calls_per_day: callsPerDay, day: money(per.day), month: money(per.month), year: money(per.year) },
    };
  });
  const others =
    by === 'rule'
      ? { rules: facts.rules.map((row) => ({ rule: row.name, type: row.type, ...rowJson(row), ...wastedJson(row) })) }
      : by === 'file'
        ? { files: facts.files.map((row) => ({ file: row.name, ...rowJson(row), ...wastedJson(row) })) }
        : by === 'day'
          ? { days: facts.days.map((row) => ({ day: row.name, ...rowJson(row), ...wastedJson(row) })) }
          : {};
  const alertJson = (alert: Alert) => ({
    rule: alert.rule,
    of: alert.of,
    tool: alert.tool ?? null,
    file: alert.place?.file ?? null,
    rate: alert.wrong / alert.calls,
    max: alert.max,
    total: alert.calls,
    invalid: alert.invalid,
    denied: alert.denied,
  });
  const document = {
    version: 1,
    policy: policy.name ?? null,
    currency: currency.code,
    transcripts: facts.transcripts,
    tools,
    ...others,
    findings: findings.map(findingJson),
    alerts: facts.alerts.map((alert) => ({ ...alertJson(alert), message: alertText(alert, report) })),
    held_back: facts.heldBack.map((alert) => ({
      ...alertJson(alert),
      min_calls: alert.minCalls,
      message: heldBackText(alert, report),
    })),
    not_exercised: facts.notExercised,
  };
  return safe`${safeJson(document, 2)}\n`;
}

function findingJson({ rule, type, severity, text, file, line, column, transcript, call, instead }: AuditFinding) {
  const place = {
    file,
    line,
    column,
    transcript: { index: transcript.index, id: transcript.id ?? null },
    index: call?.message ?? null,
    call_id: call?.callId ?? null,
  };
  return { rule, type, severity, message: text, ...place, tool: call?.tool ?? null, instead, fix: null };
}

export function decisionJson({ decision, confidence, reason, words, intent, tool, hint, warning }: Decision): SafeText {
  return safeJson({
    version: 1,
    decision,
    confidence,
    reason,
    words,
    intent: intent ?? null,
    tool: tool ?? null,
    hint: hint ?? null,
    ...(warning === undefined ? {} : { warning }),
  });
}

export function decisionText(
  { decision, confidence, reason, words, intent, tool, hint, warning }: Decision,
  style: Style,
): SafeText {
  const verdict = (decision === 'allow' ? style.come : style.gone)(shown(decision));
  const rest = { reason, words: words.join(', '), intent, tool, hint, warning };
  const lines = Object.entries(rest).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [lineOf(name, shown(value), style)],
  );
  return joined([lineOf('decision', safe`${verdict} (confidence ${confidence})`, style), ...lines], '');
}

function lineOf(name: string, value: SafeText, style: Style): SafeText {
  return safe`${style.bold(shown(name.padEnd(9)))} ${value}\n`;
}

// --- amounts

function usualCost(policy: Policy, tool: string): number | undefined {
  const cost = compile(policy).specOf(tool)?.cost;
  return typeof cost === 'object' ? cost.usual : cost;
}

function converted(amount: Amount, { rate }: AuditReport['currency']): Amount {
  return (amount * rate) / costOf(1);
}

function amountIn(amount: Amount, currency: AuditReport['currency']): string {
  return formatAmount(converted(amount, currency), currency.code);
}

/** `30 %`, `33.3 %`. */
function percent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}
