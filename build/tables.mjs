// Writes the tables of the token counter, made from tiktoken's vocabulary files.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { rolldown } from 'rolldown';

/** Returns the paths of the modules whose license the tables carry: none, as licenses.mjs names the vocabularies. */
export async function writeTables(dir) {
  await bundleGenerator((generator) => execFileSync(process.execPath, [generator, dir], { stdio: 'inherit' }));
  return [];
}

/** Calls back with the path of the program that writes tables, which is gone afterwards. */
export async function bundleGenerator(use) {
  const file = `tables.${process.pid}.tmp/generate.mjs`;
  const bundled = await rolldown({ input: 'src/tokens/bpe/generate.ts', platform: 'node' });
  try {
    await bundled.write({ file, format: 'esm' });
    use(file);
  } finally {
    await bundled.close();
    rmSync(`tables.${process.pid}.tmp`, { recursive: true, force: true });
  }
}
