/** Findings as SARIF 2.1.0, as code scanning takes them. */

import {
  bySeverity,
  type Finding,
  type FindingsReport,
  fingerprintsOf,
  HOME,
  helpUriOf,
  type RuleWords,
  type Unreadable,
} from '../../findings.js';
import { OR } from '../../rules/rule.js';
import { markdownProse } from '../../safe/formats.js';
import { safeJson } from '../../safe/json.js';
import { type SafeText, safe } from '../../safe/text.js';
import { defineReporter } from './reporter.js';

export const reporter = defineReporter({ id: 'sarif', render: findingsSarif, omitted: sarifCut });

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const;

/**
 * Code scanning rejects a file with more:
 * https://docs.github.com/en/code-security/code-scanning/troubleshooting-sarif-uploads/results-exceed-limit
 */
const MOST = 25_000;

/** A sentence about the findings beyond the limit of code scanning. */
export function sarifCut({ findings }: FindingsReport): string | undefined {
  if (findings.length <= MOST) return undefined;
  return `the SARIF report holds ${MOST} of ${findings.length} findings, errors first: code scanning takes no more`;
}

export function findingsSarif(report: FindingsReport, version: string): SafeText {
  const cut = sarifCut(report);
  const all = fingerprintsOf(report.findings).map((fingerprint, index) => ({
    fingerprint,
    finding: report.findings[index]!,
  }));
  const results = cut === undefined ? all : all.sort((a, b) => bySeverity(a.finding, b.finding)).slice(0, MOST);
  const ids = [...new Set(results.map(({ finding }) => finding.rule))].sort();
  const said = saidIn(report.findings);
  const indexes = new Map(ids.map((id, index) => [id, index]));
  const notifications = [
    ...report.unreadable.map(notification),
    ...(cut === undefined ? [] : [{ level: 'warning', message: { text: sentence(cut) } }]),
  ];
  const run = {
    tool: {
      driver: {
        name: 'ctx-trim',
        semanticVersion: version,
        informationUri: HOME,
        rules: ids.map((id) => ruleSarif(report.wordsOf(id), said.get(id))),
      },
    },
    automationDetails: { id: 'ctx-trim/' },
    columnKind: 'utf16CodeUnits',
    invocations: [
      {
        executionSuccessful: report.unreadable.length === 0,
        ...(notifications.length === 0 ? {} : { toolExecutionNotifications: notifications }),
      },
    ],
    results: results.map(({ finding, fingerprint }) => resultSarif(finding, indexes.get(finding.rule)!, fingerprint)),
  };
  return safe`${safeJson({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, 2)}\n`;
}

/** By rule, what the APIs of its findings say, each once whatever its numbers. */
function saidIn(findings: readonly Finding[]): ReadonlyMap<string, string> {
  const byRule = new Map<string, Map<string, string>>();
  for (const { rule, error } of findings) {
    const said = byRule.get(rule) ?? new Map<string, string>();
    if (error !== undefined) byRule.set(rule, said.set(error.replace(/\d+/g, ''), error));
  }
  return new Map([...byRule].map(([rule, said]) => [rule, [...said.values()].join(OR)]));
}

/** `said`: where providers differ, what those of the findings say. */
function ruleSarif(all: RuleWords, said: string | undefined) {
  const words = all.error !== undefined || said === undefined ? all : { ...all, error: said };
  const { id, summary, severity } = words;
  return {
    id,
    name: id,
    shortDescription: { text: sentence(summary) },
    fullDescription: { text: words.cause ?? sentence(summary) },
    helpUri: helpUriOf(words),
    help: { text: helpOf(words).join('\n\n'), markdown: helpOf(words, '`').map(markdownProse).join('\n\n') },
    defaultConfiguration: { level: LEVELS[severity] },
    properties: {
      'problem.severity': severity === 'info' ? 'recommendation' : severity,
      precision: 'very-high',
      tags: [id.split('/')[0]],
    },
  };
}

function helpOf({ summary, error, cause, fix }: RuleWords, quote = ''): string[] {
  return [
    sentence(summary),
    ...(error === undefined ? [] : [`The API says: ${quote}${error.replaceAll('`', "'")}${quote}`]),
    ...(cause === undefined ? [] : [cause]),
    ...(fix === undefined ? [] : [`${fix.summary} (ctx-trim check --fix=${fix.safety})`]),
  ];
}

function resultSarif(
  { rule, severity, message, path, line, column, transcript, index, callId, fix }: Finding,
  ruleIndex: number,
  fingerprint: string,
) {
  const within = [
    ...(transcript === undefined ? [] : [`transcripts[${transcript.index}]`]),
    ...(index === undefined ? [] : [`messages[${index}]`]),
  ].join('.');
  return {
    ruleId: rule,
    ruleIndex,
    level: LEVELS[severity],
    message: { text: unlinked(sentence(message)) },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: uriOf(path) }, region: { startLine: line, startColumn: column } },
        ...(within === '' ? {} : { logicalLocations: [{ fullyQualifiedName: within, kind: 'member' }] }),
      },
    ],
    partialFingerprints: { primaryLocationLineHash: `${fingerprint}:1` },
    properties: {
      ...(transcript?.id === undefined ? {} : { transcript: transcript.id }),
      ...(callId === undefined ? {} : { callId }),
      ...(fix === undefined ? {} : { fix: fix.summary, safety: fix.safety }),
    },
  };
}

function notification({ path, line, column, message }: Unreadable) {
  const region = line === undefined ? {} : { region: { startLine: line, startColumn: column ?? 1 } };
  return {
    level: 'error',
    message: { text: unlinked(sentence(message)) },
    ...(path === ''
      ? {}
      : { locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(path) }, ...region } }] }),
  };
}

/** A relative reference, or a file URI where the path is absolute. */
function uriOf(path: string): string {
  const encoded = path
    .replace(/\p{Cs}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  return path.startsWith('/') ? `file://${encoded}` : encoded;
}

/** Viewers follow `[text](target)` even in plain text. */
function unlinked(text: string): string {
  return text.replace(/\[(?=[^[\]]*\]\()/g, '\\[');
}

function sentence(text: string): string {
  const start = /^[a-z]+\b(?![`/_.])/.test(text) ? text[0]!.toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
