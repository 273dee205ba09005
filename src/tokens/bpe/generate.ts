/**
 * Writes tables: of all encodings from tiktoken's encoder files (`node generate.js <outdir>`, by each build), or that
 * of an open model (`node generate.js <name> <tokenizer.json> <file>`).
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildTable, parseRanks } from './build.js';
import { readTokens } from './hugging-face.js';
import { type Encoding, PATTERNS } from './split.js';
import { VOCABULARIES, type Vocabulary } from './vocabularies.js';

const [outdir, tokenizer, file] = process.argv.slice(2);
if (outdir === undefined) throw new Error('usage: generate <outdir>, or generate <name> <tokenizer.json> <file>');
if (tokenizer === undefined || file === undefined) writeEncodings(outdir);
else writeVocabulary(outdir as Vocabulary, tokenizer, file);

function writeEncodings(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const { resolve } = createRequire(join(process.cwd(), 'package.json'));
  for (const encoding of Object.keys(PATTERNS) as Encoding[]) {
    const source = JSON.parse(readFileSync(resolve(`tiktoken/encoders/${encoding}.json`), 'utf8')) as {
      pat_str: string;
      bpe_ranks: string;
    };
    if (source.pat_str !== PATTERNS[encoding])
      throw new Error(`the split pattern of ${encoding} in tiktoken is not the one in split.ts`);
    writeFileSync(join(folder, `${encoding}.bin`), buildTable(encoding, parseRanks(source.bpe_ranks)));
  }
}

function writeVocabulary(name: Vocabulary, source: string, target: string): void {
  const tokens = readTokens(JSON.parse(readFileSync(source, 'utf8')), VOCABULARIES[name]);
  writeFileSync(target, buildTable(name, tokens));
}
