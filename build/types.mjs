// Writes dist/index.d.ts: the types of the library as one file without imports. TypeScript writes a declaration for each
// source file, and rollup joins the declarations that src/index.ts exports and those that they need.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const FOLDER = `types.${process.pid}.tmp`;

try {
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'src', '--outDir', FOLDER];
  execFileSync(process.execPath, tsc, { stdio: 'inherit' });
  const bundle = await rollup({
    input: `${FOLDER}/index.d.ts`,
    plugins: [dts(), { name: 'no-globals', transform: () => ({ moduleSideEffects: false }) }],
    external: ['zod'], // modules on the way use it, public types do not
  });
  await bundle.write({ file: 'dist/index.d.ts' });
} finally {
  rmSync(FOLDER, { recursive: true, force: true });
}
