/** Events of Claude Managed Agents beyond the laws: sessions, usage, kinds of calls, recordings of the SDK's calls. */
import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/transcript/text.js';
import type { Message, Part } from '../../src/transcript/types.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText, recordedIn } from '../shared/opened.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';
import { onCase, saidIn } from '../shared/unread.js';

const events = fixture('claude-managed-agents/hand-events.jsonl');
const recorder = fixture('claude-managed-agents/hand-recorder.jsonl');

function withMessages(text: string, change: (messages: readonly Message[]) => readonly Message[]): string {
  return mapText(text, (transcript) => ({ ...transcript, messages: change(transcript.messages) }));
}

const shortened = (part: Part): Part => (part.type === 'text' ? { ...part, text: 'Short.' } : part);

const ofCall = ({ parts: [part] }: Message) => (part?.type === 'call' || part?.type === 'result' ? part.callId : '');

describe('events', () => {
  it('are messages, calls and results', () => {
    const { detection, transcripts } = openText(events);
    expect([detection.format.id, detection.container]).toEqual(['claude-managed-agents', 'rows']);
    expect(detection.confidence).toBeGreaterThan(0.9);
    expect(saidIn(transcripts[0]!)).toEqual([
      'system text You look after a garden. Answer briefly.',
      'user text Do the tomatoes need water?',
      'user media ',
      'assistant text I measure the bed and read the log.',
      'assistant call sevt_h06 soil_moisture {"bed":"tomatoes"}',
      'assistant call sevt_h07 bash {"command":"tail -n 3 watering.log"}',
      'tool result sevt_h06 17 %',
      'tool error sevt_h07 tail: watering.log: No such file or directory',
      'assistant call sevt_h17 forecast {"days":1}',
      'tool result sevt_h17 Rain from noon, 8 mm in all.',
      'assistant text No: the bed is dry at 17 %, but 8 mm of rain come today.',
      "user text A plan for next week's watering.",
      'user text It names each bed.',
    ]);
  });

  it('state session, model, tools, time and usage', () => {
    const [transcript] = openText(events).transcripts;
    expect(transcript).toMatchObject({ id: 'sesn_hand1', model: 'claude-sonnet-4-5' });
    expect(transcript!.tools!.text).toContain('soil_moisture');
    const recorded = recordedIn(events);
    expect(recorded[2]).toEqual({ time: Date.parse('2026-07-10T08:00:01.100Z') });
    const requests = recorded.filter((one) => one?.requestId !== undefined);
    expect(requests).toMatchObject([
      { requestId: 'sevt_h08', usage: { input: 12, cacheRead: 7000, cacheWrite5m: 300, output: 95 } },
      { requestId: 'sevt_h14', usage: undefined, failed: true },
      { requestId: 'sevt_h18', usage: { input: 4, cacheRead: 7300, cacheWrite5m: 120, output: 30 } },
    ]);
    expect(recorded.at(-1)).toMatchObject({ running: { input: 16, cacheWrite5m: 420 }, runningCost: '2e-2' });
    expect(recorded[0]).not.toHaveProperty('running'); // nothing was used yet
  });

  it('of a removed call go, its confirmation too', () => {
    const text = withMessages(events, (messages) => messages.filter((message) => ofCall(message) !== 'sevt_h07'));
    expect(text).not.toMatch(/tool_confirmation|tail/);
    expect(text).toContain('soil_moisture');
  });

  it('follow the new id of a call', () => {
    const text = withMessages(events, (messages) =>
      messages.map((message) => ({
        ...message,
        parts: message.parts.map((part) => ('callId' in part ? { ...part, callId: `${part.callId}_b` } : part)),
      })),
    );
    const lines = linesOf(text);
    expect(lines.find(({ type }) => type === 'user.tool_confirmation').tool_use_id).toBe('sevt_h07_b');
    expect(lines.find(({ stop_reason }) => stop_reason).stop_reason.event_ids).toEqual(['sevt_h06_b', 'sevt_h07_b']);
    expect(lines.find(({ type }) => type === 'agent.mcp_tool_result').mcp_tool_use_id).toBe('sevt_h17_b');
  });

  it.each([
    ['sevt_h06', 'user.custom_tool_result', 'custom_tool_use_id'],
    ['sevt_h17', 'agent.mcp_tool_result', 'mcp_tool_use_id'],
    ['sevt_h07', 'agent.tool_result', 'tool_use_id'],
  ])('that are missing are added in the kind of the call: %s', (id, type, key) => {
    const cut = withMessages(events, (messages) =>
      messages.filter((message) => message.role !== 'tool' || ofCall(message) !== id),
    );
    const added = linesOf(rewriteText(cut, 'patch', {})).find((line) => line[key] === id && line.type === type);
    expect(added).toMatchObject({ is_error: true, id: expect.stringMatching(/^sevt_/) });
    expect(added.processed_at).toMatch(/^2026-07-10T08:00/);
  });
});

it('reads a page of events, with those of another thread as an agent', () => {
  const { detection, transcripts } = openText(fixture('claude-managed-agents/hand-list.json'));
  expect(detection.format.id).toBe('claude-managed-agents');
  expect(transcripts.map(({ agent, messages }) => [agent, messages.length])).toEqual([
    [undefined, 4],
    ['sthr_2', 2],
  ]);
});

it('edits reach the events of a page, and what stands beside them stays', () => {
  const events = linesOf(fixture('claude-managed-agents/hand-events.jsonl'));
  const page = { events, next_page: null };
  const text = withMessages(JSON.stringify(page), (messages) =>
    messages.map((message) =>
      message.role === 'assistant' ? { ...message, parts: message.parts.map(shortened) } : message,
    ),
  );
  expect(text).not.toContain('I measure the bed');
  expect(JSON.parse(text)).toMatchObject({ next_page: null, events: { length: events.length } });
  expect(withMessages(JSON.stringify(page), (messages) => messages)).toBe(JSON.stringify(page));
});

