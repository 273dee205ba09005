/** Loads the TypeScript of src/, where an import names `x.ts` as `x.js`. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';

const SOURCE = new URL('../../../src/', import.meta.url).href;

export function resolve(specifier, context, next) {
  const isSource = specifier.startsWith('.') && context.parentURL?.startsWith(SOURCE);
  return next(isSource ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

export async function load(url, context, next) {
  if (!url.startsWith(SOURCE) || !url.endsWith('.ts')) return next(url, context);
  const path = fileURLToPath(url);
  const { code, map, errors } = transformSync(path, await readFile(path, 'utf8'), { sourcemap: true });
  const [error] = errors;
  if (error !== undefined) throw error;
  const mapped = Buffer.from(JSON.stringify(map)).toString('base64');
  const source = `${code}\n//# sourceMappingURL=data:application/json;base64,${mapped}`;
  return { format: 'module', source, shortCircuit: true };
}
