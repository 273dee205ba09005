/** What must hold of a report, by its format, whatever stands in the recording; judged apart from what writes it. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { jenkinsFaults } from '../shared/junit-schema.js';

/** By the value of `--format`, what is wrong with a document. */
const JUDGES: Readonly<Record<string, (text: string) => string[]>> = {
  json: (text) => jsonFaults(text, (value) => isObject(value) && typeof value['version'] === 'number'),
  sarif: (text) => jsonFaults(text, (value) => isObject(value) && Array.isArray(value['runs'])),
  gitlab: (text) => jsonFaults(text, Array.isArray),
  junit: jenkinsFaults,
  csv: csvFaults,
  markdown: markdownFaults,
  html: pageFaults,
};

export const DOCUMENTS = Object.keys(JUDGES);

/** What is wrong with a document of this format; nothing where it is for people. `words`: the command line. */
export function documentFaults(format: string, text: string, words: readonly string[]): string[] {
  const shown = words.includes('--links') ? text.replaceAll(LINK, ' href="#"') : text;
  return Object.hasOwn(JUDGES, format) ? JUDGES[format]!(shown) : [];
}

/** An address of a recording, which leads nowhere unless `--links` asks for it. */
const LINK = / href="https?:\/\/[^"<>]*"(?= target="_blank" rel="noopener noreferrer nofollow")/g;

function jsonFaults(text: string, isRight: (value: unknown) => boolean): string[] {
  try {
    return isRight(JSON.parse(text)) ? [] : ['the JSON report is another one'];
  } catch (error) {
    return [`the JSON report is not JSON: ${(error as Error).message}`];
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

const FORMULA = /^\s*[=+\-@＝＋－＠]/;
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

function csvFaults(text: string): string[] {
  const rows = text.split('\n').slice(0, -1).map(cellsOf);
  const cells = rows.flat();
  return [
    ...(rows.some((row) => row.length !== rows[0]!.length) ? ['rows of a CSV table have different lengths'] : []),
    ...cells.filter((cell) => FORMULA.test(cell) && !NUMBER.test(cell)).map((cell) => `a CSV cell is ${cell}`),
  ];
}

function cellsOf(row: string): string[] {
  return [...`,${row}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",]*))(?=,|$)/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!,
  );
}

function markdownFaults(text: string): string[] {
  const lines = text.split('\n');
  const widths = lines.map((line) => (line.startsWith('|') ? line.match(/(?<!\\)(?:\\\\)*\|/g)!.length : 0));
  const isTorn = widths.some((width, at) => at > 0 && width > 0 && widths[at - 1]! > 0 && width !== widths[at - 1]);
  const prose = lines.map((line) => line.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '')).join('\n');
  const active = /<[a-z/!?]|\]\(/i.exec(prose);
  return [
    ...(isTorn ? ['rows of a markdown table have different lengths'] : []),
    ...(active === null ? [] : [`markdown holds \`${prose.slice(active.index, active.index + 40)}\``]),
  ];
}

/** The tags and attributes that our own templates spell; no other may be in a page. */
const HTML = 'src/reports/html';
const templates = readdirSync(HTML).map((file) => readFileSync(`${HTML}/${file}`, 'utf8'));
const spelled = (pattern: RegExp) =>
  new Set(templates.flatMap((source) => [...source.matchAll(pattern)].map(([, name]) => name!)));
const TAGS = new Set([...spelled(/<([a-z][a-z0-9]*)(?=[ >$])/g), 'h2', 'h3']);
const ATTRIBUTES = spelled(/ ([a-z][a-zA-Z-]*)(?:="|>)/g);
const EMPTY = new Set(['meta', 'link', 'input', 'br', 'hr', 'img', 'path', 'rect', 'line', 'circle', 'use', 'col']);
const TAG = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z-]+(?:="[^"<>]*")?)*)\s*\/?>/y;
const ADDRESS = /^(#.*|index\.html|session-\d+\.html|data:,)$/;

/** Stricter than HTML: every `<` begins a tag of ours, tags are balanced, and only our own script and style run. */
export function pageFaults(page: string): string[] {
  const faults: string[] = [];
  const open: string[] = [];
  const body = page.replace(/^<!doctype html>/, '').replace(/<(script|style)([^>]*)>[\s\S]*?<\/\1>/g, '<$1$2></$1>');
  for (let at = body.indexOf('<'); at >= 0; at = body.indexOf('<', Math.max(at + 1, TAG.lastIndex))) {
    TAG.lastIndex = at;
    const tag = TAG.exec(body);
    if (tag === null) return [...faults, `the page holds \`${body.slice(at, at + 60)}\``];
    TAG.lastIndex = at + tag[0].length;
    const [whole, closes, name, attributes] = tag as unknown as [string, string, string, string];
    if (!TAGS.has(name)) faults.push(`the page has an element ${name}`);
    faults.push(...attributeFaults(attributes));
    if (closes === '/' && open.pop() !== name) return [...faults, `${name} is closed and was not open`];
    if (closes === '' && !EMPTY.has(name) && !whole.endsWith('/>')) open.push(name);
  }
  if (open.length > 0) faults.push(`${open.at(-1)} is not closed`);
  return [...faults, ...programFaults(page)];
}

function attributeFaults(attributes: string): string[] {
  return [...attributes.matchAll(/([a-zA-Z-]+)(?:="([^"]*)")?/g)].flatMap(([, name, value]) => [
    ...(ATTRIBUTES.has(name!) && !/^(on|style$)/.test(name!) ? [] : [`the page has an attribute ${name}`]),
    ...(/^(href|src)$/.test(name!) && !ADDRESS.test(value!) ? [`the page leads to ${value}`] : []),
  ]);
}

/** The policy of the page names its one script and its one style sheet, and there are no others. */
function programFaults(page: string): string[] {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
  const hash = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
  const sources = [...page.matchAll(/<(script|style)>([\s\S]*?)<\/\1>/g)].map(([, , source]) => hash(source!));
  return [
    ...(sources.length === 2 && sources.every((source) => policy.includes(source)) ? [] : ['a script or style more']),
    ...(page.match(/<script/gi)?.length === 2 && page.match(/<style/gi)?.length === 1 ? [] : ['a script more']),
  ];
}
