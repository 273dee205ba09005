/** Vocabularies of open models: their patterns, the reading of their files, and counts of the reference. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildTable, parseRanks } from '../../src/tokens/bpe/build.js';
import { createCounter } from '../../src/tokens/bpe/counter.js';
import { readTokens, type TokenizerJson } from '../../src/tokens/bpe/hugging-face.js';
import { SENTINEL } from '../../src/tokens/bpe/split.js';
import { openTable } from '../../src/tokens/bpe/table.js';
import { VOCABULARIES, type Vocabulary } from '../../src/tokens/bpe/vocabularies.js';
import { modelInfo, vocabularyPackage } from '../../src/tokens/models.js';
import { createRandom, hostileStrings } from './hostile.js';

const NAMES = Object.keys(VOCABULARIES) as Vocabulary[];
const BYTES = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));

/** Characters of every class, with the borders of DeepSeek's Eastern range. */
const CHARACTERS = [
  ...'aabsstdmlreveAABSDLRE\u017f\u01c5ʰ漢漢の한\u0301\u0301\u0903 \u20dd1122٣½  \n\n\r\t\u0000\u200d',
  ...'\u00a0\u3000\u0085\u2028//!!--.<€😀\u{1d7d8}\u{10400}\u{10428}\u{20000}\ufeff#$_`~^',
  ...'ア・ー゠ヿ゛\u3098\u3099〿\u4e00\u9fa5\u9fa6、',
  ...["'", "'", "'s", "'LL"],
];

/** How the tokenizers library splits: each pattern within the pieces of the one before, gaps kept. */
function splitterOf(name: Vocabulary): (text: string) => string[] {
  const patterns = VOCABULARIES[name].patterns.map((pattern) => {
    const source = pattern
      .replaceAll("(?i:'s|'t|'re|'ve|'m|'ll|'d)", "(?:'[sS\u017f]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])")
      .replaceAll('\\s', '\\p{White_Space}')
      .replaceAll('\\S', '\\P{White_Space}')
      .replace('[!"#$%&\'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~]', '[!-\\/:-@\\[-`{-~]');
    return new RegExp(`(${source})`, 'u');
  });
  return (text) =>
    patterns.reduce(
      (pieces, pattern) => pieces.flatMap((piece) => piece.split(pattern).filter((part) => part !== '')),
      [text],
    );
}

describe.each(NAMES)('%s', (name) => {
  it('splits where its patterns do', () => {
    const random = createRandom(1);
    const { classes } = openTable(buildTable(name, BYTES));
    const room = new Uint8Array(1000);
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const encoder = new TextEncoder();
    const split = splitterOf(name);
    for (let i = 0; i < 20_000; i++) {
      const text = Array.from({ length: random.below(16) }, () => random.pick(CHARACTERS)).join('');
      const { written: size } = encoder.encodeInto(text, room);
      room.fill(SENTINEL, size, size + 4);
      const found: string[] = [];
      for (let start = 0, end = 0; start < size; start = end) {
        end = VOCABULARIES[name].walk(classes, room, start, size);
        found.push(decoder.decode(room.subarray(start, end)));
      }
      const expected = split(text); // a comparison by `expect` takes as long as a hundred of these
      if (found.join('\u0001') !== expected.join('\u0001')) expect(found).toEqual(expected);
    }
  });

  const table = join('vocabularies.tmp', vocabularyPackage(name), 'table.bin');
  it.skipIf(!existsSync(table))('counts as the reference does (npm run vocabularies makes the table)', () => {
    const recorded = JSON.parse(readFileSync('fixtures/vectors/vocabularies.json', 'utf8')) as {
      seed: number;
      sha256: string;
      counts: Record<string, string>;
    };
    const texts = [...hostileStrings(o200kTokens(), 2000, recorded.seed)].map((text) => Buffer.from(text).toString());
    expect(createHash('sha256').update(texts.join('\0')).digest('hex')).toBe(recorded.sha256);
    const { count, countBytes } = createCounter(readFileSync(table));
    expect(texts.map(count).join(' ')).toBe(recorded.counts[name]);
    const bytes = texts.map((text) => new TextEncoder().encode(text));
    expect(bytes.map((encoded) => countBytes(encoded, 0, encoded.length)).join(' ')).toBe(recorded.counts[name]);
  });
});

function o200kTokens() {
  const path = createRequire(import.meta.url).resolve('tiktoken/encoders/o200k_base.json');
  return parseRanks((JSON.parse(readFileSync(path, 'utf8')) as { bpe_ranks: string }).bpe_ranks);
}

