/** Codex rollouts beyond the laws: recorded metadata, and lines that repeat items. */
import { describe, expect, it } from 'vitest';
import { run } from '../../src/index.js';
import { mapMessages, mapParts } from '../../src/transcript/edit.js';
import { textOf } from '../../src/transcript/text.js';
import { NO_USAGE } from '../../src/transcript/usage.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

interface Line {
  readonly timestamp: string;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>> & { readonly type?: string; readonly call_id?: string };
}

const echoes = fixture('codex-rollout/hand-echoes.jsonl');
const real = fixture('codex-rollout/vibe-coding-tracker.jsonl');

it('reads session, model, time and usage', () => {
  const [transcript] = openText(echoes).transcripts;
  expect(transcript).toMatchObject({ id: 's-echo', model: 'gpt-5.2-codex' });
  const recorded = transcript!.messages.map((message) => transcript!.recorded!(message));
  expect(recorded.flatMap((found) => found?.model ?? [])).toEqual(['gpt-5.2-codex', 'gpt-5.3-codex']);
  const usage = { ...NO_USAGE, input: 400, cacheRead: 600, output: 50, reasoning: 20 };
  expect(recorded.filter((found) => found?.usage !== undefined)).toEqual([
    { time: Date.UTC(2026, 1, 1, 9, 0, 9), usage, running: usage },
  ]);
});

it('reads the usage of a real rollout', () => {
  const [transcript] = openText(real).transcripts;
  expect(transcript).toMatchObject({ id: '01996135-afde-7911-97f0-d863511eca56', model: 'aide-gpt-5' });
  const recorded = transcript!.messages
    .flatMap((message) => transcript!.recorded!(message) ?? [])
    .filter(({ usage }) => usage !== undefined);
  const usage = { ...NO_USAGE, input: 141, cacheRead: 5504, output: 810, reasoning: 640 };
  expect(recorded[0]).toEqual({ time: Date.parse('2025-09-19T09:02:27.915Z'), usage, running: usage });
  expect(recorded).toHaveLength(4);
});

it('removes copies of removed items from events and histories', () => {
  const lines = linesOf<Line>(rewriteText(echoes, 'filter', { maxToolCalls: 1 }));
  expect(lines.filter(({ payload }) => JSON.stringify(payload).includes('call_1'))).toEqual([]);
  expect(lines.map(({ payload }) => payload.type)).not.toContain('agent_reasoning');
  expect(lines.flatMap(({ payload }) => payload.call_id ?? [])).toEqual([
    'call_2',
    'call_2',
    'call_2',
    'call_3',
    'call_4',
  ]);
  expect(lines.find(({ type }) => type === 'compacted')!.payload['replacement_history']).toHaveLength(2);
  expect(lines.filter(({ payload }) => payload.type === 'token_count')).toHaveLength(1);
});

it('cuts copies of a cut result, in their own shape', () => {
  const lines = linesOf<Line>(rewriteText(echoes, 'truncate', { maxLength: 300, noMinimum: true }));
  const end = lines.find(({ payload }) => payload.type === 'exec_command_end')!.payload;
  const note =
    /^line 1 of the log[\s\S]{10,100}\n\.\.\.\n[\s\S]{50,150}\nline 39 of the log: build step 273 took 507 ms\n$/;
  expect(end).toMatchObject({ command: ['make'], exit_code: 0, aggregated_output: expect.stringMatching(note) });
  expect(lines.find(({ payload }) => payload.type === 'item_completed')!.payload['item']).toMatchObject({
    aggregated_output: end['aggregated_output'],
  });
  const output = lines.find(({ payload }) => payload.type === 'function_call_output')!.payload['output'];
  expect(
    (lines.find(({ type }) => type === 'compacted')!.payload['replacement_history'] as unknown[])[2],
  ).toMatchObject({ output });
});

it('answers each type of call with its type of output', () => {
  const lines = linesOf<Line>(rewriteText(echoes, 'patch', {}));
  const answers = lines.filter(({ payload }) => payload.call_id === 'call_3' || payload.call_id === 'call_4').slice(2);
  expect(answers.map(({ timestamp, type, payload }) => [timestamp, type, payload.type])).toEqual([
    ['2026-02-01T09:00:18.000Z', 'response_item', 'custom_tool_call_output'],
    ['2026-02-01T09:00:18.000Z', 'response_item', 'function_call_output'],
  ]);
});

it('keeps bare items and CRLF', () => {
  const head = '{"id":"s","timestamp":"2025-06-01T00:00:00.000Z","instructions":null}';
  const call = '{"type":"function_call","name":"shell","arguments":"{}","call_id":"c1"}';
  const said = '{"type":"message","role":"user","content":[{"type":"input_text","text":"Stop."}]}';
  const text = rewriteText([head, '{"record_type":"state"}', call, said, ''].join('\r\n'), 'patch', {});
  const lines = text.split('\r\n');
  expect(JSON.parse(lines[3]!)).toMatchObject({ type: 'function_call_output', call_id: 'c1' });
  expect([...lines.slice(0, 3), ...lines.slice(4)]).toEqual([head, '{"record_type":"state"}', call, said, '']);
  expect(openText(text).transcripts[0]!.id).toBe('s');
});

