/** Findings as JUnit XML: a suite for each file, a failed case for each error. A warning is a case that passes and says something. */
import type { FindingRow, FindingsReport, Unreadable } from './findings.js';

export function findingsJunit(report: FindingsReport): string {
  const paths = new Set([...report.files, ...report.findings].map(({ path }) => path));
  const suites = [...[...paths].map((path) => fileSuite(path, report)), ...report.unreadable.map(unreadableSuite)];
  const sum = (key: 'tests' | 'failures' | 'errors') => suites.reduce((total, suite) => total + suite[key], 0);
  const lines = suites.flatMap(({ name, tests, failures, errors, cases }) => [
    `  <testsuite name="${name}" tests="${tests}" failures="${failures}" errors="${errors}" skipped="0" time="0" file="${name}">`,
    ...cases,
    '  </testsuite>',
  ]);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="ctx-trim" tests="${sum('tests')}" failures="${sum('failures')}" errors="${sum('errors')}" skipped="0" time="0">`,
    ...lines,
    '</testsuites>',
    '',
  ].join('\n');
}

interface Suite {
  readonly name: string;
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly cases: readonly string[];
}

function fileSuite(path: string, { findings }: FindingsReport): Suite {
  const own = findings.filter((finding) => finding.path === path);
  const file = escaped(path);
  const failures = own.filter(({ severity }) => severity === 'error').length;
  const cases =
    own.length > 0
      ? own.map((finding) => findingCase(finding, file))
      : [`    <testcase name="all checks" classname="${file}" file="${file}" time="0"/>`];
  return { name: file, tests: cases.length, failures, errors: 0, cases };
}

function findingCase({ rule, severity, message, line, column, index }: FindingRow, file: string): string {
  const name = escaped(`${rule} line ${line}${index === undefined ? '' : ` message ${index}`}`);
  const text = `${escaped(`${message}\n`)}${file}:${line}:${column} ${escaped(rule)}`;
  const body =
    severity === 'error'
      ? `<failure type="error" message="${escaped(message)}">${text}</failure>`
      : `<system-out>${severity}: ${text}</system-out>`;
  return `    <testcase name="${name}" classname="${file}" file="${file}" line="${line}" time="0">\n      ${body}\n    </testcase>`;
}

function unreadableSuite({ path, line, message }: Unreadable): Suite {
  const file = escaped(path);
  const at = line === undefined ? '' : ` line="${line}"`;
  const body = `    <testcase name="can be read" classname="${file}" file="${file}"${at} time="0">\n      <error type="unreadable" message="${escaped(message)}"/>\n    </testcase>`;
  return { name: file, tests: 1, failures: 0, errors: 1, cases: [body] };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** XML has no place at all for other control characters, nor for half a surrogate pair. */
function escaped(text: string): string {
  return text
    .replace(/[&<>"'\n\r\t]/g, (character) => ENTITIES[character]!)
    .replace(/\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu, '\ufffd');
}
