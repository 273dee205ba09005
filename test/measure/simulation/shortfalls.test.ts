/** What steps of a simulated policy could not do is said, with the exit code that the steps themselves have. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runIn } from '../../../src/cli/cli.js';
import { simulate } from '../../../src/index.js';
import { memoryTerminal } from '../../shared/terminal.js';

const cwd = mkdtempSync(join(tmpdir(), 'ctx-trim-short-'));
const said = (role: string, words: number) => ({ role, content: 'word '.repeat(words).trim() });
const chat = [said('user', 500), said('assistant', 10), said('user', 5), said('assistant', 10), said('user', 5)];
const messages = [...chat, said('assistant', 10)];

beforeAll(() => {
  cpSync('fixtures/transforms/filter/eight-cities-3/input.json', join(cwd, 'cities.json'));
  const called = { id: 'c', type: 'function', function: { name: 'get', arguments: '{}' } };
  const turn = [
    said('user', 5),
    { role: 'assistant', content: null, tool_calls: [called] },
    { role: 'tool', tool_call_id: 'c', content: 'word '.repeat(50) },
    said('assistant', 10),
  ];
  writeFileSync(join(cwd, 'turn.json'), JSON.stringify({ model: 'gpt-4o', messages: turn }));
  writeFileSync(join(cwd, 'long.json'), JSON.stringify({ model: 'gpt-4o', messages }));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

async function ctxTrim(...words: string[]) {
  const { terminal, out, err } = memoryTerminal({ cwd });
  const code = await runIn(terminal, words);
  return { code, out: out(), err: err(), text: out().replace(/\s+/g, ' ') };
}

/** What `fit` says of the same file. */
const HINT = '--unit round or --everything or --scope all may leave less';

describe('fit', () => {
  it('says how many prompts stay above its budget, and by how much', async () => {
    const { code, err, text } = await ctxTrim('simulate', 'fit:max-tokens=200', 'long.json');
    const short = `fit: 3 of 3 requests stay above the budget of 200 tokens, by up to 339; ${HINT}`;
    expect(err).toBe(`ctx-trim: warning: long.json:1: ${short}\n`);
    expect(text).toContain(`. ${short}. `);
    expect(code).toBe(1);
    expect((await ctxTrim('fit', '--max-tokens', '200', 'long.json')).code).toBe(1);
  });

  it('names no budget that all prompts keep', async () => {
    const { code, err, text } = await ctxTrim('simulate', 'fit:max-tokens=2000', 'long.json');
    expect([code, err]).toEqual([0, '']);
    expect(text).toContain('The policy changes no request. It');
    expect(text).not.toContain('above the budget');
  });

  it('counts only those that it could not cut', async () => {
    const steps = [{ transform: 'fit', maxTokens: 200, everything: true }] as const;
    const { shortfalls, transcripts } = await simulate(messages as never, steps, { model: 'gpt-4o', scope: 'all' });
    expect(shortfalls).toEqual([{ step: 'fit', budget: 200, requests: 1, of: 3, tokens: 307 }]);
    expect(transcripts[0]!.shortfalls).toEqual(shortfalls);
  });

  it('in a sweep, by policy', async () => {
    const { code, err, out } = await ctxTrim(
      ...['simulate', '--sweep', 'fit:max-tokens=200,2000', '--format', 'json', 'long.json'],
    );
    expect(code).toBe(0);
    expect(err).toMatch(/^ctx-trim: warning: max-tokens=200: fit: 3 of 3 requests stay above/);
    const { sweep, advice } = JSON.parse(out);
    expect(sweep.map((one: { shortfalls: unknown[] }) => one.shortfalls.length)).toEqual([0, 1, 0]);
    expect(advice).toContain('max-tokens=200: fit: 3 of 3 requests');
  });

  it('in a sweep of which no policy keeps its budget', async () => {
    const { code, err } = await ctxTrim('simulate', '--sweep', 'fit:max-tokens=100,200', 'long.json');
    expect(err).toContain('max-tokens=100: fit: 3 of 3 requests stay above');
    expect(code).toBe(1);
  });

  it('before retries', async () => {
    const { code, err } = await ctxTrim('simulate', '--retries', '2', 'fit:max-tokens=200', 'long.json');
    expect(err).toMatch(/long\.json:1: fit: the least that can stay has \d+ tokens, \d+ more than the budget/);
    expect(code).toBe(1);
  });
});

describe('a policy that changes no request', () => {
  const unchanged = async (...words: string[]) => (await ctxTrim('simulate', ...words, '--model', 'gpt-4o')).text;

  it('is said to spare the current turn only if it would change it', async () => {
    expect(await unchanged('filter:max-tool-calls=100', 'cities.json')).toContain('The policy changes no request. It');
    const spared = 'The policy changes no request (without --scope all, steps leave the current turn as it is)';
    expect(await unchanged('strip', 'turn.json')).toContain(spared);
  });
});
