/** Writes the tables of all encodings from tiktoken's encoder files. Each build runs `node generate.js <outdir>`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildTable, parseRanks } from './build.js';
import { type Encoding, PATTERNS } from './split.js';

const outdir = process.argv[2];
if (outdir === undefined) throw new Error('usage: generate <outdir>');
mkdirSync(outdir, { recursive: true });
const { resolve } = createRequire(join(process.cwd(), 'package.json'));
for (const encoding of Object.keys(PATTERNS) as Encoding[]) {
  const source = JSON.parse(readFileSync(resolve(`tiktoken/encoders/${encoding}.json`), 'utf8')) as {
    pat_str: string;
    bpe_ranks: string;
  };
  if (source.pat_str !== PATTERNS[encoding])
    throw new Error(`the split pattern of ${encoding} in tiktoken is not the one in split.ts`);
  writeFileSync(join(outdir, `${encoding}.bin`), buildTable(encoding, parseRanks(source.bpe_ranks)));
}
