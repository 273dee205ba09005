// Writes dist/lib/index.d.ts and dist/lib/adapters/*.d.ts: types in one file for each, which imports only types of
// frameworks, and what the adapters share in dist/lib/adapters/types.d.ts.
// TypeScript writes a declaration file for each source file; rollup joins what an entry exports with what that needs.
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
  const adapters = Object.keys(LIBRARY).filter((name) => name.startsWith('adapters/'));
  for (const name of Object.keys(LIBRARY).filter((name) => !adapters.includes(name))) await write([name]);
  await write(adapters);
} finally {
  rmSync(FOLDER, { recursive: true, force: true });
}

async function write(names) {
  const entries = names.map((name) => [name, resolve(FOLDER, `${name}.d.ts`)]);
  const bundle = await rollup({
    input: Object.fromEntries(entries),
    plugins: [dts(), noGlobals],
    external: (id) => /^[^./]/.test(id), // zod has only internal types, which rollup drops; frameworks are peers
    onLog: (level, log, print) => log.plugin === 'dts' || print(level, log), // shared types have no names for programs
  });
  const isShared = (id) => names.length > 1 && !OF_FRAMEWORKS.test(id) && !entries.some(([, path]) => path === id);
  await bundle.write({
    dir: 'dist/lib',
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'adapters/[name].d.ts',
    manualChunks: (id) => (isShared(id) ? 'types' : undefined),
  });
}
