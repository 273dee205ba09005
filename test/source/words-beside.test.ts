/** Words that the model reads of rows that are no messages: they count as unread where no message repeats them. */
import { expect, it } from 'vitest';
import { readInput } from '../../src/engine/input.js';

const lines = (...rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
const unread = (input: string) =>
  readInput(input, {})
    .omissions()
    .unread.map(({ format, texts, line }) => [format, texts, line]);

const event = (type: string, data: object, more: object = {}) => ({ type, data, id: type, parentId: null, ...more });
const copilot = [
  event('session.start', { sessionId: 's', version: 1 }),
  event('user.message', { content: 'go' }),
  event('assistant.message', { messageId: 'm', content: 'gone' }),
];
const rows: readonly (readonly [what: string, format: string, before: readonly object[], row: object])[] = [
  ['a skill', 'copilot-cli', copilot, event('skill.invoked', { name: 'pdf', path: '/s', content: 'the words' })],
  ['a notice', 'copilot-cli', copilot, event('system.notification', { content: 'the words', kind: { type: 'shell' } })],
  [
    'a compaction of Kimi',
    'kimi-cli',
    [
      { type: 'metadata', protocol_version: '1.4', created_at: 1 },
      {
        type: 'context.append_message',
        message: { role: 'user', content: [{ type: 'text', text: 'go' }], toolCalls: [] },
        time: 1,
      },
    ],
    { type: 'context.apply_compaction', summary: 's', contextSummary: 'the words', compactedCount: 1, time: 2 },
  ],
];

it.each(rows)('%s', (_, format, before, row) => {
  expect(unread(lines(...before, row))).toEqual([[format, 1, before.length + 1]]);
  expect(unread(lines(...before))).toEqual([]);
});

it('not where a message repeats them', () => {
  const [, , before, skill] = rows[0]!;
  const repeated = event('user.message', { content: '<skill-context name="pdf">\nthe words\n</skill-context>' });
  expect(unread(lines(...before, skill, repeated))).toEqual([]);
  const others = { ...skill, agentId: 'toolu_1' };
  expect(unread(lines(...before, others))).toEqual([]);
});

it('in lists, too', () => {
  const said = (id: number, content: string, source: string) => ({
    ...{ id, source, action: 'message', message: content, args: { content, wait_for_response: false } },
  });
  const condensation = {
    ...{ id: 3, source: 'agent', action: 'condensation', message: 'Condensing' },
    args: { forgotten_event_ids: [1], summary: 'the words', summary_offset: 1 },
  };
  expect(unread(JSON.stringify([said(1, 'go', 'user'), said(2, 'gone', 'agent'), condensation]))).toEqual([]);
  const row = (seq: number, content: object) => ({ id: `${seq}`, seq, localId: null, content, createdAt: seq });
  const acp = (data: object) => ({ role: 'agent', content: { type: 'acp', provider: 'gemini', data } });
  const happy = [
    row(1, { role: 'user', content: { type: 'text', text: 'go' } }),
    row(2, acp({ type: 'message', message: 'gone' })),
    row(3, acp({ type: 'terminal-output', data: 'the words', callId: 'c' })),
  ];
  expect(unread(JSON.stringify({ messages: happy }))).toEqual([['happy', 1, 1]]);
});

it('streams in cassettes and call logs', () => {
  const body = JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'hi' }] });
  const chunk = { object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'the words' } }] };
  const reply = { object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content: 'a' } }] };
  const cassette = (string: string) =>
    JSON.stringify({ version: 1, interactions: [{ request: { body }, response: { body: { string } } }] });
  expect(unread(cassette(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`))).toEqual([['call-log', 1, 1]]);
  expect(unread(cassette(JSON.stringify(reply)))).toEqual([]);
  expect(unread(JSON.stringify({ request: { body }, response: { body: 'event: a\ndata: {}\n\n' } }))).toHaveLength(1);
});
