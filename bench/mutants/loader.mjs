// Loads the sources with their mutants (see instrument.mjs) where Node would load src/.
import { readFile } from 'node:fs/promises';

const ROOT = new URL('../../', import.meta.url).href;
const SOURCE = `${ROOT}src/`;

export async function load(url, context, next) {
  if (!url.startsWith(SOURCE) || !url.endsWith('.ts')) return next(url, context);
  const written = new URL(url.replace(SOURCE, `${ROOT}mutants-code.tmp/src/`));
  return { format: 'module', source: await readFile(written, 'utf8'), shortCircuit: true };
}
