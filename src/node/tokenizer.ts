/** Loads what counts tokens: our own counter's tables, or tiktoken, the reference. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { TranscriptError } from '../errors.js';
import { type Counting, countings, type Tokenizer } from '../measure/stats/counting.js';
import { onceEach } from '../once.js';
import { createCounter } from '../tokens/bpe/counter.js';
import type { Vocabulary } from '../tokens/bpe/vocabularies.js';
import type { CountText } from '../tokens/count.js';
import { type Encoding, vocabularyPackage } from '../tokens/models.js';

export async function loadTokenizer(kind: 'exact' | 'tiktoken'): Promise<Tokenizer> {
  return kind === 'tiktoken' ? perEncoding(tiktoken()) : exactTokenizer();
}

/** The built-in counter. The table of an encoding is read when it is first needed, once for the whole process. */
export function exactTokenizer(): Tokenizer {
  return exactCounters;
}

const exactCounters = perEncoding(exact);

function exact(encoding: Encoding): CountText {
  return counterOf(readTable(encoding));
}

function counterOf(table: Uint8Array): CountText {
  const { count, countBytes } = createCounter(table);
  return Object.assign((text: string) => count(text), { bytes: countBytes });
}

/** The vocabulary of an open model, from its package `ctx-trim-vocab-<name>` beside this one. */
function installed(name: Vocabulary): CountText | undefined {
  let path: string;
  try {
    path = createRequire(import.meta.url).resolve(`${vocabularyPackage(name)}/table.bin`);
  } catch {
    return undefined;
  }
  return counterOf(readFileSync(path));
}

/** Counts by the encoding of a model. */
export async function loadCountings(kind: 'exact' | 'tiktoken'): Promise<(model: string | undefined) => Counting> {
  return countings(await loadTokenizer(kind));
}

function perEncoding(load: (encoding: Encoding) => CountText): Tokenizer {
  return Object.assign(onceEach(load), { vocabulary: onceEach(installed) });
}

/** Where the tables are, as seen from this module: beside the bundle, or where the build puts them. */
declare const __TABLES__: string;

function readTable(encoding: Encoding): Uint8Array {
  return readFileSync(new URL(`${__TABLES__}/${encoding}.bin`, import.meta.url));
}

function tiktoken(): (encoding: Encoding) => CountText {
  let library: typeof import('tiktoken');
  try {
    library = createRequire(import.meta.url)('tiktoken') as typeof library;
  } catch {
    throw new TranscriptError(
      'usage',
      '--tokenizer tiktoken needs the package tiktoken (npm install tiktoken); the exact counter gives the same ' +
        'figures without it',
    );
  }
  return (encoding) => {
    const encoder = library.get_encoding(encoding);
    return (text) => encoder.encode_ordinary(text).length;
  };
}
