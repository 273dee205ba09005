/** Reads the vocabulary of an open model from its tokenizer.json. Runs when a table is built, never when it is used. */
import type { Tokens } from './build.js';
import type { PublicVocabulary } from './vocabularies.js';

/** What is read of a tokenizer.json: https://huggingface.co/docs/tokenizers */
export interface TokenizerJson {
  readonly added_tokens: readonly { readonly content: string }[];
  readonly normalizer: { readonly type: string; readonly normalizers?: readonly unknown[] } | null;
  readonly pre_tokenizer: {
    readonly pretokenizers: readonly {
      readonly type: string;
      readonly pattern?: { readonly Regex: string };
      readonly behavior?: string;
      readonly add_prefix_space?: boolean;
      readonly use_regex?: boolean;
    }[];
  };
  readonly model: {
    readonly type: string;
    readonly vocab: Readonly<Record<string, number>>;
    readonly merges: readonly (string | readonly [string, string])[];
    readonly ignore_merges?: boolean;
  };
}

/** Its tokens in order of rank. Throws where the file asks for more than the vocabulary's walker does. */
export function readTokens(json: TokenizerJson, expected: PublicVocabulary): Tokens {
  checkSplitting(json, expected);
  return json.model.ignore_merges === true ? tokensByNumber(json) : tokensByMerge(json.model.merges);
}

function checkSplitting({ normalizer, pre_tokenizer, model }: TokenizerJson, expected: PublicVocabulary): void {
  const steps = pre_tokenizer.pretokenizers;
  const patterns = steps.flatMap(({ pattern }) => pattern?.Regex ?? []);
  const bytes = steps.at(-1)!;
  const composes = normalizer?.type === 'NFC';
  const changesText = normalizer !== null && !composes && normalizer.normalizers?.length !== 0;
  const isKnown =
    model.type === 'BPE' &&
    composes === expected.composes &&
    !changesText &&
    steps.slice(0, -1).every(({ type, behavior }) => type === 'Split' && behavior === 'Isolated') &&
    bytes.type === 'ByteLevel' &&
    bytes.add_prefix_space === false &&
    bytes.use_regex === false;
  if (!isKnown || patterns.join('\n') !== expected.patterns.join('\n'))
    throw new Error('the tokenizer splits text in another way than its walker');
}

/** For a tokenizer that looks a whole piece up before it merges: the number of a token is its rank. */
function tokensByNumber({ model, added_tokens }: TokenizerJson): Tokens {
  const added = new Set(added_tokens.map(({ content }) => content));
  return Object.entries(model.vocab)
    .filter(([token]) => !added.has(token))
    .sort(([, a], [, b]) => a - b)
    .map(([token]) => bytesOf(token));
}

/**
 * For a tokenizer that only merges: the bytes, then what each merge makes. Our counter merges any two parts that are a
 * token together, and takes a whole piece for one token if it is one. Both are the same if merging the bytes of each
 * token by the merges before it ends in the two parts of its own merge; this is checked.
 */
function tokensByMerge(merges: TokenizerJson['model']['merges']): Tokens {
  const tokens = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));
  const ranks = new Map<string, number>(tokens.map((token, rank) => [keyOf(token), rank]));
  for (const merge of merges) {
    const [left, right] = (typeof merge === 'string' ? merge.split(' ') : merge).map(bytesOf) as [
      Uint8Array,
      Uint8Array,
    ];
    const token = Uint8Array.of(...left, ...right);
    const parts = mergedParts(keyOf(token), ranks);
    if (parts.length !== 2 || parts[0] !== keyOf(left))
      throw new Error(`merging ${JSON.stringify(merge)} is not what the merges before it lead to`);
    ranks.set(keyOf(token), tokens.push(token) - 1);
  }
  if (ranks.size !== tokens.length) throw new Error('two merges make the same token');
  return tokens;
}

/** Byte pair merging, as plain as can be. */
function mergedParts(text: string, ranks: ReadonlyMap<string, number>): string[] {
  const parts = [...text];
  for (;;) {
    let best = Infinity;
    let at = -1;
    for (let i = 0; i + 1 < parts.length; i++) {
      const rank = ranks.get(parts[i]! + parts[i + 1]!) ?? Infinity;
      if (rank < best) [best, at] = [rank, i];
    }
    if (at < 0) return parts;
    parts.splice(at, 2, parts[at]! + parts[at + 1]!);
  }
}

/** One character a byte. */
function keyOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/** The bytes of a token, whose characters stand for bytes as GPT-2's do: printable ones for themselves. */
function bytesOf(token: string): Uint8Array {
  return Uint8Array.from(token, (character) => {
    const byte = BYTES.get(character);
    if (byte === undefined) throw new Error(`the token ${JSON.stringify(token)} is not spelled in bytes`);
    return byte;
  });
}

const isPrintable = (byte: number) => (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);

const BYTES = new Map(
  Array.from({ length: 256 }, (_, byte) => byte)
    .sort((a, b) => Number(isPrintable(b)) - Number(isPrintable(a)) || a - b)
    .map((byte, index, all) => {
      const firstOther = all.findIndex((one) => !isPrintable(one));
      return [String.fromCharCode(isPrintable(byte) ? byte : 0x100 + index - firstOther), byte];
    }),
);
