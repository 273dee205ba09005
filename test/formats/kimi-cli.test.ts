/** Kimi CLI logs beyond the laws: usage, lines that repeat messages, both versions. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pair } from '../../src/transcript/pairs.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText, recordedIn } from '../shared/opened.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

const read = (name: string) => fixture(`kimi-cli/${name}.jsonl`);
const INTERRUPTED = read('hand-interrupted');
const EARLY = read('hand-early');
const SHARED = '../shared/transcripts/kimi/agent-sessions_assistant_tools.jsonl';

type Line = Record<string, Record<string, unknown>>;

const usageIn = (text: string) => recordedIn(text).filter((recorded) => recorded?.usage !== undefined);

it('counts the usage of a request once', () => {
  const none = { cacheWrite1h: 0, reasoning: 0 };
  expect(usageIn(INTERRUPTED)).toEqual([
    {
      responseId: undefined,
      model: 'moonshot-ai/kimi-k2.7-code',
      time: 1785700000052,
      usage: { ...none, input: 100, cacheRead: 2000, cacheWrite5m: 7, output: 30 },
    },
  ]);
  expect(usageIn(EARLY)).toEqual([
    {
      responseId: 'chatcmpl-x1',
      model: undefined,
      time: 1772187489750,
      usage: { ...none, input: 87, cacheRead: 64, cacheWrite5m: 0, output: 42 },
    },
  ]);
  expect(usageIn(read('agent-sessions-tools')).map((recorded) => recorded!.usage)).toMatchObject([
    { input: 205, output: 52, cacheRead: 24576 },
    { input: 308, output: 50, cacheRead: 24576 },
    { input: 836, output: 293, cacheRead: 25088 },
    { input: 1411, output: 937, cacheRead: 40960 },
  ]);
});

it('reads the model, the tools and the system prompt', () => {
  const [transcript] = openText(INTERRUPTED).transcripts;
  expect(transcript!.model).toBe('moonshot-ai/kimi-k2.7-code');
  expect(transcript!.tools!.text).toContain('Run a command.');
  expect(transcript!.messages.filter(({ role }) => role === 'system')).toHaveLength(1);
});

it('answers an unanswered call with a completed line, inside its step', () => {
  expect(linesOf<Line>(rewriteText(INTERRUPTED, 'patch', { template: 'cancelled' }))[19]).toEqual({
    type: 'context.append_loop_event',
    event: {
      type: 'tool.result',
      parentUuid: 'u-Bash_2',
      toolCallId: 'Bash_2',
      result: { output: 'cancelled', isError: true },
    },
    time: 1785700000072,
  });
  expect(linesOf<Line>(rewriteText(EARLY, 'patch', { template: 'cancelled' }))[12]).toEqual({
    timestamp: 1772187492.75,
    message: {
      type: 'ToolResult',
      payload: {
        tool_call_id: 'tool_2',
        return_value: { is_error: true, output: 'cancelled', message: '', display: [] },
      },
    },
  });
});

it('removes lines about removed calls and steps', () => {
  const left = rewriteText(INTERRUPTED, 'strip', {});
  for (const name of ['Bash_2', '"s2"']) expect(left).not.toContain(name);
  expect(left).toContain('"s1"');
  expect(rewriteText(EARLY, 'strip', {})).not.toMatch(/tool_1|req_1/);
  const filtered = rewriteText(INTERRUPTED, 'filter', {
    maxToolCalls: 0,
    dropUser: true,
    pending: 'drop',
    everything: true,
  });
  expect(filtered).toContain('Bash_2'); // unanswered: another message came in between
  const answered = rewriteText(INTERRUPTED, 'patch', {});
  expect(rewriteText(answered, 'filter', { maxToolCalls: 0, dropUser: true, everything: true })).not.toMatch(
    /Lies die Datei|turnId":0,/,
  );
});

it('edits all copies of a prompt', () => {
  const after = mapText(INTERRUPTED, (transcript) => ({
    ...transcript,
    messages: transcript.messages.map((message) =>
      message.role === 'user' || message.role === 'system'
        ? { ...message, parts: message.parts.map((part) => ({ ...part, text: 'NEW' }) as typeof part) }
        : message,
    ),
  }));
  expect(
    linesOf<Line>(after)
      .filter(({ type }) => String(type) === 'turn.prompt')
      .map(({ input }) => input),
  ).toEqual([[{ type: 'text', text: 'NEW' }], [{ type: 'text', text: 'NEW' }]]);
  expect(linesOf<Line>(after).flatMap(({ systemPrompt }) => systemPrompt ?? [])).toEqual(['NEW', 'NEW']);
});

it('keeps the other lines of a context.jsonl', () => {
  const context = [
    '{"role": "_system_prompt", "content": "You are Kimi."}',
    '{"role": "_checkpoint", "id": 0}',
    '{"role": "user", "content": "hi"}',
    '{"role": "assistant", "content": [{"type": "think", "think": "greet"}], "tool_calls": [{"type": "function", ' +
      '"id": "t1", "function": {"name": "Shell", "arguments": "{}"}}]}',
    '{"role": "tool", "content": [{"type": "text", "text": "noise"}], "tool_call_id": "t1"}',
    '{"role": "_usage", "token_count": 150}',
  ];
  expect(openText(context.join('\n')).detection.format.id).toBe('openai-chat');
  const left = rewriteText(context.join('\n'), 'filter', { maxToolCalls: 0 }).split('\n');
  expect(left.filter((line) => context.includes(line))).toEqual([context[0], context[1], context[2], context[5]]);
});

it.runIf(existsSync(SHARED))('holds in the shared recording what it holds counted by hand', () => {
  const [transcript] = openText(readFileSync(SHARED)).transcripts;
  const { calls, results } = pair(transcript!.messages);
  const byRole = (role: string) => transcript!.messages.filter((message) => message.role === role).length;
  expect([byRole('system'), byRole('user'), byRole('assistant'), byRole('tool')]).toEqual([1, 13, 28 + 19, 19]);
  expect([calls.length, results.length, results.filter(({ standing }) => standing !== 'in place').length]).toEqual([
    19, 19, 0,
  ]);
  expect(usageIn(readFileSync(SHARED, 'utf8'))).toHaveLength(23);
});