describe('a recording of the calls of the SDK', () => {
  it('holds what was sent once, also if it did not come back', () => {
    const { detection, transcripts } = openText(recorder);
    expect([detection.format.id, detection.container]).toEqual(['claude-managed-agents', 'bundle']);
    expect(detection.confidence).toBeGreaterThan(0.9);
    expect(transcripts[0]).toMatchObject({ id: 'sesn_hand2', model: 'claude-sonnet-4-5' });
    expect(saidIn(transcripts[0]!)).toEqual([
      'system text You keep the shelves of a library.',
      'user text Where is "The Summer Book"?',
      'assistant call sevt_r04 find_book {"title":"The Summer Book"}',
      'assistant call sevt_r05 find_book {"title":"Sommarboken"}',
      "tool result sevt_r04 Shelf 12, between Jansson's other novels, third row from the window.",
      'tool error sevt_r05 No such title.',
      'assistant text On shelf 12.',
      'user text Thank you. Is it lent?',
    ]);
    expect(recordedIn(recorder).flatMap((one) => one?.usage?.output ?? [])).toEqual([80, 12]);
  });

  it('has both copies of what is cut, and a list in place of what is removed or added', () => {
    const cut = rewriteText(recorder, 'truncate', { maxLength: 40, noMinimum: true });
    expect(cut).not.toContain('third row');
    expect(cut.match(/original length/g)).toHaveLength(2);
    const left = withMessages(recorder, (messages) => messages.filter((message) => ofCall(message) !== 'sevt_r04'));
    expect(left).not.toContain('"The Summer Book"}');
    expect(left).toContain('["client.beta.sessions.events.stream",{"events":[]}]');
    expect(left).not.toContain('"custom_tool_use_id":"sevt_r04"');
    expect(saidIn(openText(left).transcripts[0]!)).toHaveLength(6);
    const added: Message = { role: 'user', parts: [{ type: 'text', text: 'Please hurry.' }] };
    const more = withMessages(recorder, (messages) => messages.toSpliced(1, 0, added));
    expect(saidIn(openText(more).transcripts[0]!)[1]).toBe('user text Please hurry.');
    expect(openText(more).transcripts[0]!.model).toBe('claude-sonnet-4-5');
    expect(rewriteText(more, 'filter', { maxToolCalls: 9 })).toBe(more);
  });

  it('keeps the session when its system prompt is removed', () => {
    const text = withMessages(recorder, (messages) => messages.slice(1));
    expect(text).not.toContain('shelves of a library');
    expect(openText(text).transcripts[0]).toMatchObject({ id: 'sesn_hand2', model: 'claude-sonnet-4-5' });
  });
});

const FILES = [
  'unread/anthropic-managed-agents/langsmith-sdk_anthropic_managed_builtin_tools.jsonl',
  'unread/anthropic-managed-agents/langsmith-sdk_anthropic_managed_custom_tools.jsonl',
];
for (const file of FILES)
  onCase(file, 'what the raw JSON says', (text) => {
    const { detection, transcripts } = openText(text);
    expect(detection.format.id).toBe('claude-managed-agents');
    expect(detection.confidence).toBeGreaterThan(0.9);
    expect(transcripts).toHaveLength(1);
    const [transcript] = transcripts;
    type Counts = Readonly<Record<string, number>>;
    type Event = Readonly<Record<string, unknown>> & { type: string; content?: { text: string }[] };
    const lines = linesOf(text) as [string, Event][];
    const session = lines[0]![1] as unknown as { id: string; agent: { model: { id: string }; system: string } };
    expect(transcript).toMatchObject({ id: session.id, model: session.agent.model.id });
    const stream = lines.flatMap(([name, event]) => (name.endsWith('.stream') ? [event] : []));
    const said = stream.flatMap((event) => {
      if (event.type.endsWith('tool_use')) return [JSON.stringify([event['id'], event['name'], event['input']])];
      const called = event['tool_use_id'] ?? event['custom_tool_use_id'];
      const texts = (event.content ?? []).map((block) => block.text);
      return called === undefined ? texts : [JSON.stringify([called, event['is_error'], texts])];
    });
    const read = transcript!.messages.flatMap(({ parts }) =>
      parts.map((part) => {
        if (part.type === 'call') return JSON.stringify([part.callId, part.tool, JSON.parse(textOf(part.input))]);
        if (part.type === 'result')
          return JSON.stringify([
            part.callId,
            part.isError,
            part.content.map((block) => 'text' in block && textOf(block.text!)),
          ]);
        return 'text' in part ? textOf(part.text!) : '';
      }),
    );
    expect(read).toEqual([session.agent.system, ...said]);
    const usage = stream.flatMap(({ model_usage }) => (model_usage === undefined ? [] : [model_usage as Counts]));
    expect(usage).toHaveLength(2);
    expect(recordedIn(text).flatMap((one) => one?.usage ?? [])).toMatchObject(
      usage.map((counts) => ({
        input: counts['input_tokens'],
        cacheRead: counts['cache_read_input_tokens'],
        cacheWrite5m: counts['cache_creation_input_tokens'],
        output: counts['output_tokens'],
      })),
    );
    const first = recordedIn(text).find((one) => one?.usage !== undefined);
    const end = stream.find(({ type }) => type === 'span.model_request_end');
    expect(first?.time).toBe(Date.parse(end!['processed_at'] as string));
  });
