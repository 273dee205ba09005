/** `check --merge`: reports of parts add up to the report of all. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runIn } from '../../../src/cli/cli.js';
import { memoryTerminal } from '../../shared/terminal.js';

const FOLDER = 'fixtures/formats/claude-code';
const files = [
  ...readdirSync(FOLDER).map((name) => `${FOLDER}/${name}`),
  'fixtures/cases/read/bad-line.jsonl',
  'none.json',
];
let folder = '';
let parts: string[] = [];

async function check(...words: string[]) {
  const { terminal, out, err } = memoryTerminal({ cwd: process.cwd() });
  const status = await runIn(terminal, ['check', ...words]);
  return { status, out: out(), err: err() };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-trim-merge-'));
  parts = await Promise.all(
    files.map(async (file, at) => {
      const part = join(folder, `${at}.json`);
      writeFileSync(part, (await check('--format=json', file)).out);
      return part;
    }),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

it('is the report of all, as JSON, SARIF and for GitLab, with its exit code', async () => {
  for (const format of ['json', 'sarif', 'gitlab']) {
    const all = await check(`--format=${format}`, ...files);
    const merged = await check('--merge', `--format=${format}`, ...parts);
    expect([format, merged.out, merged.status]).toEqual([format, all.out, all.status]);
  }
  expect((await check('--merge', parts[0]!)).status).toBe(0);
  const [broken] = readdirSync(FOLDER).flatMap((name, at) => (name === 'hand-tree.jsonl' ? [parts[at]!] : []));
  expect((await check('--merge', broken!)).status).toBe((await check(`${FOLDER}/hand-tree.jsonl`)).status);
});

it('counts a part that is named twice once', async () => {
  const [broken] = readdirSync(FOLDER).flatMap((name, at) => (name === 'hand-tree.jsonl' ? [parts[at]!] : []));
  const once = await check('--merge', '--format=json', broken!);
  expect(JSON.parse(once.out).summary.transcripts).toBeGreaterThan(0);
  expect(await check('--merge', '--format=json', broken!, `${folder}/./${basename(broken!)}`)).toEqual(once);
});

it('takes nothing else', async () => {
  const wrong = await check('--merge', parts[0]!, files[0]!);
  expect([wrong.status, wrong.out]).toEqual([2, '']);
  expect(wrong.err).toContain(`--merge takes files written by \`ctx-trim check --format json\``);
  expect((await check('--merge')).status).toBe(2);
  expect((await check('--merge', '--format=junit', parts[0]!)).err).toContain('junit');
  expect((await check('--merge', '--max-cost=1', parts[0]!)).err).toContain('cannot be combined');
});
