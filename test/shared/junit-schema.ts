/**
 * What Jenkins takes of JUnit XML, from the schema of its plugin, for which there is no validator in Node:
 * https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd
 */
import { spawnSync } from 'node:child_process';

interface Kind {
  readonly required: readonly string[];
  readonly allowed: readonly string[];
  readonly children: readonly string[];
  readonly text?: boolean;
}

const OUTPUT: Kind = { required: [], allowed: [], children: [], text: true };
const FAILURE: Kind = { required: [], allowed: ['type', 'message'], children: [], text: true };
const KINDS = new Map<string, Kind>([
  ['testsuites', { required: [], allowed: ['name', 'time', 'tests', 'failures', 'errors'], children: ['testsuite'] }],
  [
    'testsuite',
    {
      required: ['name', 'tests', 'failures', 'errors'],
      allowed: ['group', 'time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file', 'log', 'url'],
      children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
    },
  ],
  [
    'testcase',
    {
      required: ['name'],
      allowed: ['time', 'classname', 'group'],
      children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
    },
  ],
  ['failure', FAILURE],
  ['error', FAILURE],
  ['skipped', FAILURE],
  ['system-out', OUTPUT],
  ['system-err', OUTPUT],
]);
const TIME = /^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$/;
/** What XML 1.0 has no place for. https://www.w3.org/TR/xml/#charsets */
const NO_CHARACTER = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** What the schema refuses in the document, and where xmllint is at hand, what that has to say. */
export function jenkinsFaults(xml: string): string[] {
  const faults: string[] = NO_CHARACTER.test(xml) ? ['a character that XML does not have'] : [];
  const open: string[] = [];
  let end = 0;
  for (const tag of xml.matchAll(/<\?xml[^>]*\?>|<(\/?)([\w-]+)((?:\s+[\w-]+="[^"<&]*(?:&[^"<&]*)*")*)\s*(\/?)>/g)) {
    const between = xml.slice(end, tag.index);
    end = tag.index + tag[0].length;
    if (/[<>]|&(?!(?:amp|lt|gt|quot|apos|#\d+);)/.test(between)) faults.push(`no XML: ${between}`);
    const parent = open.at(-1);
    if (between.trim() !== '' && KINDS.get(parent ?? '')?.text !== true) faults.push(`text in ${parent}`);
    const [, closes, name, attributes = '', isEmpty] = tag;
    if (name === undefined) continue;
    if (closes === '/') {
      if (open.pop() !== name) faults.push(`${name} is closed and was not open`);
      continue;
    }
    faults.push(...elementFaults(name, parent, attributes));
    if (isEmpty === '') open.push(name);
  }
  if (open.length > 0 || xml.slice(end).trim() !== '') faults.push('the document does not end');
  const judge = spawnSync('xmllint', ['--noout', '-'], { input: xml, encoding: 'utf8' });
  if (judge.error === undefined && judge.status !== 0) faults.push(judge.stderr);
  return faults;
}

function elementFaults(name: string, parent: string | undefined, attributes: string): string[] {
  const kind = KINDS.get(name);
  if (kind === undefined) return [`no element ${name}`];
  const isAtHome = parent === undefined ? name === 'testsuites' : KINDS.get(parent)!.children.includes(name);
  const given = [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => ({ key: key!, value: value! }));
  const keys = given.map(({ key }) => key);
  return [
    ...(isAtHome ? [] : [`${name} in ${parent}`]),
    ...kind.required.filter((key) => !keys.includes(key)).map((key) => `${name} lacks ${key}`),
    ...keys.filter((key) => ![...kind.required, ...kind.allowed].includes(key)).map((key) => `${name} has ${key}`),
    ...given.filter(({ key, value }) => key === 'time' && !TIME.test(value)).map(({ value }) => `time is ${value}`),
  ];
}
