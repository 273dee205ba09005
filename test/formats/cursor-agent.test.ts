/** Transcripts of Cursor's agent beyond the laws: calls without ids and results, and the time in the user's text. */
import { describe, expect, it } from 'vitest';
import { cursorSession } from '../../src/formats/cursor/cursor-session.js';
import { printed } from '../../src/json/print.js';
import { textOf } from '../../src/transcript/text.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText, recordedIn } from '../shared/opened.js';
import { rewriteText } from '../shared/rewrite-text.js';
import { onCase, saidIn } from '../shared/unread.js';

const session = fixture('cursor-agent/hand-session.jsonl');

it('reads texts and calls, and no message from the end of a turn', () => {
  const { detection, transcripts } = openText(session);
  expect([detection.format.id, detection.confidence]).toEqual(['cursor-agent', 1]);
  expect(saidIn(transcripts[0]!)).toEqual([
    expect.stringContaining('user text <timestamp>Monday'),
    'assistant text I read the parser and its tests.',
    'assistant call undefined ReadFile {"path":"/home/u/app/parser.go"}',
    'assistant call undefined Grep {"pattern":"lastLine","path":"/home/u/app"}',
    'assistant call undefined Shell {"command":"go test ./..."}',
    expect.stringContaining('assistant text A file without a newline'),
    'user text Mend it.',
    'assistant text Done; the tests pass.',
    expect.stringContaining('assistant call undefined StrReplace'),
  ]);
});

it('reads the time, which stands in the text of the user', () => {
  const at = (stamp: string) =>
    recordedIn(session.replace('Monday, March 2, 2026, 9:05 AM (UTC-5)', stamp))[0]?.time ?? 0;
  expect(at('Monday, March 2, 2026, 9:05 AM (UTC-5)')).toBe(Date.UTC(2026, 2, 2, 14, 5));
  expect(at('Monday, March 2, 2026, 9:05 PM (UTC+5:30)')).toBe(Date.UTC(2026, 2, 2, 15, 35));
  expect(at('Monday, March 2, 2026, 12:05 AM (UTC)')).toBe(Date.UTC(2026, 2, 2, 0, 5));
  expect(at('now')).toBe(0);
});

it('answers no call: the results are in no transcript', () => {
  expect(rewriteText(session, 'patch', {})).toBe(session);
});

it('removes calls and keeps the rest', () => {
  const stripped = rewriteText(session, 'strip', {});
  expect(stripped).not.toContain('tool_use');
  expect(stripped).toContain('{"type":"turn_ended","status":"success"}');
});

for (const path of ['read/cursor-agent.jsonl', 'unread/cursor-cli/wasa-cli_session.jsonl'])
  onCase(path, 'what the raw JSON says', (text) => {
    const { detection, transcripts } = openText(text);
    expect([detection.format.id, detection.confidence]).toEqual(['cursor-agent', 1]);
    type Line = { role: string; message: { content: { text?: string; name?: string; input?: unknown }[] } };
    const read = transcripts[0]!.messages.map(({ role, parts }) => ({
      role,
      content: parts.map((part) =>
        part.type === 'call' ? [part.tool, JSON.parse(textOf(part.input))] : 'text' in part && textOf(part.text!),
      ),
    }));
    expect(read).toEqual(
      linesOf<Line>(text).map(({ role, message }) => ({
        role,
        content: message.content.map(({ text: said, name, input }) => said ?? [name, input]),
      })),
    );
  });

it('reads times of both kinds and results of calls in a session of the database', () => {
  const call = { toolCallId: 'c', name: 'read_file', rawArgs: '{"path":"a"}', result: 'x' };
  const conversation = [
    { type: 1, text: 'hi', createdAt: Date.UTC(2026, 4, 26, 17) },
    { type: 2, createdAt: '2026-05-26T17:00:01Z', toolFormerData: call },
  ];
  const document = cursorSession('s', () => [{ data: JSON.stringify({ conversation }) }])!;
  expect(JSON.parse(printed(document))).toMatchObject({
    steps: [
      { source: 'user', timestamp: '2026-05-26T17:00:00.000Z' },
      { timestamp: '2026-05-26T17:00:01.000Z', observation: { results: [{ source_call_id: 'c', content: 'x' }] } },
    ],
  });
});

describe('a session of the database', () => {
  const read = (composer: object, bubbles: Readonly<Record<string, object>> = {}) => {
    const rows: Readonly<Record<string, object>> = { 'composerData:s': composer, ...bubbles };
    const document = cursorSession('s', (_, key) => {
      const row = rows[String(key)];
      return row === undefined ? [] : [{ data: JSON.stringify(row) }];
    });
    return JSON.parse(printed(document!));
  };
  const stepOf = (toolFormerData: object) => read({ conversation: [{ type: 2, toolFormerData }] }).steps[0];

  it('is read where the arguments of a call that was stopped end in the middle', () => {
    const call = { toolCallId: 'c', name: 'edit_file', rawArgs: '{"path":"a","te', status: 'cancelled' };
    const { conversation } = { conversation: [{ type: 2, toolFormerData: call }] };
    const text = JSON.stringify(read({ conversation }));
    expect(saidIn(openText(text).transcripts[0]!)).toContain(`assistant call c edit_file ${call.rawArgs}`);
    expect(stepOf({ ...call, params: '{"path":"a"}' }).tool_calls[0].arguments).toEqual({ path: 'a' });
    expect(stepOf({ ...call, rawArgs: '' }).tool_calls[0].arguments).toEqual({});
  });

  it('has the error of a call as its result, and the cost of each model of an earlier composer', () => {
    const call = { toolCallId: 'c', name: 'read_file', params: '{"path":"a"}', error: 'no such file' };
    expect(stepOf(call)).toMatchObject({
      tool_calls: [{ arguments: { path: 'a' } }],
      observation: { results: [{ source_call_id: 'c', content: 'no such file' }] },
    });
    const usageData = {
      'claude-4-sonnet': { costInCents: 12.5, amount: 3 },
      'gpt-4o': { costInCents: 4 },
      default: {},
    };
    expect(read({ conversation: [], usageData }).final_metrics).toEqual({ total_cost_usd: 0.165 });
    expect(read({ conversation: [], usageData: {} }).final_metrics).toEqual({});
  });

  it('names no model where the user left the choice to Cursor, and keeps what is no call as unread', () => {
    const bubble = { type: 2, text: 'hi', modelInfo: { modelName: 'default' }, toolFormerData: { additionalData: {} } };
    const document = read(
      { fullConversationHeadersOnly: [{ bubbleId: 'b' }], modelConfig: { modelName: 'gpt-5' } },
      { 'bubbleId:s:b': bubble },
    );
    expect(document.agent.model_name).toBe('gpt-5');
    expect(document.steps).toEqual([
      { step_id: 1, source: 'agent', message: 'hi', extra: { unread: [{ additionalData: {} }] } },
    ]);
  });
});
