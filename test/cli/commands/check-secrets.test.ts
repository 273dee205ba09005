/** `check --secrets` and `redact` agree on every input: what one finds, refuses or accepts, the other does, too. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { inTurn } from '../../shared/in-turn.js';
import { runProgram } from '../../shared/program.js';

const cwd = mkdtempSync(join(tmpdir(), 'ctx-trim-check-secrets-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const VALUE = 'kX93jd82hsKq71ndLx92QpZ44';
const said = (content: unknown) => `${JSON.stringify([{ role: 'user', content }])}\n`;
const delta = (text: string) =>
  `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', delta: { text } })}\n\n`;
const wide = Buffer.from(said(`API_KEY=${VALUE}`), 'utf16le');

const SECRETS: Readonly<Record<string, string>> = {
  'named.json': said(`DB_PASSWORD=${VALUE}`),
  'header.json': said(`Authorization: Token ${VALUE}`),
  'bearer.json': said(`curl -H "Authorization: Bearer ${VALUE}"`),
  'parts.json': said([
    { type: 'text', text: `API_KEY=${VALUE.slice(0, 12)}` },
    { type: 'text', text: VALUE.slice(12) },
  ]),
  'events.txt': delta('API_KEY=kX93jd82') + delta(VALUE.slice(8)),
  'app.log': `started\nAPI_KEY=${VALUE}\n`,
};
const CLEAN: Readonly<Record<string, string>> = {
  'plain.json': said('API_KEY=$API_KEY'),
  'plain.txt': delta('no secrets'),
};

/** Of each file, what both say. */
function both(files: Readonly<Record<string, string | Buffer>>) {
  const names = Object.keys(files);
  for (const name of names) writeFileSync(join(cwd, name), files[name]!);
  const told = inTurn(
    cwd,
    names.flatMap((name) => [`redact --check ${name}`, `check --secrets ${name}`]),
  );
  return names.map((name, index) => [name, told[index * 2]!, told[index * 2 + 1]!] as const);
}

it('both find it, and without --max-warnings', () => {
  for (const [name, redact, check] of both(SECRETS)) {
    expect([name, redact.status, check.status]).toEqual([name, 1, 1]);
    expect(check.stdout).toContain('replaces it');
  }
});

it('also in what comes once only, from stdin', () => {
  const input = `${'started\n'.repeat(60_000)}API_KEY=${VALUE}\n`;
  expect(runProgram(['check', '--secrets'], { input })).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('60001:9  error'),
  });
});

it('both find nothing', () => {
  for (const [name, redact, check] of both(CLEAN)) expect([name, redact.status, check.status]).toEqual([name, 0, 0]);
});

it('both refuse UTF-16, with and without its mark, in the same words', () => {
  const marked = Buffer.concat([Buffer.from([0xff, 0xfe]), wide]);
  for (const [name, redact, check] of both({ 'wide.json': wide, 'marked.json': marked, 'wide.txt': wide })) {
    expect([name, redact.status, check.status]).toEqual([name, 2, 2]);
    expect(check.stderr).toBe(redact.stderr);
    expect(check.stderr).toContain('it holds UTF-16');
  }
});

it('what is not JSON although its name says so is searched, and an error', () => {
  const [[, , check]] = both({ 'broken.jsonl': SECRETS['app.log']! }) as [ReturnType<typeof both>[number]];
  expect(check.status).toBe(2);
  expect(check.stdout).toContain('secret/named-secret');
  expect(check.stderr).toContain('broken.jsonl:1:1: not JSON');
});
