/** `filter --drop-user` keeps the summary of a compaction: an agent goes on from it. */
import { expect, it } from 'vitest';
import { simulate } from '../../src/index.js';
import { linesOf } from '../shared/fixture.js';
import { rewriteText } from '../shared/rewrite-text.js';

const jsonLines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const filtered = (text: string) => rewriteText(text, 'filter', { maxToolCalls: 0, dropUser: true });
const SUMMARY = `So far: ${'all is well '.repeat(100)}`;

const line = (type: string, payload: object) => ({ timestamp: '2026-01-01T00:00:00.000Z', type, payload });
const item = (payload: object) => line('response_item', payload);
const said = (role: string, text: string) =>
  item({ type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] });
const round = (id: string) => [
  item({ type: 'function_call', name: 'shell', call_id: id, arguments: '{}' }),
  item({ type: 'function_call_output', call_id: id, output: 'x'.repeat(100) }),
];
const codex = jsonLines([
  ...[line('session_meta', { id: 's', cwd: '/p' }), said('user', 'Begin.'), ...round('c1')],
  ...[line('compacted', { message: SUMMARY, replacement_history: [] }), ...round('c2'), ...round('c3')],
  ...[said('user', 'Go on.'), ...round('c4'), ...round('c5'), said('assistant', 'Done.')],
]);

it('of Codex', () => {
  const kept = linesOf<{ type: string; payload: { type?: string } }>(filtered(codex));
  expect(kept.map(({ type, payload }) => payload.type ?? type)).toEqual(['session_meta', 'compacted', 'message']);
});

it('of Claude Code, behind its boundary', () => {
  const row = (uuid: string, parentUuid: string | null, more: object) => ({
    ...{ uuid, parentUuid, sessionId: 's', timestamp: '2026-01-01T00:00:00.000Z', ...more },
  });
  const user = (content: unknown, more: object = {}) => ({ type: 'user', message: { role: 'user', content }, ...more });
  const called = (id: string) => ({
    type: 'assistant',
    message: { id, role: 'assistant', content: [{ type: 'tool_use', id, name: 'Bash', input: {} }] },
  });
  const answered = (id: string) => user([{ type: 'tool_result', tool_use_id: id, content: 'ok' }]);
  const text = jsonLines([
    ...[row('1', null, user('Begin.')), row('2', '1', called('c1')), row('3', '2', answered('c1'))],
    row('4', null, { type: 'system', subtype: 'compact_boundary', content: '', logicalParentUuid: '3' }),
    row('5', '4', user(SUMMARY, { isCompactSummary: true })),
    ...[row('6', '5', called('c2')), row('7', '6', answered('c2')), row('8', '7', user('Go on.'))],
  ]);
  expect(linesOf<{ uuid: string }>(filtered(text)).map(({ uuid }) => uuid)).toEqual(['4', '5', '8']);
});

it('so that a simulated agent still sends it', async () => {
  const steps = [{ transform: 'filter', maxToolCalls: 0, dropUser: true }] as const;
  const { transcripts } = await simulate(codex, steps, { model: 'gpt-5' });
  expect(transcripts[0]!.requests.at(-1)!.with.sent).toBeGreaterThan(300);
});
