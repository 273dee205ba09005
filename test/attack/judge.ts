/** What must hold of one run of the program, whatever it was given. */
import { isUtf8 } from 'node:buffer';
import type { JsonNode } from '../../src/json/node.js';
import { type Read, rows } from '../../src/json/rows.js';
import { type CommandLine, documentOf, FILE, isRewrite, OTHER_FILE, OUTPUTS } from './command-lines.js';
import { documentFaults } from './documents.js';
import type { Ran } from './run.js';

/** Everything that is wrong with a run. */
export function complaints(line: CommandLine, input: Buffer, ran: Ran): string[] {
  const { code, stdout, told, stderr, files, terminal } = ran;
  const wrong: string[] = [];
  if (![0, 1, 2].includes(code)) wrong.push(`exit code ${code}`);
  if (/internal error|Maximum call stack/.test(stderr)) wrong.push('internal error');
  if (code === 2 && !/^ctx-trim: ./m.test(stderr)) wrong.push('exit code 2 without a word');
  wrong.push(...unsafe('stderr', stderr, terminal), ...unsafe('stdout', told, terminal));
  if (isRewrite(line) && code < 2 && isSpoiled(stdout, input)) wrong.push('stdout is not JSON');
  const format = documentOf(line);
  if (format !== undefined && stdout.length > 0) wrong.push(...documentFaults(format, stdout.toString(), line.words));
  wrong.push(...litter(line, input, files));
  return wrong;
}

const WRITES = /^(--write|-w|--fix|--output|--backup|--write-baseline|--map)\b/;

/** Files that are there and should not be, and inputs that are not what they were. */
function litter({ words }: CommandLine, input: Buffer, files: ReadonlyMap<string, Buffer>): string[] {
  const wrong: string[] = [];
  const writes = words.some((word) => WRITES.test(word));
  const known = new Set([FILE, OTHER_FILE, ...OUTPUTS, 'policy.yaml', 'generator.mjs', 'config.json']);
  for (const name of files.keys())
    if (!known.has(name) && !writes) wrong.push(`${JSON.stringify(name)} was left behind`);
    else if (/tmp/.test(name)) wrong.push(`${JSON.stringify(name)} was left behind`);
  const after = files.get(FILE);
  if (after === undefined) return [...wrong, 'the input is gone'];
  if (after.equals(input)) return wrong;
  if (!writes) wrong.push('the input was changed');
  else if (isSpoiled(after, input)) wrong.push('what was written in place is not JSON');
  return wrong;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: our own colors, and the line that progress takes away
const OUR_OWN = /\u001b\[[0-9;]*m|\r\u001b\[K/g;

function unsafe(name: string, text: string, isTerminal: boolean): string[] {
  const others = isTerminal ? text.replace(OUR_OWN, '') : text;
  const found = CONTROLS.exec(others);
  const wrong: string[] = [];
  if (found !== null) wrong.push(`${name} holds U+${found[0].codePointAt(0)!.toString(16).padStart(4, '0')}`);
  if (/^(##\[|::(?!(error|warning|notice) (file=|title=unreadable::)))/m.test(others))
    wrong.push(`${name} holds a workflow command`);
  return wrong;
}

/** Where something is no JSON before, what stands around it is no JSON as a whole, whatever is added to it. */
function isSpoiled(output: Buffer, input: Buffer): boolean {
  return badValues(output) > 0 && badValues(input) === 0;
}

/**
 * How many values are no JSON. JSON.parse is asked; values that stand over several lines are told apart by our own scan
 * first.
 */
export function badValues(bytes: Buffer): number {
  if (!isUtf8(bytes)) return 1;
  const text = bytes.toString().replace(/^\ufeff/, '');
  if (isJson(text) || text.split('\n').every(isJson)) return 0;
  let bad = 0;
  try {
    for (const event of rows(reader(bytes), { skipBadLines: true })) {
      if (event.type === 'bad' || event.type === 'cut') bad++;
      if (event.type === 'record' && !isJson(spelled(event.root))) bad++;
    }
  } catch {
    bad++; // an array that is not JSON
  }
  return bad;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return text.trim() === '';
  }
}

function reader(bytes: Buffer): Read {
  let at = 0;
  return (buffer, to, length) => {
    const got = bytes.copy(buffer, to, at, at + length);
    at += got;
    return got;
  };
}

function spelled({ source, start, end }: JsonNode): string {
  return source.bytes.utf8Slice(start, end);
}