/** A tokenizer.json in Qwen's form with these merges. */
function tokenizer(merges: readonly string[], change: Partial<TokenizerJson> = {}): TokenizerJson {
  const splits = VOCABULARIES.qwen3.patterns.map((Regex) => ({
    type: 'Split',
    pattern: { Regex },
    behavior: 'Isolated',
  }));
  return {
    added_tokens: [],
    normalizer: { type: 'NFC' },
    pre_tokenizer: {
      pretokenizers: [...splits, { type: 'ByteLevel', add_prefix_space: false, use_regex: false }],
    },
    model: { type: 'BPE', vocab: {}, merges },
    ...change,
  };
}

describe('a tokenizer.json', () => {
  const tokensOf = (json: TokenizerJson) => readTokens(json, VOCABULARIES.qwen3);

  it('gives the tokens of its merges, in bytes', () => {
    const tokens = tokensOf(tokenizer(['a b', 'ab c', 'Ã ©', 'Ġ ab']));
    expect(tokens.slice(256).map((token) => Buffer.from(token).toString())).toEqual(['ab', 'abc', 'é', ' ab']);
    const { count } = createCounter(buildTable('qwen3', tokens));
    expect(['abc', ' abc', 'éé', 'e\u0301', '12'].map(count)).toEqual([1, 2, 2, 1, 2]); // composed first
  });

  it('is refused if merges do not lead to what it says, as counting by rank would differ', () => {
    expect(() => tokensOf(tokenizer(['a b', 'b c', 'a bc']))).toThrow('not what the merges before it lead to');
    expect(() => tokensOf(tokenizer(['a b', 'a b']))).toThrow();
  });

  it('is refused if it splits or changes text in another way', () => {
    const { pretokenizers } = tokenizer([]).pre_tokenizer;
    const other = [{ type: 'Split', pattern: { Regex: '.' }, behavior: 'Isolated' }, ...pretokenizers.slice(1)];
    for (const change of [
      { normalizer: null },
      { normalizer: { type: 'Lowercase' } },
      { pre_tokenizer: { pretokenizers: other } },
      { pre_tokenizer: { pretokenizers: pretokenizers.slice(0, -1) } },
    ])
      expect(() => tokensOf(tokenizer([], change))).toThrow('in another way');
  });
});

it('is used where its package is installed beside this one, and else named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-vocabulary-'));
  try {
    const modules = join(folder, 'node_modules');
    for (const part of ['bin', 'dist', 'package.json'])
      cpSync(part, join(modules, 'ctx-trim', part), { recursive: true });
    const recording = join(folder, 'chat.json');
    const messages = [{ role: 'user', content: 'ab abab' }];
    writeFileSync(recording, JSON.stringify({ model: 'Qwen/Qwen3-32B', messages }));
    const program = join(modules, 'ctx-trim', 'bin', 'ctx-trim.js');
    const stats = () => execFileSync(process.execPath, [program, 'stats', recording], { encoding: 'utf8' });
    expect(stats()).toContain('estimated: install ctx-trim-vocab-qwen3 to count Qwen/Qwen3-32B exactly');

    const own = join(modules, 'ctx-trim-vocab-qwen3');
    mkdirSync(own);
    const exports = { './table.bin': './table.bin' };
    writeFileSync(join(own, 'package.json'), JSON.stringify({ name: 'ctx-trim-vocab-qwen3', exports }));
    const tokens = readTokens(tokenizer(['a b', 'ab ab', 'Ġ abab']), VOCABULARIES.qwen3);
    writeFileSync(join(own, 'table.bin'), buildTable('qwen3', tokens));
    const counted = stats();
    expect(counted).not.toContain('estimated');
    expect(counted).toMatch(/one request\s+10 tokens/); // 2 of text, 5 around the message, 3 around the request
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('is claimed for models whose weights came with it, and no others', () => {
  const vocabularyOf = (model: string) => modelInfo(model)?.vocabulary;
  expect(['qwen2.5-7b-instruct', 'Qwen/QwQ-32B', 'qwen3-coder-30b', 'qwen-2.5-72b'].map(vocabularyOf)).toEqual(
    Array(4).fill('qwen3'),
  );
  expect(['deepseek-ai/DeepSeek-V3.1', 'deepseek-r1'].map(vocabularyOf)).toEqual(['deepseek_v3', 'deepseek_v3']);
  expect(vocabularyOf('deepseek-r1-distill-qwen-32b')).toBe('qwen3');
  expect(vocabularyOf('open-mistral-nemo-2407')).toBe('mistral_nemo');
  const others = ['qwen3.5-plus', 'qwen3-max', 'qwen-turbo', 'deepseek-chat', 'deepseek-v4', 'mistral-large-latest'];
  expect(others.map(vocabularyOf)).toEqual(others.map(() => undefined));
  expect(vocabularyOf('deepseek-r1-distill-llama-70b')).toBeUndefined();
});
