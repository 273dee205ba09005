/** A line of a shell. Where it is simple enough, the program in it runs without a process of its own. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainWords, runProgram, type Told } from './program.js';

export interface ShellWorld {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function runLine(line: string, world: ShellWorld): Told {
  const statements = splitAt(line, /;|&&/g);
  const isPlain = line.includes('ctx-trim ') && !/[{}()`]|\$\?|\d>|\b(?:cd|export|for)\b|\/dev\//.test(unquoted(line));
  if (!isPlain || !statements.every(isSimple)) return asText(bySh(line, world, EMPTY));
  const nothing: Told = { stdout: '', stderr: '', status: 0 };
  return statements.reduce((told, { text, after }) => {
    if (after === '&&' && told.status !== 0) return told;
    const { stdout, stderr, status } = pipeline(text, world);
    return { stdout: told.stdout + stdout, stderr: told.stderr + stderr, status };
  }, nothing);
}

interface Part {
  readonly text: string;
  /** What stands before it. */
  readonly after: string;
}

const STAGE = /^((?:[A-Z_]+=\S+ +)*)(ctx-trim(?: .*?)?)(?: < ?([\w./-]+))?(?: > ?([\w./-]+))?$/;

function isSimple({ text }: Part): boolean {
  return splitAt(text, /\|/g).every(
    ({ text: stage }) => !stage.includes('ctx-trim ') || plainWords(STAGE.exec(stage)?.[2] ?? '') !== undefined,
  );
}

/** What a stage of a pipeline gave. */
interface Ran extends Omit<Told, 'stdout'> {
  readonly stdout: Buffer;
}
const EMPTY = Buffer.alloc(0);
const asText = ({ stdout, ...told }: Ran): Told => ({ ...told, stdout: stdout.toString() });

function pipeline(line: string, world: ShellWorld): Told {
  let ran: Ran = { stdout: EMPTY, stderr: '', status: 0 };
  for (const { text } of splitAt(line, /\|/g)) {
    const { stderr } = ran;
    ran = (text.includes('ctx-trim ') ? byProgram : bySh)(text, world, ran.stdout);
    ran = { ...ran, stderr: stderr + ran.stderr };
  }
  return asText(ran);
}

function byProgram(stage: string, { cwd, env }: ShellWorld, input: Buffer): Ran {
  const [, variables = '', command = '', from, to] = STAGE.exec(stage)!;
  const set = Object.fromEntries(variables.split(' ').flatMap((one) => (one === '' ? [] : [one.split('=')])));
  const given = from === undefined ? input : readFileSync(join(cwd, from));
  const told = runProgram(plainWords(command)!, { cwd, env: { ...env, ...set }, input: given });
  if (to !== undefined) writeFileSync(join(cwd, to), told.stdout);
  return { ...told, stdout: to === undefined ? Buffer.from(told.stdout) : EMPTY };
}

function bySh(line: string, { cwd, env }: ShellWorld, input: Buffer): Ran {
  const { stdout, stderr, status } = spawnSync('sh', ['-c', line], { cwd, env, input });
  return { stdout, stderr: stderr.toString(), status: status ?? -1 };
}

/** Where a separator stands outside of quotes. */
function splitAt(line: string, separator: RegExp): readonly Part[] {
  const plain = unquoted(line);
  let start = 0;
  let after = '';
  const parts = [...plain.matchAll(separator)].map(({ 0: found, index }) => {
    const part = { text: line.slice(start, index).trim(), after };
    [start, after] = [index + found.length, found];
    return part;
  });
  return [...parts, { text: line.slice(start).trim(), after }];
}

/** Of the same length. */
function unquoted(line: string): string {
  return line.replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, (quoted) => 'q'.repeat(quoted.length));
}
