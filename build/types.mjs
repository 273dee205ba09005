// Writes dist/lib/index.d.ts and dist/lib/adapters/*.d.ts: types in one file for each, which imports only types of
// frameworks.
// TypeScript writes a declaration file for each source file; rollup joins what an entry exports with what that needs.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { LIBRARY } from './library.mjs';

/** Drops `declare global` of internal modules, which would change Node's types in the consumer's program. */
const noGlobals = { name: 'no-globals', transform: () => ({ moduleSideEffects: false }) };
const FOLDER = `types.${process.pid}.tmp`;

try {
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'src', '--outDir', FOLDER];
  execFileSync(process.execPath, tsc, { stdio: 'inherit' });
  for (const name of Object.keys(LIBRARY)) {
    const bundle = await rollup({
      input: `${FOLDER}/${name}.d.ts`,
      plugins: [dts(), noGlobals],
      external: (id) => /^[^./]/.test(id), // zod has only internal types, which rollup drops; frameworks are peers
    });
    await bundle.write({ file: `dist/lib/${name}.d.ts` });
  }
} finally {
  rmSync(FOLDER, { recursive: true, force: true });
}