describe('texts that no item holds', () => {
  const turnItems = fixture('codex-rollout/hand-turn-items.jsonl');
  const said = (text: string) =>
    openText(text)
      .transcripts[0]!.messages.filter(({ role }) => role !== 'meta')
      .map(({ role, parts: [part] }) => [role, part?.type, part !== undefined && 'text' in part && textOf(part.text!)]);

  it('are read from events', () => {
    expect(said(fixture('codex-rollout/hand-events.jsonl'))).toEqual([
      ['user', 'text', 'List the files.'],
      ['assistant', 'thinking', '**Listing**\n\nI run ls.'],
      ['assistant', 'text', 'There is a.txt.'],
      ['user', 'text', 'Thank you.'],
      ['assistant', 'text', 'You are welcome.'],
    ]);
  });

  it('are read once: from turn items rather than from the events that repeat them, and the instructions', () => {
    expect(said(turnItems)).toEqual([
      ['system', 'text', 'You are Codex, a coding agent. Work in the folder of the user.'],
      ['user', 'text', expect.stringMatching('<environment_context>')],
      ['user', 'text', 'List the files.'],
      ['assistant', 'thinking', '**Listing**'],
      ['assistant', 'call', false],
      ['tool', 'result', false],
      ['assistant', 'text', 'There is a.txt.'],
    ]);
  });

  it('change in all lines that repeat them, and are added as events', () => {
    const rewritten = run(turnItems, [{ transform: 'inject', system: 'Be brief.', user: 'Go on.' }, 'strip']);
    const fresh = { type: 'UserMessage', content: [{ type: 'text', text: 'Go on.', text_elements: [] }] };
    expect(linesOf(rewritten).map(({ payload }) => payload)).toContainEqual({
      type: 'item_completed',
      item: { ...fresh, id: expect.any(String) },
    });
    const redacted = mapText(turnItems, (transcript) =>
      mapMessages(transcript, (message) =>
        mapParts(message, (part) =>
          'text' in part ? ({ ...part, text: textOf(part.text!).replace('a.txt', '***') } as typeof part) : part,
        ),
      ),
    );
    expect(redacted.match(/There is \*\*\*/g)).toHaveLength(3);
    expect(redacted).not.toContain('There is a.txt');
  });
});

it('reads the oldest heads, without instructions', () => {
  const lines = [
    { id: 'c-1', timestamp: '2025-08-01T17:17:41.762Z', git: { branch: 'main' } },
    { record_type: 'state' },
    { type: 'message', id: null, role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
  ];
  const { detection, transcripts } = openText(lines.map((line) => JSON.stringify(line)).join('\n'));
  expect(detection.format.id).toBe('codex-rollout');
  expect(detection.confidence).toBeGreaterThan(0.9);
  expect(transcripts[0]).toMatchObject({ id: 'c-1', messages: [{ role: 'meta' }, { role: 'meta' }, { role: 'user' }] });
});

it('images that prune drops go from the histories of compactions, too: they are most of a long rollout', () => {
  const image = { type: 'input_image', image_url: `data:image/png;base64,${'A'.repeat(2000)}` };
  const said = { type: 'input_text', text: 'What is on it?' };
  const message = { type: 'message', role: 'user', content: [said, image] };
  const output = [{ type: 'input_text', text: 'a plot' }, image];
  const result = { type: 'function_call_output', call_id: 'c1', output };
  const call = { type: 'function_call', name: 'view_image', arguments: '{"path":"a.png"}', call_id: 'c1' };
  const line = (type: string, payload: object) => ({ timestamp: '2026-01-01T00:00:00.000Z', type, payload });
  const items = [message, call, result];
  const records = [
    line('session_meta', { id: '01996135-afde-7911-97f0-d863511eca56', cwd: '/p' }),
    ...items.map((item) => line('response_item', item)),
    ...[1, 2].map(() => line('compacted', { message: '', replacement_history: items })),
    line('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go on.' }] }),
  ];
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const pruned = rewriteText(text, 'prune', { images: true });
  expect(pruned).not.toContain('AAAA');
  const histories = linesOf<Line>(pruned).map(({ payload }) => payload['replacement_history']);
  expect(histories.filter((history) => history !== undefined)).toHaveLength(2);
  for (const history of histories) {
    if (history === undefined) continue;
    expect(history).toHaveLength(3);
    expect(JSON.stringify(history)).toContain(said.text);
    expect(JSON.stringify(history)).toContain('a plot');
  }
});

it('leaves what is no item as it stands in a compaction, whatever is added or goes beside it', () => {
  const line = (type: string, payload: object) => ({ timestamp: '2026-01-01T00:00:00.000Z', type, payload });
  const said = { type: 'function_call', name: 'f', call_id: 'c', arguments: '{}' };
  const odd = [5, { type: 'message', role: 'user', content: 5 }, { type: 'function_call', call_id: 5, name: 5 }];
  const compacted = (history: readonly unknown[]) => line('compacted', { message: '', replacement_history: history });
  const head = line('session_meta', { id: 's' });
  const lines = [head, line('response_item', said), compacted([...odd, said])];
  const text = lines.map((one) => `${JSON.stringify(one)}\n`).join('');
  const after = linesOf(rewriteText(text, 'patch', { template: 'gone' }));
  expect(after).toHaveLength(4);
  expect(after.filter(({ payload }) => payload.type !== 'function_call_output')).toEqual(lines);
  expect(linesOf(rewriteText(text, 'strip', {}))).toEqual([head, compacted(odd)]);
});
