// Which mutants the compiler rejects. Each becomes a file of its own beside its source, in a copy of the sources, so
// that the compiler runs once. What the copy of a source without a mutant is rejected for (a class is not the class
// of a copy) is no mutant's fault. Nor are names that are no longer used: a removed statement is still a fault to
// notice.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { applied } from './mutate.mjs';

const LENIENT = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false', '--allowUnreachableCode', 'true'];

/** Those of the mutants that do not compile. */
export function rejected(mutants) {
  if (mutants.length === 0) return new Set();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ctx-trim-mutants-')));
  try {
    for (const name of ['src', 'package.json', 'tsconfig.json']) cpSync(name, join(folder, name), { recursive: true });
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    return rejectedIn(folder, mutants);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function rejectedIn(folder, mutants) {
  const copyOf = (file, name) => file.replace('.ts', `.${name}.ts`);
  for (const file of new Set(mutants.map((mutant) => mutant.file)))
    writeFileSync(join(folder, copyOf(file, 'same')), readFileSync(file));
  for (const [index, mutant] of mutants.entries())
    writeFileSync(join(folder, copyOf(mutant.file, `mutant${index}`)), applied(mutant));
  const errors = errorsIn(folder);
  const errorsOf = (path) => errors.get(path) ?? [];
  const isRejected = (mutant, index) => {
    const known = new Set(errorsOf(copyOf(mutant.file, 'same')));
    return errorsOf(copyOf(mutant.file, `mutant${index}`)).some((message) => !known.has(message));
  };
  return new Set(mutants.filter(isRejected));
}

/** The compiler's messages, without their places, by file. */
function errorsIn(folder) {
  const tsc = resolve('node_modules/.bin/tsc');
  const { stdout, status } = spawnSync(tsc, ['-p', 'tsconfig.json', '--pretty', 'false', ...LENIENT], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  const errors = new Map();
  for (const [, path, message] of stdout.matchAll(/^(\S+?)\(\d+,\d+\): (error .*)/gm))
    errors.set(path, [...(errors.get(path) ?? []), message]);
  if (status !== 0 && errors.size === 0) throw new Error(`tsc: ${stdout}`);
  return errors;
}
