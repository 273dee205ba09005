// Compiles scan.ts and writes it, as text that a program can carry, to ../code.ts or where the first word says: `npm run assembly`.
// A test compiles it again and compares.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const source = fileURLToPath(new URL('scan.ts', import.meta.url));
const target = process.argv[2] ?? new URL('../code.ts', import.meta.url);
let code;
const { error, stderr } = await asc.main([source, '--outFile', 'scan.wasm', '--optimizeLevel', '3', '--converge', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--maximumMemory', '65535'], {
  writeFile: (_, contents) => {
    code = Buffer.from(contents);
  },
});
if (error) throw new Error(stderr.toString());
writeFileSync(target, `/** Compiled from assembly/scan.ts by \`npm run assembly\`: WebAssembly, in base64. */\nexport const CODE =\n  '${code.toString('base64')}';\n`);
