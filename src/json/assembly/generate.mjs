// Compiles scan.ts to ../code.ts, or to the path in the first argument, as base64 text: `npm run assembly`.
// A test compiles it again and compares.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const OPTIONS = [
  ['--outFile', 'scan.wasm'],
  ['--optimizeLevel', '3', '--converge', '--noAssert'],
  ['--runtime', 'stub'],
  ['--enable', 'simd'],
  ['--maximumMemory', '65535'], // pages of 64 KB: just below 4 GB
].flat();

const source = fileURLToPath(new URL('scan.ts', import.meta.url));
const target = process.argv[2] ?? new URL('../code.ts', import.meta.url);
let code;
const { error, stderr } = await asc.main([source, ...OPTIONS], {
  writeFile: (_, contents) => {
    code = Buffer.from(contents);
  },
});
if (error) throw new Error(stderr.toString());
writeFileSync(
  target,
  '/** Compiled from assembly/scan.ts by `npm run assembly`: WebAssembly, in base64. */\n' +
    `export const CODE =\n  '${code.toString('base64')}';\n`,
);
