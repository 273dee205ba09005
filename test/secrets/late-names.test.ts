/** Names that only a late path tells, and letters of escapes that are no mailbox. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { learnFirst } from '../../src/engine/redact/learn-first.js';
import { redact, redactorOf } from '../../src/engine/redact/redact.js';
import type { Read } from '../../src/json/rows.js';
import { runProgram } from '../shared/program.js';
import { streamed } from './redacted.js';

const line = (content: string) => `${JSON.stringify({ role: 'user', content })}\n`;
const BARE = line('Ask zelimira about it');
const FILLER = line('some words '.repeat(100_000)).repeat(5);
const LATE = BARE + FILLER + line('cd /home/zelimira/project');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-trim-names-'));
  writeFileSync(join(folder, 's.jsonl'), LATE);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('both go: a name that stands bare, and in a path more than a window later', async () => {
  const expected = LATE.replaceAll('zelimira', '[secret:name:1]');
  const file = await runProgram(['redact', '--personal', 's.jsonl'], { cwd: folder });
  expect(file.stdout === expected).toBe(true);
  const piped = await runProgram(['redact', '--personal'], { cwd: folder, input: LATE });
  expect(piped.stdout === expected).toBe(true);
});

it('also in messages', () => {
  const messages = [BARE, LATE.slice(BARE.length + FILLER.length)].map((text) => JSON.parse(text) as object);
  expect(JSON.stringify(redact(messages, { personal: true }))).not.toContain('zelimira');
});

it('a path that a window cuts is learned, and what is held is read again', () => {
  for (let shift = -30; shift <= 4; shift += 2) {
    const text = `${'x'.repeat((1 << 22) + shift)} /home/zelimira/a`;
    const bytes = Buffer.from(text);
    const names: string[] = [];
    const redactor = redactorOf([], []);
    let at = 0;
    const source: Read = (into, offset, length) => {
      const got = bytes.copy(into, offset, at, Math.min(at + length, bytes.length));
      at += got;
      return got;
    };
    const { read } = learnFirst(source, undefined, redactor, () => names.push('left'));
    const chunk = Buffer.alloc(1_000_003);
    let back = '';
    for (let got = read(chunk, 0, chunk.length); got > 0; got = read(chunk, 0, chunk.length))
      back += chunk.latin1Slice(0, got);
    expect(back === text).toBe(true);
    expect(names).toEqual([]);
    expect(streamed('Ask zelimira', redactor)).toBe('Ask [secret:name:1]');
  }
});

it('the letter of an escape is no mailbox', () => {
  const text = JSON.stringify({
    text: 'Markers:\n@pytest.mark.slow: slow\nbob@mail.example\t@app.route',
    in: '{"a":"\\n@pytest.mark"}',
  });
  const output = redact(text, { personal: true });
  expect(output).toBe(text.replace('bob@mail.example', '[secret:email:1]'));
});
