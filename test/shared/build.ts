/** Before the tests: what `bin/` runs is built, where the source is newer than the last build. */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const BUILT = 'dist/cli.cjs';
const MADE_FROM = ['src', 'package.json', 'esbuild.config.mjs'];

export default function build(): void {
  const built = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Math.max(...MADE_FROM.map(newest)) < built) return;
  execFileSync(process.execPath, ['esbuild.config.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
}

function newest(path: string): number {
  const stats = statSync(path);
  return stats.isDirectory()
    ? Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))))
    : stats.mtimeMs;
}
