// Loads the TypeScript of src/ and test/shared/, where an import names `x.ts` as `x.js`.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';

const ROOT = new URL('../../', import.meta.url).href;
const isOurs = (url) => url?.startsWith(`${ROOT}src/`) || url?.startsWith(`${ROOT}test/shared/`);

export function resolve(specifier, context, next) {
  const isSource = specifier.startsWith('.') && isOurs(context.parentURL);
  return next(isSource ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

export async function load(url, context, next) {
  if (!isOurs(url) || !url.endsWith('.ts')) return next(url, context);
  const path = fileURLToPath(url);
  const { code, errors } = transformSync(path, await readFile(path, 'utf8'));
  const [error] = errors;
  if (error !== undefined) throw error;
  return { format: 'module', source: code, shortCircuit: true };
}
