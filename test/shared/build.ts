/**
 * Before the tests: what `bin/` runs is built, where the source is newer than the last build. The types, which few
 * tests need, are built here for the whole suite, and else by these tests: two files at once would build them twice.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const BUILT = 'dist/cli/cli.cjs';
const MADE_FROM = ['src', 'package.json', 'build'];

export default function build(): void {
  if (isStale(BUILT)) run('build/build.mjs');
  const isWholeSuite = !process.argv.some((word) => word.includes('test/'));
  if (isWholeSuite) buildTypes();
}

export function buildTypes(): void {
  if (isStale('dist/lib/index.d.ts')) run('build/types.mjs');
}

function run(script: string): void {
  execFileSync(process.execPath, [script], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Whether a file of the build is missing, or older than what it is made from. */
function isStale(file: string): boolean {
  const built = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Math.max(...MADE_FROM.map(newest)) >= built;
}

function newest(path: string): number {
  const stats = statSync(path);
  return stats.isDirectory()
    ? Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))))
    : stats.mtimeMs;
}
