/** stream-json beyond the laws: recorded metadata, lines that repeat messages, completed lines. */
import { describe, expect, it } from 'vitest';
import format from '../../src/formats/anthropic/claude-agent-sdk.js';
import { parse } from '../../src/json/node.js';
import { fixedText } from '../shared/fixed.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText, recordedIn } from '../shared/opened.js';
import { rewriteText } from '../shared/rewrite-text.js';
import { onCase, saidIn } from '../shared/unread.js';

const STREAM = fixture('claude-agent-sdk/hand-stream.jsonl');
const BOTH_SIDES = fixture('claude-agent-sdk/logfire-tool-use.json');

type Line = Readonly<Record<string, unknown>>;
const recording = (text: string) => (JSON.parse(text) as { messages: { direction: string; message: Line }[] }).messages;

describe('claude-agent-sdk', () => {
  it('reads session, request, model and usage', () => {
    for (const [text, id, model, tools] of [
      [STREAM, 's-1', 'claude-sonnet-4-5', 3],
      [BOTH_SIDES, 'ca03765b-a7e1-483b-9629-448c7aba5e7a', 'claude-sonnet-4-6', 24],
    ] as const) {
      const [transcript] = openText(text).transcripts;
      expect([transcript!.id, transcript!.model, JSON.parse(transcript!.tools!.text).length]).toEqual([
        id,
        model,
        tools,
      ]);
    }
    const [{ messages, recorded }] = openText(BOTH_SIDES).transcripts as unknown as [
      Required<ReturnType<typeof openText>['transcripts'][number]>,
    ];
    expect(recorded(messages.find(({ role }) => role === 'assistant')!)).toEqual({
      responseId: 'msg_012DpPdrAVfKdLdmF5gharfL',
      requestId: undefined,
      sessionId: 'ca03765b-a7e1-483b-9629-448c7aba5e7a',
      model: 'claude-sonnet-4-6',
      time: undefined,
      usage: { input: 3, cacheRead: 8313, cacheWrite5m: 1027, cacheWrite1h: 0, output: 0, reasoning: 0 },
    });
    const running = { input: 4, cacheRead: 17653, cacheWrite5m: 1215, cacheWrite1h: 0, output: 415, reasoning: 0 };
    const runningCost = '0.01608915';
    expect(recorded(messages.at(-1)!)).toEqual({
      sessionId: 'ca03765b-a7e1-483b-9629-448c7aba5e7a',
      time: undefined,
      running,
      runningCost,
      runningRequests: 2,
      byModel: [{ model: 'claude-sonnet-4-6', running, runningCost, runningRequests: 2 }],
    });
  });

  it('removes cut text from all copies of a result', () => {
    for (const text of [STREAM, BOTH_SIDES]) {
      const after = rewriteText(text, 'truncate', { maxLength: 60, noMinimum: true });
      expect(after).not.toBe(text);
      expect(after).not.toMatch(/sed diam nonumy|pyodide_test\\n/);
    }
  });

  it('removes all lines about a removed call', () => {
    expect(rewriteText(STREAM, 'filter', { maxToolCalls: 2 })).not.toContain('toolu_a');
    const stripped = rewriteText(STREAM, 'strip', {});
    expect(stripped).not.toMatch(/toolu_/);
    expect(stripped).toContain('"permission_denials":[]');
    const after = recording(rewriteText(BOTH_SIDES, 'filter', { maxToolCalls: 0 }));
    expect(after.map(({ message }) => message['type'])).toEqual([
      'control_request',
      'user',
      'system',
      'assistant',
      'assistant',
      'result',
    ]);
  });

  it('completes added lines', () => {
    const added = linesOf<Line>(rewriteText(STREAM, 'patch', {})).find((line) =>
      JSON.stringify(line).includes('cancelled'),
    )!;
    expect({ ...added, message: undefined, uuid: undefined }).toEqual({
      type: 'user',
      parent_tool_use_id: null,
      session_id: 's-1',
    });
    expect(added['uuid']).toMatch(/^[\da-f]{8}-[\da-f]{4}-8/);
    const sent = recording(rewriteText(BOTH_SIDES, 'strip', { retryPrompt: 'Again.' })).find(({ message }) =>
      JSON.stringify(message).includes('Again.'),
    )!;
    expect([sent.direction, sent.message['type'], sent.message['session_id']]).toEqual([
      'send',
      'user',
      'ca03765b-a7e1-483b-9629-448c7aba5e7a',
    ]);
  });
});

