/** AutoGen beyond the laws: summaries that repeat results, states of teams, the spelling of added messages. */
import { describe, expect, it } from 'vitest';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { rewriteText } from '../shared/rewrite-text.js';

const read = (name: string) => fixture(`autogen/${name}.json`);
const [CALLS, TASK, TEAM, TEACHABILITY] = ['hand-calls', 'hand-task-result', 'hand-team-state', 'teachability'].map(
  read,
) as [string, string, string, string];

type Message = Readonly<Record<string, unknown>>;
const thread = (text: string) => (JSON.parse(text) as { messages: Message[] }).messages;

describe('autogen', () => {
  it('reads recorded time and usage', () => {
    const [first] = openText(TEACHABILITY).transcripts;
    expect(first!.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant']);
    expect(first!.recorded!(first!.messages[2]!)).toEqual({
      time: undefined,
      usage: { input: 108, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 2, reasoning: 0 },
    });
    const [task] = openText(TASK).transcripts;
    expect(task!.recorded!(task!.messages[2]!)).toEqual({
      time: Date.UTC(2025, 5, 1, 10, 0, 2, 500),
      usage: { input: 85, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 42, reasoning: 0 },
    });
  });

  it('ends on a reply if one was recorded', () => {
    expect(openText(CALLS).transcripts.map(({ traits }) => traits.endsOnReply)).toEqual([true, true]);
    expect(openText(TASK).transcripts[0]!.traits.endsOnReply).toBeUndefined();
    expect(rewriteText(CALLS, 'patch', {})).toContain(
      '"response": {"finish_reason": "function_calls", "content": [{"id": "call_4"',
    );
  });

  it('updates a summary when its results change', () => {
    const summary = (text: string) => thread(text).find(({ type }) => type === 'ToolCallSummaryMessage');
    expect(summary(rewriteText(TASK, 'filter', { maxToolCalls: 1 }))).toMatchObject({
      content: 'Rome: cloudy',
      tool_calls: [{ id: 'c2' }],
      results: [{ call_id: 'c2' }],
    });
    expect(summary(rewriteText(TASK, 'filter', { maxToolCalls: 0 }))).toBeUndefined();
    expect(rewriteText(TASK, 'truncate', { maxLength: 60, noMinimum: true })).not.toContain('light wind');
  });

  it('leaves the text of a summary that does not repeat a result that changes', () => {
    const task = JSON.parse(TASK) as { messages: { type: string; content: unknown }[] };
    task.messages.find(({ type }) => type === 'ToolCallSummaryMessage')!.content = 'In short: rain.';
    const [summary] = thread(rewriteText(JSON.stringify(task), 'truncate', { maxLength: 8, noMinimum: true })).filter(
      ({ type }) => type === 'ToolCallSummaryMessage',
    );
    expect(summary).toMatchObject({ content: 'In short: rain.' });
  });

  it('adds messages in the spelling of those around them', () => {
    expect(thread(rewriteText(TASK, 'patch', {}))[6]).toMatchObject({
      source: 'weather_agent',
      models_usage: null,
      created_at: '2025-06-01T10:00:05Z',
      content: [{ call_id: 'c3', name: 'weather', is_error: true }],
      type: 'ToolCallExecutionEvent',
    });
    expect(thread(rewriteText(TASK, 'strip', { retryPrompt: 'Again.' })).at(-1)).toMatchObject({
      source: 'user',
      content: 'Again.',
      type: 'TextMessage',
    });
    expect(
      (JSON.parse(rewriteText(CALLS, 'strip', { keepToolNames: true })) as [{ messages: Message[] }])[0].messages[2],
    ).toEqual({ content: 'Tools used: read, list', source: 'assistant', type: 'AssistantMessage' });
  });

  it('opens and edits every list of a team', () => {
    expect(openText(TEAM).transcripts.map(({ messages }) => messages.length)).toEqual([4, 4]);
    expect(rewriteText(TEAM, 'truncate', { maxLength: 60, noMinimum: true })).not.toContain('evening');
    const after = rewriteText(TEAM, 'strip', { keepToolNames: true });
    expect(after).toContain(
      '{"content": "Tools used: weather", "source": "weather_agent", "type": "AssistantMessage"}',
    );
    expect(after).toContain('"content": "Tools used: weather", "type": "TextMessage"}');
  });
});
