// Writes dist/lib/index.d.ts, plugin.d.ts and adapters/*.d.ts, which import only types of frameworks, and what they
// share in types.d.ts. TypeScript writes a declaration file for each source file; rollup joins what an entry exports
// with what that needs.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { LIBRARY } from './library.mjs';

/** Drops `declare global` of internal modules, which would change Node's types in the consumer's program. */
const noGlobals = { name: 'no-globals', transform: () => ({ moduleSideEffects: false }) };
/** Modules that import types of a framework, which only its adapter may. */
const OF_FRAMEWORKS = /[\\/]guards[\\/]ai-sdk/;
const FOLDER = `types.${process.pid}.tmp`;

try {
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'src', '--outDir', FOLDER];
  execFileSync(process.execPath, tsc, { stdio: 'inherit' });
  await write();
} finally {
  rmSync(FOLDER, { recursive: true, force: true });
}

async function write() {
  const entries = Object.keys(LIBRARY).map((name) => [name, resolve(FOLDER, `${name}.d.ts`)]);
  const bundle = await rollup({
    input: Object.fromEntries(entries),
    plugins: [dts(), noGlobals],
    external: (id) => /^[^./]/.test(id), // zod has only internal types, which rollup drops; frameworks are peers
    onLog: (level, log, print) => log.plugin === 'dts' || print(level, log), // shared types have no names for programs
  });
  const isShared = (id) => !OF_FRAMEWORKS.test(id) && !entries.some(([, path]) => path === id);
  await bundle.write({
    dir: 'dist/lib',
    entryFileNames: '[name].d.ts',
    chunkFileNames: '[name].d.ts',
    minifyInternalExports: false, // names that last, in what programmers see
    manualChunks: (id) => (isShared(id) ? 'types' : undefined),
  });
}