describe('the new id of a call', () => {
  const call = (id: string, name: string) => ({ type: 'tool_use', id, name, input: { at: name } });
  const result = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content });
  const line = (role: string, content: unknown, parent: string | null = null) => ({
    type: role,
    message: { role, content },
    parent_tool_use_id: parent,
    session_id: 's',
  });
  const start = { type: 'system', subtype: 'init', session_id: 's', tools: ['Task', 'Read'] };
  const jsonl = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

  it('is not that of an earlier call with the same id', () => {
    const log = [
      ...[start, line('user', 'go'), line('assistant', [call('c', 'Read')]), line('user', [result('c', 'one')])],
      ...[line('assistant', [call('c', 'Edit')]), line('user', [result('c', 'two')])],
    ];
    const { text, left } = fixedText(jsonl(log), { provider: 'anthropic' });
    expect(left).toEqual([]);
    const lines = text.split('\n');
    expect(lines.slice(0, 4).join('\n')).toBe(jsonl(log.slice(0, 4)).trimEnd());
    const [renamed, answer] = linesOf<{ message: { content: Record<string, unknown>[] } }>(text).slice(4);
    expect(renamed!.message.content[0]!['id']).not.toBe('c');
    expect(answer!.message.content[0]!['tool_use_id']).toBe(renamed!.message.content[0]!['id']);
  });

  it('is named by all lines of the agent that it started, also by those that were added', () => {
    const log = [
      ...[start, line('user', 'go'), line('assistant', [call('c.1', 'Task')]), line('user', 'look', 'c.1')],
      ...[line('assistant', [call('d', 'Read')], 'c.1'), line('user', 'and there', 'c.1')],
      ...[line('assistant', [{ type: 'text', text: 'ok' }], 'c.1'), line('user', [result('c.1', 'done')])],
    ];
    for (const wrapped of [false, true]) {
      const lines = wrapped ? log.map((message) => ({ direction: 'recv', message })) : log;
      const { text, left } = fixedText(jsonl(lines), { provider: 'anthropic' });
      expect(left).toEqual([]);
      expect(text).not.toContain('c.1');
      expect(text.split('"parent_tool_use_id":"c_1"')).toHaveLength(6);
    }
  });
});

describe('the execution output of claude-code-action', () => {
  const text = fixture('claude-agent-sdk/hand-action.json');

  it('is read although session and role are absent', () => {
    const { detection, transcripts } = openText(text);
    expect([detection.format.id, detection.container]).toEqual(['claude-agent-sdk', 'rows']);
    expect(detection.confidence).toBeGreaterThan(0.9);
    expect(transcripts[0]).toMatchObject({
      id: 'action-1',
      model: 'claude-sonnet-4-5',
      project: '/home/runner/work/app',
    });
    expect(saidIn(transcripts[0]!)).toEqual([
      'assistant text I look at the failing test first.',
      'assistant call toolu_1 Read {"file_path": "test/sum.test.js"}',
      'tool result toolu_1 expect(sum(1, 2)).toBe(4);',
      'assistant call toolu_2 Edit {"file_path": "test/sum.test.js", "old_string": "toBe(4)", "new_string": "toBe(3)"}',
      'tool error toolu_2 The file is read-only.',
      'assistant text The test expects the wrong sum, and I may not change it.',
    ]);
    expect(recordedIn(text).at(-1)).toMatchObject({ runningCost: '0.0123' });
  });

  it('loses both halves of a removed call', () => {
    expect(rewriteText(text, 'filter', { maxToolCalls: 1 })).not.toContain('toolu_1');
  });

  onCase('unread/claude-action/claude-code-action_sample-turns.json', 'holds what the raw JSON says', (sample) => {
    const { detection, transcripts } = openText(sample);
    expect(detection.format.id).toBe('claude-agent-sdk');
    expect(detection.confidence).toBeGreaterThan(0.9);
    type Block = Readonly<Record<string, unknown>>;
    const lines = JSON.parse(sample) as { type: string; message?: { content: Block[]; usage?: Block } }[];
    const said = lines.flatMap(({ type, message }) =>
      (message?.content ?? []).map((block) => {
        if (block['type'] === 'tool_use') return [type, 'call', block['id'], block['name'], block['input']];
        if (block['type'] === 'tool_result') return ['tool', 'result', block['tool_use_id'], block['content']];
        return [type, 'text', block['text']];
      }),
    );
    const read = saidIn(transcripts[0]!);
    expect(read).toHaveLength(said.length);
    said.forEach((words, index) => {
      for (const word of words.filter((one) => typeof one === 'string')) expect(read[index]).toContain(word);
    });
    const usages = recordedIn(sample).flatMap((recorded) => recorded?.usage ?? []);
    expect(usages.map(({ input, cacheRead, output }) => [input, cacheRead, output])).toEqual(
      lines.flatMap(({ message }) =>
        message?.usage === undefined
          ? []
          : [[message.usage['input_tokens'], message.usage['cache_read_input_tokens'], message.usage['output_tokens']]],
      ),
    );
    expect(transcripts[0]!.model).toBe('claude-test-model');
  });
});

it('knows the summary of tool uses as a line without a message', () => {
  const line = { type: 'tool_use_summary', summary: 'Read two files', preceding_tool_use_ids: ['toolu_1'] };
  const node = parse(JSON.stringify({ ...line, uuid: 'u', session_id: 's-1' }));
  expect(format.score(node)).toBeGreaterThan(0.9);
  expect(format.read(node)).toMatchObject({ role: 'meta', parts: [] });
});
