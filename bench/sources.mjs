/** The sources, which are TypeScript, for benchmarks that look inside: `{name: 'src/…'}` gives their exports. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

export async function sources(input) {
  const home = mkdtempSync(join('node_modules', '.bench-'));
  process.on('exit', () => rmSync(home, { recursive: true })); // some modules are loaded when first needed
  const bundled = await rolldown({ input, platform: 'node', external: /^[^./]/ });
  await bundled.write({ dir: home, format: 'esm', entryFileNames: '[name].mjs' });
  const modules = Object.keys(input).map((name) => import(pathToFileURL(join(home, `${name}.mjs`)).href));
  return Object.assign({}, ...(await Promise.all(modules)));
}
