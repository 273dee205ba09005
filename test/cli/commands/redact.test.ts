/** `redact --map`: the way back is there before a secret is gone, and nothing else is written over. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runProgram } from '../../shared/program.js';

const tokens = ['wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx', 'q7Zr2Lw9Xc4Vb8Nm1Ks6Td3Yf5Hj0Gp2Aa4e'].map(
  (own) => `${'gh'}p_${own}`,
);
const [first, second] = tokens as [string, string];
const mark = (number: number) => `[secret:github-token:${number}]`;
const lineOf = (text: string) => `${JSON.stringify({ role: 'user', content: `my key is ${text}` })}\n`;

let home = '';
const at = (name: string) => join(home, name);
const textOf = (name: string) => readFileSync(at(name), 'utf8');
const put = (name: string, text: string) => writeFileSync(at(name), text);
const mapIn = (name: string) => JSON.parse(textOf(name)) as Record<string, string>;
const redact = (...words: string[]) => runProgram(['redact', ...words], { cwd: home });

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ctx-trim-map-'));
  put('s.jsonl', lineOf(first));
  put('other.jsonl', lineOf(second));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('a map takes the place of no input and no output', () => {
  symlinkSync(at('s.jsonl'), at('link'));
  put('map.json', JSON.stringify({ [mark(1)]: first }));
  for (const words of [
    ['s.jsonl', '--map', 's.jsonl', '-o', 'o.jsonl'],
    ['-w', 's.jsonl', '--map', 's.jsonl'],
    ['-w', 's.jsonl', '--map', 'link'],
    ['s.jsonl', '--map', 'o.jsonl', '-o', 'o.jsonl'],
    ['s.jsonl', '--map', './o.jsonl', '-o', 'o.jsonl'],
    ['-w', 's.jsonl', 'map.json', '--map', 'map.json'],
    ['-w', 's.jsonl', '--map', 'no/such/folder/map.json'],
  ]) {
    expect(redact(...words), words.join(' ')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('cannot write it'),
    });
    expect(textOf('s.jsonl')).toBe(lineOf(first));
    expect(mapIn('map.json')).toEqual({ [mark(1)]: first });
    expect(existsSync(at('o.jsonl'))).toBe(false);
  }
});

it('the map is written even if an input fails', () => {
  expect(redact('-w', '--map', 'map.json', 's.jsonl', 'missing.jsonl')).toMatchObject({ status: 2 });
  expect(textOf('s.jsonl')).toBe(lineOf(mark(1)));
  expect(mapIn('map.json')).toEqual({ [mark(1)]: first });
});

it('a later run keeps the marks of the map, knows them again, and goes on counting', () => {
  expect(redact('-w', '--map', 'map.json', 's.jsonl')).toMatchObject({ status: 0 });
  expect(redact('-w', '--map', 'map.json', 's.jsonl')).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('no secrets found'),
  });
  expect(mapIn('map.json')).toEqual({ [mark(1)]: first });
  put('both.jsonl', lineOf(second) + lineOf(first));
  const { stderr } = redact('-w', '--map', 'map.json', 'both.jsonl');
  expect(stderr).toContain(`${mark(1)} to ${mark(2)}, 2 places`);
  expect(textOf('both.jsonl')).toBe(lineOf(mark(2)) + lineOf(mark(1)));
  expect(redact('--map', 'map.json', 'other.jsonl').stderr).toContain(`GitHub token: ${mark(2)}, 1 place`);
  expect(mapIn('map.json')).toEqual({ [mark(1)]: first, [mark(2)]: second });
  expect(statSync(at('map.json')).mode & 0o777).toBe(0o600);
});

it('a mark that stands in the text is not given to another secret', () => {
  put('again.jsonl', lineOf(mark(3)) + lineOf(second));
  expect(redact('again.jsonl').stdout).toBe(lineOf(mark(3)) + lineOf(mark(4)));
  put('old.jsonl', lineOf(mark(1)));
  expect(redact('s.jsonl', 'old.jsonl').stderr).toContain(`warning: ${mark(1)} stood in an input before`);
});

it('what is not searched is counted, once, whatever is found', () => {
  const image = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(90, 7)]).toString('base64');
  put('i.jsonl', `${JSON.stringify({ role: 'user', content: [{ type: 'image_url', image_url: { url: image } }] })}\n`);
  expect(redact('i.jsonl').stderr).toBe('ctx-trim: no secrets found\nctx-trim: not searched: 1 image\n');
  const both = 'ctx-trim: not searched: 2 images\n';
  put('both.jsonl', textOf('i.jsonl').repeat(2) + lineOf(first));
  for (const words of [['--personal'], []])
    expect(redact(...words, 'both.jsonl').stderr.endsWith(both), words.join()).toBe(true);
  expect(redact('--check', 'both.jsonl')).toMatchObject({ status: 1, stdout: 'both.jsonl\n', stderr: both });
  expect(redact('--quiet', 'both.jsonl').stderr).toBe('');
  const told = redact('--format', 'json', '-o', 'o.jsonl', 'both.jsonl').stdout;
  expect(JSON.parse(told).unsearched).toEqual([{ kind: 'image', count: 2 }]);
});
