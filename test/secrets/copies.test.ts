/** What its name or place shows to be a secret stands bare elsewhere, too: before, behind, and in other spellings. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { redact } from '../../src/engine/redact/redact.js';
import { runProgram } from '../shared/program.js';

const SECRET = 'kX93/jd82@hsKq71';
const MARK = '[secret:named-secret:1]';
const line = (content: unknown) => `${JSON.stringify({ role: 'user', content })}\n`;

describe('a copy goes', () => {
  const named = `DB_PASSWORD=${SECRET}`;
  it.each<[string, string, string]>([
    ['in a sentence', `I use ${SECRET} for it.`, `I use ${MARK} for it.`],
    ['in an option', `psql --pw ${SECRET}`, `psql --pw ${MARK}`],
    ['in JSON', JSON.stringify({ a: SECRET }), JSON.stringify({ a: MARK })],
    ['as a key', JSON.stringify({ [SECRET]: 1 }), JSON.stringify({ [MARK]: 1 })],
    ['in JSON in JSON', JSON.stringify(JSON.stringify({ a: SECRET })), JSON.stringify(JSON.stringify({ a: MARK }))],
    ['with escapes', `{"a":"kX93\\/jd82\\u0040hsKq71"}`, `{"a":"${MARK}"}`],
    ['percent-encoded', `/login?x=${encodeURIComponent(SECRET)}&y=1`, `/login?x=${MARK}&y=1`],
    ['in a file name', `/var/lib/${SECRET}.key`, `/var/lib/${MARK}.key`],
  ])('%s', (_, text, after) => {
    for (const [input, expected] of [
      [line(`${named}\n${text}`), line(`DB_PASSWORD=${MARK}\n${after}`)],
      [line(text) + line(named), line(after) + line(`DB_PASSWORD=${MARK}`)],
    ] as const) {
      expect(redact(input)).toBe(expected);
      expect(redact(expected)).toBe(expected);
    }
  });

  it('of the password of a pair, of a value of a cookie, of what an address encodes', () => {
    const pair = Buffer.from(`bot:${SECRET}`).toString('base64');
    for (const text of [
      `Authorization: Basic ${pair}`,
      `Cookie: theme=dark; sessionid=${SECRET}`,
      `postgres://app:${encodeURIComponent(SECRET)}@db/app`,
    ])
      expect(redact(line(`${text} and ${SECRET}`))).not.toContain(SECRET);
  });

  it('in base64', () => {
    const encoded = Buffer.from(`some words before the value ${SECRET} and some behind it`).toString('base64');
    expect(redact(line(`${named} ${encoded}`))).toBe(line(`DB_PASSWORD=${MARK} [secret:named-secret:2]`));
  });

  it('in messages before it, which keep their places', () => {
    const messages = [`I use ${SECRET}`, 'plain', named].map((content) => ({ role: 'user', content }));
    const output = redact(messages);
    expect(output.map(({ content }) => content)).toEqual([`I use ${MARK}`, 'plain', `DB_PASSWORD=${MARK}`]);
    expect(output[1]).toBe(messages[1]);
  });
});

it('one secret has one mark, whatever shows it', () => {
  const text = `DB_PASSWORD=${SECRET} postgres://a:${SECRET}@db/x Authorization: Token ${SECRET}`;
  expect(redact(text)).toBe(`DB_PASSWORD=${MARK} postgres://a:${MARK}@db/x Authorization: Token ${MARK}`);
});

describe('what stands for other things stays', () => {
  it.each([
    ['a word', 'DB_PASSWORD=userPassword', 'const userPassword = 1'],
    ['a short name', 'curl -u bob:admin123 x', 'user admin123'],
    ['the id of a call', 'token="toolu_01A9b8C7d6E5f4G3h2J1"', 'toolu_01A9b8C7d6E5f4G3h2J1'],
    ['a UUID', 'token="123e4567-e89b-42d3-a456-426614174000"', '123e4567-e89b-42d3-a456-426614174000'],
    ['a part of a word', `DB_PASSWORD=kX93jd82hsKq71`, 'kX93jd82hsKq71ndLx'],
    ['digits', '{"password": 839201746352}', '839201746352'],
  ])('%s', (_, named, text) => {
    expect(redact(line(named) + line(text))).toContain(line(text));
  });
});

describe('over windows', () => {
  const FILLER = line('some words '.repeat(100_000)).repeat(5);
  const BARE = line(`I use ${SECRET}`);
  const LATE = BARE + FILLER + line(`DB_PASSWORD=${SECRET}`);
  const expected = LATE.replaceAll(SECRET, MARK);
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ctx-trim-copies-'));
    writeFileSync(join(folder, 's.jsonl'), LATE);
    writeFileSync(join(folder, 'bare.jsonl'), BARE);
    writeFileSync(join(folder, 'clean.jsonl'), FILLER);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const run = (words: readonly string[], input?: string) =>
    runProgram(['redact', ...words], { cwd: folder, ...(input === undefined ? {} : { input }) });

  it('a copy goes that stands more than a window before it', () => {
    expect(run(['s.jsonl']).stdout === expected).toBe(true);
    expect(run([], LATE).stdout === expected).toBe(true);
    expect(run(['clean.jsonl']).stdout === FILLER).toBe(true);
  });

  it('check --secrets says the same of later files', () => {
    const check = (...names: string[]) => runProgram(['check', '--secrets', ...names], { cwd: folder });
    expect(check('s.jsonl', 'bare.jsonl').stdout.match(/secret\/named-secret/g)?.length).toBe(2);
    expect(check('bare.jsonl').status).toBe(0);
  });

  it('and in later files and runs', () => {
    const first = run(['--map', 'map.json', 's.jsonl', 'bare.jsonl']);
    expect(first.stdout === expected + BARE.replace(SECRET, MARK)).toBe(true);
    expect(run(['--map', 'map.json', 'bare.jsonl']).stdout).toBe(BARE.replace(SECRET, MARK));
    expect(run(['bare.jsonl']).stdout).toBe(BARE);
  });
});
