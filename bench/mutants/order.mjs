// Which test files are tried on a mutant, and in which order.
import { basename, dirname } from 'node:path';

/**
 * The tests to try on a mutant: those that met it, the near and short ones first. What is loaded once in a
 * thread was met
 * by the first test file alone: then, and where none met the mutant, all others come too.
 */
export function testsOf({ key, file, passed = [] }, tests) {
  const meets = ({ met }) => met[key] !== undefined;
  const isLoaded = tests.some(({ loaded }) => loaded.includes(key));
  const isTried = (one) => passed.includes(versionOf(one));
  const costOf = (one) => one.ms * distance(one.path, file) * (meets(one) ? 0.2 : 1) * (isTried(one) ? 100 : 1);
  const ordered = [...tests].sort((x, y) => costOf(x) - costOf(y));
  return isLoaded || !tests.some(meets) ? ordered : ordered.filter(meets);
}

/** How often a mutant may be asked for: many times what a test does without it. */
export const limitOf = (met) => 200_000 + 20 * met;

/** Of any test. */
export function largestLimitOf({ key }, tests) {
  return limitOf(Math.max(0, ...tests.map(({ met }) => met[key] ?? 0)));
}

function distance(test, file) {
  const name = basename(file, '.ts');
  if (basename(test).startsWith(name)) return 0.02;
  const folder = dirname(file).replace('src', 'test');
  if (dirname(test) === folder) return 0.1;
  return dirname(test).startsWith(folder.split('/').slice(0, 2).join('/')) ? 0.3 : 1;
}

/** A test file as it stands. */
export const versionOf = ({ path, hash }) => `${path} ${hash.slice(0, 8)}`;
