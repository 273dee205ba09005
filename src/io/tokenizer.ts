/** Loads what counts tokens: our own counter's tables, or tiktoken, the reference. */
import { readFileSync } from 'node:fs';
import { TranscriptError } from '../errors.js';
import { type Counting, countings, type Tokenizer } from '../stats/counting.js';
import { createCounter } from '../tokens/bpe/counter.js';
import type { CountText } from '../tokens/count.js';
import type { Encoding } from '../tokens/models.js';

export async function loadTokenizer(kind: 'exact' | 'tiktoken'): Promise<Tokenizer> {
  return kind === 'tiktoken' ? perEncoding(await tiktoken()) : exactTokenizer();
}

/** The built-in counter. The table of an encoding is read when it is first needed, once for the whole process. */
export function exactTokenizer(): Tokenizer {
  return exactCounters;
}

const exactCounters = perEncoding(exact);

function exact(encoding: Encoding): CountText {
  const { count, countBytes } = createCounter(readTable(encoding));
  return Object.assign((text: string) => count(text), { bytes: countBytes });
}

/** Counts by the encoding of a model. */
export async function loadCountings(kind: 'exact' | 'tiktoken'): Promise<(model: string | undefined) => Counting> {
  return countings(await loadTokenizer(kind));
}

function perEncoding(load: (encoding: Encoding) => CountText): Tokenizer {
  const loaded = new Map<Encoding, CountText>();
  return (encoding) => {
    let count = loaded.get(encoding);
    if (count === undefined) {
      count = load(encoding);
      loaded.set(encoding, count);
    }
    return count;
  };
}

/** Where the tables are, as seen from this module: beside the bundle, or where the build puts them. */
declare const __TABLES__: string;

function readTable(encoding: Encoding): Uint8Array {
  return readFileSync(new URL(`${__TABLES__}/${encoding}.bin`, import.meta.url));
}

async function tiktoken(): Promise<(encoding: Encoding) => CountText> {
  let library: typeof import('tiktoken');
  try {
    library = await import('tiktoken');
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
