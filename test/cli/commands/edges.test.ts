/** Words and files at the edges of the command line: empty words, one file under two names, two reports in one file. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../shared/program.js';

const cwd = mkdtempSync(join(tmpdir(), 'ctx-trim-edges-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
const CHAT = JSON.stringify({
  model: 'gpt-4o',
  messages: [
    { role: 'user', content: 'Hi.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c', content: 'Yes.' },
  ],
});

function run(words: readonly string[], files: Readonly<Record<string, string | Uint8Array>> = {}) {
  for (const [name, content] of Object.entries({ 'a.json': CHAT, ...files })) writeFileSync(join(cwd, name), content);
  return runProgram(words, { cwd });
}

describe('an empty word', () => {
  const stderr =
    'ctx-trim: an argument is empty, as of a variable that is not set; name a file, or `.` for this folder\n';
  it.each([
    ['filter', '--max-tool-calls', '0', '--write', ''],
    ['filter', '--max-tool-calls', '0', '--write', '', 'a.json'],
    ['check', ''],
    ['stats', ''],
    ['diff', '', 'a.json'],
  ])('%s %s %s %s %s names no file, and not the folder', (...words) => {
    expect(run(words)).toEqual({ status: 2, stdout: '', stderr });
    expect(readFileSync(join(cwd, 'a.json'), 'utf8')).toBe(CHAT);
  });
});

describe('an empty name or pattern', () => {
  it.each([
    ['filter', '--max-tool-calls', '0', '--tool', ''],
    ['filter', '--max-tool-calls', '0', '--exclude-tool='],
    ['stats', '--model', ''],
    ['check', '--exclude', ''],
  ])('%s %s %s %s %s is refused: it would match nothing', (...words) => {
    const { status, stdout, stderr } = run([...words, 'a.json']);
    expect([status, stdout, stderr]).toEqual([2, '', expect.stringMatching(/argument '' is invalid. expected a \w+ /)]);
  });
});

describe('one file under two names', () => {
  it.each([[['a.json', './a.json']], [['./a.json', join(cwd, 'a.json')]], [['a.json', './[a].json']]])(
    '%j counts once',
    (files) => {
      const { status, stdout } = run(['stats', '--format', 'json', ...files]);
      expect([status, JSON.parse(stdout).transcripts.map(({ file }: { file: string }) => file)]).toEqual([
        0,
        [files[0]],
      ]);
    },
  );
});

describe('two reports in one file', () => {
  it('are refused, and none is written', () => {
    const { status, stderr } = run(['check', '--reporter', 'json=out', '--reporter', 'sarif=./out', 'a.json']);
    expect([status, stderr]).toEqual([2, 'ctx-trim: ./out: cannot write it: two outputs name this file\n']);
    expect(existsSync(join(cwd, 'out'))).toBe(false);
  });
});

describe('the position of what is no JSON', () => {
  it.each([
    ['{\n  "check": {"rules": off},\n  "prices": []\n}\n', '2:22'],
    ['// mine\n{}\n', '1:1'],
    ['{"é": nope}\n', '1:8'],
    ['{"check": {}', '1:13'],
  ])('%j in a config', (text, place) => {
    const { status, stderr } = run(['check', '--config', 'c.json', 'a.json'], { 'c.json': text });
    expect([status, stderr.slice(0, stderr.indexOf(': not'))]).toEqual([2, `ctx-trim: c.json:${place}`]);
  });
});

describe('a wrong severity in a config', () => {
  it('is named with what is expected in its place', () => {
    const { status, stderr } = run(['check', '--config', 'c.json', 'a.json'], {
      'c.json': '{"check":{"rules":{"core/unread":"of"}}}',
    });
    expect([status, stderr.split(';')[0]]).toEqual([
      2,
      'ctx-trim: c.json: `check.rules`: expected a list of rules, or a map from rules to off, warning or error',
    ]);
  });
});

describe('a gzip file that is cut', () => {
  it('is said to be so after what was read of it, and not that nothing was written', () => {
    const packed = gzipSync(`${CHAT}\n`.repeat(3000)).subarray(0, -40);
    const { status, stdout, stderr } = run(['filter', '--max-tool-calls', '9', 'a.jsonl.gz'], { 'a.jsonl.gz': packed });
    expect([status, stdout.startsWith(CHAT), stdout.endsWith('}')]).toEqual([2, true, true]);
    expect(stderr).toBe('ctx-trim: a.jsonl.gz: the gzip file cannot be unpacked: it is incomplete; get it again\n');
  });
});

describe('what stands beside the recordings', () => {
  const latin = (text: string) => Buffer.from(text, 'latin1');
  it.each<[words: string[], name: string, content: Buffer, place: string]>([
    [['inject', '--system', 'r.md', 'a.json'], 'r.md', latin('Be kind.\nSay où.\n'), 'r.md:2:6'],
    [['audit', '--policy', 'p.yaml', 'a.json'], 'p.yaml', latin('version: 1\nname: "été"\nrules: []\n'), 'p.yaml:2:8'],
    [['check', '--config', 'c.json', 'a.json'], 'c.json', latin('{"é":1}'), 'c.json:1:3'],
    [['stats', '--prices', 'q.json', 'a.json'], 'q.json', Buffer.from('\ufeff{}', 'utf16le'), 'q.json:1:1'],
    [['check', '--baseline', 'b.json', 'a.json'], 'b.json', latin('{"findings":["é"]}'), 'b.json:1:15'],
  ])('%j is refused where the file is not UTF-8', (words, name, content, place) => {
    const { status, stdout, stderr } = run(words, { [name]: content });
    expect([status, stdout, stderr]).toEqual([
      2,
      '',
      `ctx-trim: ${place}: these bytes are not UTF-8; convert the file to UTF-8 first (iconv -t UTF-8)\n`,
    ]);
  });

  it.each([
    ['--system', 'r.md'],
    ['--tool-description', 'f=r.md'],
  ])('an empty file for inject %s is refused: nothing would be added', (...words) => {
    const { status, stdout, stderr } = run(['inject', ...words, 'a.json'], { 'r.md': ' \n' });
    expect([status, stdout, stderr]).toEqual([2, '', 'ctx-trim: r.md: there is no text in it\n']);
  });
});
