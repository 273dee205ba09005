// Which mutants the compiler rejects. One mutant of each file is tried at a time, in a copy of the sources: an error in
// a file belongs to its mutant. Names that are no longer used are no errors here: a removed statement is still a fault
// to notice.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { applied } from './mutate.mjs';

const LENIENT = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false', '--allowUnreachableCode', 'true'];
const INCREMENTAL = ['--incremental', '--tsBuildInfoFile', 'tsbuildinfo.json'];

/** Those of the mutants that do not compile. */
export function rejected(mutants) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ctx-trim-mutants-')));
  try {
    for (const name of ['src', 'package.json', 'tsconfig.json']) cpSync(name, join(folder, name), { recursive: true });
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    return new Set(rounds(mutants).flatMap((round) => rejectedOf(round, folder)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The first mutant of each file, then the second of each, and so on. */
function rounds(mutants) {
  const taken = new Map();
  const found = [];
  for (const mutant of mutants) {
    const round = taken.get(mutant.file) ?? 0;
    taken.set(mutant.file, round + 1);
    found[round] ??= [];
    found[round].push(mutant);
  }
  return found;
}

function rejectedOf(round, folder) {
  for (const mutant of round) writeFileSync(join(folder, mutant.file), applied(mutant));
  const { stdout, status } = spawnSync(
    resolve('node_modules/.bin/tsc'),
    ['-p', 'tsconfig.json', ...LENIENT, ...INCREMENTAL],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  for (const { file, source } of round) writeFileSync(join(folder, file), source);
  const wrong = new Set(Array.from(stdout.matchAll(/^(\S+?)\(\d+,\d+\): error/gm), (match) => match[1]));
  if (status !== 0 && wrong.size === 0) throw new Error(`tsc: ${stdout}`);
  return round.filter(({ file }) => wrong.has(file));
}
