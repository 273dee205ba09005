/** Kimi CLI logs beyond the laws: usage, lines that repeat messages, both versions. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import kimi from '../../src/formats/kimi/kimi-cli.js';
import { unreadIn } from '../../src/source/unread/unread.js';
import { pair } from '../../src/transcript/pairs.js';
import type { Message, Part, Transcript } from '../../src/transcript/types.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText, piecesOf, recordedIn } from '../shared/opened.js';
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

describe('messages that are added', () => {
  const text = (said: string): Part => ({ type: 'text', text: said });
  const call: Part = { type: 'call', callId: 'c9', tool: 'f', input: '{"a":1}' };
  const result = (callId: string, isError?: boolean): Part => ({
    ...{ type: 'result', callId, tool: 'f', content: [{ type: 'text', text: 'out' }] },
    ...(isError ? { isError } : {}),
  });
  const MESSAGES: readonly Message[] = [
    { role: 'user', parts: [text('Hi')] },
    { role: 'assistant', parts: [{ type: 'thinking', text: 'Hm' }, text('Yes')] },
    { role: 'assistant', parts: [call] },
    { role: 'tool', parts: [result('c9', true)] },
    { role: 'tool', parts: [result('Bash_1')] },
    { role: 'assistant', parts: [] },
    { role: 'system', parts: [text('Be brief.')] },
  ];
  const added = (log: string) => {
    const add = (transcript: Transcript) => ({ ...transcript, messages: [...transcript.messages, ...MESSAGES] });
    return linesOf(mapText(log, add)).slice(linesOf(log).length);
  };

  it('are a line each, with the time of the one before it', () => {
    const message = (role: string, content: readonly object[], toolCalls: readonly object[] = []) => ({
      ...{ type: 'context.append_message', message: { role, content, toolCalls } },
    });
    const event = (fields: object) => ({
      type: 'context.append_loop_event',
      event: { type: 'tool.result', ...fields },
    });
    const said = [
      { type: 'think', think: 'Hm' },
      { type: 'text', text: 'Yes' },
    ];
    expect(added(INTERRUPTED)).toEqual(
      [
        message('user', [text('Hi')]),
        message('assistant', said),
        message('assistant', [], [{ type: 'function', id: 'c9', name: 'f', arguments: '{"a":1}' }]),
        event({ toolCallId: 'c9', result: { output: 'out', isError: true } }),
        event({ parentUuid: 'u-Bash_1', toolCallId: 'Bash_1', result: { output: 'out' } }),
        message('assistant', []),
        message('system', [text('Be brief.')]),
      ].map((line) => ({ ...line, time: 1785700000099 })),
    );
  });

  it('are a line for each part in an early log, which has no line for a system prompt', () => {
    const output = (id: string, isError: boolean) => ({
      type: 'ToolResult',
      payload: { tool_call_id: id, return_value: { is_error: isError, output: 'out', message: '', display: [] } },
    });
    const lines = added(EARLY);
    expect(lines.pop()).toEqual({
      ...{ type: 'context.append_message', message: { role: 'system', content: [text('Be brief.')], toolCalls: [] } },
    });
    expect(lines).toEqual(
      [
        { type: 'SteerInput', payload: { user_input: [text('Hi')] } },
        { type: 'ContentPart', payload: { type: 'think', think: 'Hm' } },
        { type: 'ContentPart', payload: text('Yes') },
        {
          type: 'ToolCall',
          payload: { type: 'function', id: 'c9', function: { name: 'f', arguments: '{"a":1}' } },
        },
        output('c9', true),
        output('Bash_1', false),
        { type: 'ContentPart', payload: text('') },
      ].map((message) => ({ timestamp: 1772187509.25, message })),
    );
  });
});

describe('lines beside messages', () => {
  const user = (said: string) => ({
    ...{ type: 'context.append_message', time: 5 },
    message: { role: 'user', content: [{ type: 'text', text: said }], toolCalls: [] },
  });
  const prompt = (said: string) => ({ type: 'turn.prompt', input: [{ type: 'text', text: said }], time: 5 });
  const config = (systemPrompt: string) => ({ type: 'config.update', systemPrompt, time: 5 });
  const event = (type: string, fields: object) => ({
    ...{ type: 'context.append_loop_event', time: 5, event: { type, ...fields } },
  });
  const part = (stepUuid: string, said: string) =>
    event('content.part', { stepUuid, part: { type: 'text', text: said } });
  const call = (stepUuid: string, toolCallId: string) =>
    event('tool.call', { uuid: `u-${toolCallId}`, stepUuid, toolCallId, name: 'f', args: {} });
  const result = (toolCallId: string) => event('tool.result', { toolCallId, result: { output: 'x' } });
  const early = (type: string, payload: object) => ({ timestamp: 5, message: { type, payload } });
  /** The lines after an edit of the messages, by the place of their lines. */
  const edited = (lines: readonly object[], edit: (message: Message, at: number) => readonly Message[]) => {
    const log = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const change = (transcript: Transcript) => ({ ...transcript, messages: transcript.messages.flatMap(edit) });
    return linesOf(mapText(log, change));
  };
  /** The lines without those of some messages. */
  const without = (lines: readonly object[], ...gone: readonly number[]) =>
    edited(lines, (message, at) => (gone.includes(at) ? [] : [message]));
  const saying =
    (said: string, ...places: readonly number[]) =>
    (message: Message, at: number): Message[] =>
      places.includes(at) ? [{ ...message, parts: [{ type: 'text', text: said }] }] : [message];

  it('are those of the next message of the user, if it says the same', () => {
    const lines = [prompt('a'), user('a'), user('a'), prompt('b'), user('b, at length')];
    expect(without(lines, 1)).toEqual(lines.slice(2));
    expect(without(lines, 2)).toEqual([lines[0], lines[1], lines[3], lines[4]]);
    expect(without(lines, 4)).toEqual(lines.slice(0, 4));
    expect(edited(lines, saying('c', 1, 2, 4))).toEqual([
      ...[prompt('c'), user('c'), user('c'), prompt('b'), user('c')],
    ]);
  });

  it('are those of the first system prompt, if they say the same', () => {
    const lines = [config('a'), user('x'), config('a'), config('b'), { type: 'config.update', time: 5 }];
    expect(edited(lines, saying('c', 0))).toEqual([config('c'), lines[1], config('c'), ...lines.slice(3)]);
    expect(without(lines, 0)).toEqual([lines[1], ...lines.slice(3)]);
  });

  it('are the bounds of a step, which go with all that is in it', () => {
    const [begin, end] = [event('step.begin', { uuid: 's' }), event('step.end', { uuid: 's' })];
    const lines = [user('x'), begin, part('s', 'a'), part('s', 'b'), end, user('y')];
    expect(without(lines, 2)).toEqual([lines[0], begin, lines[3], end, lines[5]]);
    expect(without(lines, 3)).toEqual([lines[0], begin, lines[2], end, lines[5]]);
    expect(without(lines, 2, 3)).toEqual([lines[0], lines[5]]);
  });

  it.each(['toolCallId', 'tool_call_id', 'parent_tool_call_id', 'task_tool_call_id'])(
    'that name a call at %s go with it, and its result stays',
    (key) => {
      const about = early('SubagentEvent', { [key]: 'c' });
      const made = early('ToolCall', { type: 'function', id: 'c', function: { name: 'f', arguments: '{}' } });
      const told = early('ToolResult', { tool_call_id: 'c', return_value: { output: 'x' } });
      const lines = [early('TurnBegin', { user_input: 'x' }), made, about, told];
      expect(without(lines, 3)).toEqual(lines.slice(0, 3));
      expect(without(lines, 1)).toEqual([lines[0], told]);
      expect(without([...lines, made], 4)).toEqual(lines);
    },
  );

  it('name a call by its new id, where a result is added', () => {
    const answer: Message = { role: 'tool', parts: [{ type: 'result', callId: 'new', tool: 'f', content: [] }] };
    const lines = [user('x'), call('s', 'c'), result('c'), call('s', 'd')];
    const renamed = edited(lines, (message, at) =>
      at < 3 ? [message] : [{ ...message, parts: message.parts.map((one) => ({ ...one, callId: 'new' })) }, answer],
    );
    expect(renamed.slice(3).map(({ event: told }) => told)).toMatchObject([
      { uuid: 'u-d', toolCallId: 'new' },
      { parentUuid: 'u-d', toolCallId: 'new', result: { output: '' } },
    ]);
  });

  it('have the time of the log where a message is added before all', () => {
    const head = { type: 'metadata', protocol_version: '1.5', created_at: 3 };
    const said: Message = { role: 'user', parts: [{ type: 'text', text: 'x' }] };
    const lines = edited([head, user('y')], (message, at) => (at === 0 ? [said, message] : [message]));
    expect(lines).toEqual([{ ...user('x'), time: 3 }, head, user('y')]);
  });
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
  const summaries = 1; // of a compaction, in words of the user
  expect([byRole('system'), byRole('user'), byRole('assistant'), byRole('tool')]).toEqual([
    1,
    13 + summaries,
    28 + 19,
    19,
  ]);
  expect([calls.length, results.length, results.filter(({ standing }) => standing !== 'in place').length]).toEqual([
    19, 19, 0,
  ]);
  expect(usageIn(readFileSync(SHARED, 'utf8'))).toHaveLength(23);
});

it('counts what a sub-agent says as unread', () => {
  const counted = piecesOf(read('hand-messages')).flatMap((piece) => unreadIn(piece, kimi) ?? []);
  expect(counted).toMatchObject([{ rows: 1, texts: 1, line: 16 }]);
});
