// Writes dist/index.d.ts: the types of the library in one file without imports. TypeScript writes a declaration file
// for each source file; rollup joins what src/index.ts exports with what that needs.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

/** Drops `declare global` of internal modules, which would change Node's types in the consumer's program. */
const noGlobals = { name: 'no-globals', transform: () => ({ moduleSideEffects: false }) };
const FOLDER = `types.${process.pid}.tmp`;

try {
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'src', '--outDir', FOLDER];
  execFileSync(process.execPath, tsc, { stdio: 'inherit' });
  const bundle = await rollup({
    input: `${FOLDER}/index.d.ts`,
    plugins: [dts(), noGlobals],
    external: ['zod'], // only internal types use it, and rollup drops those
  });
  await bundle.write({ file: 'dist/index.d.ts' });
} finally {
  rmSync(FOLDER, { recursive: true, force: true });
}
