/** What hardly fits into a model's context window is said by truncate, stats and check, in the same words. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { contextProblems } from '../../src/tokens/context.js';
import { roomOf } from '../../src/tokens/models.js';
import type { Transcript } from '../../src/transcript/types.js';
import { inTurn } from '../shared/in-turn.js';
import { openText } from '../shared/opened.js';

const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-context-'));
afterAll(() => rmSync(folder, { recursive: true }));

function request(system: string, more: Readonly<Record<string, unknown>> = {}, user = 'Hi.'): string {
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ];
  return `${JSON.stringify({ ...more, messages })}\n`;
}

function opened(text: string): Transcript {
  return openText(text, { from: 'openai-chat' }).transcripts[0]!;
}

const problems = (text: string, tokens?: number) => {
  const transcript = opened(text);
  return contextProblems(transcript, roomOf(transcript.model), tokens).map(
    ({ kind, text: told }) => `${kind}: ${told}`,
  );
};

describe('a system prompt', () => {
  it.each([
    [40_000, 0],
    [40_001, 1],
  ])('of %i characters, of no model', (length, count) => {
    expect(problems(request('x'.repeat(length)))).toHaveLength(count);
    expect(problems(request('日'.repeat(length)))).toHaveLength(count);
    expect(problems(request('👩‍👩‍👧'.repeat(length)))).toHaveLength(count);
  });

  it.each([
    [16_384, 0],
    [16_388, 1],
  ])('of %i bytes, of a model that takes 8,192 tokens', (length, count) => {
    expect(problems(request('x'.repeat(length), { model: 'gpt-4' }))).toHaveLength(count);
    expect(problems(request('東京都心'.repeat(length / 12), { model: 'gpt-4' }))).toHaveLength(
      Math.floor(length / 12) * 12 > 16_384 ? 1 : 0,
    );
  });

  it('is told of with its length', () => {
    expect(problems(request('x'.repeat(42_175)))).toEqual([
      'system prompt: System prompt is very long (42,175 characters): no model is known, and 40,000 are more than ' +
        'many models have room for',
    ]);
    expect(problems(request('x'.repeat(20_000), { model: 'gpt-4' }))).toEqual([
      'system prompt: System prompt is very long (20,000 characters): that is more than half of the 8,192 tokens ' +
        'that gpt-4 takes',
    ]);
    expect(problems(request('x'.repeat(42_175), { model: 'gpt-4o' }))).toEqual([]);
    expect(problems(request('Short.', {}, 'x'.repeat(100_000)))).toEqual([]);
  });
});

describe('a transcript', () => {
  it('beyond the window, counted or estimated', () => {
    const long = request('Short.', { model: 'gpt-4' }, 'x'.repeat(40_000));
    expect(problems(long)).toEqual([
      'window: the history has about 10,002 tokens (guessed from its length, 4 bytes each); the model takes 8,192',
    ]);
    expect(problems(long, 9000)).toEqual(['window: the history has about 9,000 tokens; the model takes 8,192']);
    expect(problems(long, 8192)).toEqual([]);
    expect(problems(request('Short.', {}, 'x'.repeat(4_000_000)))).toEqual([]);
  });

  it('of which a model took every request is not', () => {
    const transcript = opened(request('Short.', { model: 'gpt-4' }, 'x'.repeat(40_000)));
    const room = roomOf('gpt-4');
    const usage = { input: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 1, reasoning: 0 };
    expect(contextProblems(transcript, room)).toHaveLength(1);
    expect(contextProblems({ ...transcript, reply: { usage } }, room)).toEqual([]);
    expect(contextProblems({ ...transcript, recorded: () => ({ usage }) }, room)).toEqual([]);
  });
});

describe('on the command line', () => {
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const told = /: warning: System prompt is very long \(42,175 characters\): no model is known/;

  it('truncate, stats and check say it by default, and only they', () => {
    write('long.json', request('x'.repeat(42_175)));
    write('fine.json', request('x'.repeat(40_000)));
    const [truncate, run, stats, check, ...silent] = inTurn(folder, [
      'truncate long.json',
      'run truncate long.json',
      'stats long.json',
      'check long.json',
      'truncate fine.json',
      'stats fine.json',
      'check fine.json',
      'patch long.json',
      'truncate --model gpt-4o long.json',
      'stats --model gpt-4o long.json',
      'check --model gpt-4o long.json',
      'check --disable check/long-system-prompt long.json',
      'check --rule chat/* long.json',
    ]);
    for (const { status, stderr } of [truncate!, run!, stats!]) {
      expect(status).toBe(0);
      expect(stderr).toMatch(/^ctx-trim: long\.json:1: warning: System prompt/m);
      expect(stderr).toMatch(told);
    }
    expect(truncate!.stdout).toBe(request('x'.repeat(42_175)));
    expect(check!.status).toBe(0);
    expect(check!.stdout).toMatch(/System prompt is very long \(42,175 characters\)[\s\S]*check\/long-system-prompt/);
    for (const { status, stdout, stderr } of silent)
      expect([status, `${stdout}${stderr}`.includes('very long')]).toEqual([0, false]);
  });

  it('with the tokens that a summary or diff counts', () => {
    const words = 'information '.repeat(5000); // a token each
    write('words.json', request('Short.', { model: 'gpt-4' }, words));
    write('digits.json', request('Short.', { model: 'gpt-4' }, '7 1 '.repeat(7000)));
    const beyond = (...given: readonly string[]) =>
      inTurn(folder, given).map(({ stderr }) => /the history has .* tokens.*?;/.exec(stderr)?.[0]);
    expect(beyond('truncate words.json', 'truncate digits.json')).toEqual([
      'the history has about 15,002 tokens (guessed from its length, 4 bytes each);',
      undefined,
    ]);
    for (const option of ['--summary', '--diff', 'fit:max-tokens=99999'])
      expect(beyond(`run truncate ${option} words.json`, `run truncate ${option} digits.json`)).toEqual([
        undefined,
        'the history has about 28,013 tokens;',
      ]);
  });

  it('once a file and kind', () => {
    write('rows.jsonl', request('x'.repeat(42_175), { model: 'gpt-4' }).repeat(3));
    const [truncate, stats, calibrated] = inTurn(folder, [
      'truncate rows.jsonl',
      'stats rows.jsonl',
      'stats --calibrate rows.jsonl long.json',
    ]);
    expect(truncate!.stderr.match(/warning: .*$/gm)).toEqual([
      'warning: System prompt is very long (42,175 characters): that is more than half of the 8,192 tokens that ' +
        'gpt-4 takes (and 2 more in this file)',
      'warning: the history has about 10,545 tokens (guessed from its length, 4 bytes each); the model takes 8,192 ' +
        '(and 2 more in this file)',
    ]);
    expect(stats!.stderr.match(/warning: .*more in this file/gm)).toHaveLength(1); // counted, such a text is short
    expect(calibrated!.stderr.match(/^ctx-trim: \S+: warning: System .*$/gm)).toEqual([
      expect.stringMatching(/^ctx-trim: rows\.jsonl:1: .*and 2 more in this file\)$/),
      expect.stringMatching(/^ctx-trim: long\.json:1: .*have room for$/),
    ]);
  });

  it('check says what is beyond the window, with the rule that counts it for a request', () => {
    write('full.json', request('Short.', { model: 'gpt-4' }, '東京 and some more words. '.repeat(2000)));
    const [check, asked, named, disabled] = inTurn(folder, [
      'check full.json',
      'check --as-request full.json',
      'check --rule core/* full.json',
      'check --disable core/context-overflow full.json',
    ]);
    for (const { stdout } of [check!, asked!, named!])
      expect(stdout.match(/the history has 16,014 tokens; the model takes 8,192/g)).toHaveLength(1);
    expect(check!.stdout).toContain('core/context-overflow');
    expect(disabled!.stdout).not.toContain('the history has');
  });
});
