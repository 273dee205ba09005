/**
 * Findings as JUnit XML: a suite for each file, a failed case for each error, a passed case with output for each
 * warning. The schema is that of Jenkins:
 * https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd
 */

import type { Finding, FindingsReport, Unreadable } from '../../findings.js';
import { type XmlText, xml, xmlText } from '../../safe/formats.js';
import { joined, type SafeText } from '../../safe/text.js';
import { defineReporter } from './reporter.js';

export const reporter = defineReporter({ id: 'junit', render: findingsJunit });

export function findingsJunit(report: FindingsReport): SafeText {
  const paths = new Set([...report.files, ...report.findings].map(({ path }) => path));
  const suites = [...[...paths].map((path) => fileSuite(path, report)), ...report.unreadable.map(unreadableSuite)];
  const sum = (key: 'tests' | 'failures' | 'errors') => suites.reduce((total, suite) => total + suite[key], 0);
  const sums = { tests: sum('tests'), failures: sum('failures'), errors: sum('errors') };
  const lines = suites.flatMap(({ name, tests, failures, errors, cases }) => [
    xml`  <testsuite name="${name}" ${countsOf({ tests, failures, errors })} skipped="0" time="0" file="${name}">`,
    ...cases,
    xml`  </testsuite>`,
  ]);
  const document = [
    xml`<?xml version="1.0" encoding="UTF-8"?>`,
    xml`<testsuites name="ctx-trim" ${countsOf(sums)} time="0">`,
    ...lines,
    xml`</testsuites>`,
    xml``,
  ];
  return joined(document, '\n');
}

function countsOf({ tests, failures, errors }: Pick<Suite, 'tests' | 'failures' | 'errors'>): XmlText {
  return xml`tests="${tests}" failures="${failures}" errors="${errors}"`;
}

interface Suite {
  readonly name: XmlText;
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly cases: readonly XmlText[];
}

function fileSuite(path: string, { findings }: FindingsReport): Suite {
  const own = findings.filter((finding) => finding.path === path);
  const file = xmlText(path);
  const failures = own.filter(({ severity }) => severity === 'error').length;
  const cases =
    own.length > 0
      ? own.map((finding) => findingCase(finding, file))
      : [xml`    <testcase name="all checks" classname="${file}" time="0"/>`];
  return { name: file, tests: cases.length, failures, errors: 0, cases };
}

function findingCase({ rule, severity, message, line, column, index }: Finding, file: XmlText): XmlText {
  const name = xmlText(`${rule} line ${line}${index === undefined ? '' : ` message ${index}`}`);
  const text = xml`${xmlText(`${message}\n`)}${file}:${line}:${column} ${xmlText(rule)}`;
  const body =
    severity === 'error'
      ? xml`<failure type="error" message="${xmlText(message)}">${text}</failure>`
      : xml`<system-out>${xmlText(severity)}: ${text}</system-out>`;
  return xml`    <testcase name="${name}" classname="${file}" time="0">\n      ${body}\n    </testcase>`;
}

function unreadableSuite({ path, line, message }: Unreadable): Suite {
  const file = xmlText(path);
  const at = line === undefined ? xml`` : xml`${file}:${line}`;
  const error = xml`<error type="unreadable" message="${xmlText(message)}">${at}</error>`;
  const body = xml`    <testcase name="can be read" classname="${file}" time="0">\n      ${error}\n    </testcase>`;
  return { name: file, tests: 1, failures: 0, errors: 1, cases: [body] };
}
