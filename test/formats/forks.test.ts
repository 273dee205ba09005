/** Settings that a session names before the message from which its fork begins. */
import { expect, it } from 'vitest';
import { forkable, forkedSession } from '../../src/engine/sessions/fork.js';
import { linesOf } from '../shared/fixture.js';

function forked(
  records: readonly object[],
  first: number,
  last: number = Number.POSITIVE_INFINITY,
): Record<string, unknown>[] {
  const bytes = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const of = { id: 'new', path: '/p/old.jsonl', time: 0, project: undefined };
  const made = forkedSession(forkable(bytes), { first, last }, of);
  return linesOf(made.toString());
}

it('pi: the last model and level of thinking are on the way to the root', () => {
  const entry = (id: string, parentId: string | null, type: string, more: object) => ({ type, id, parentId, ...more });
  const said = (role: string) => ({ message: { role, content: role, api: 'x' } });
  const lines = forked(
    [
      { type: 'session', version: 3, id: 'old', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/p' },
      entry('a', null, 'model_change', { modelId: 'one' }),
      entry('b', 'a', 'thinking_level_change', { thinkingLevel: 'high' }),
      entry('c', 'b', 'message', said('user')),
      entry('d', 'c', 'model_change', { modelId: 'two' }),
      entry('e', 'd', 'message', said('assistant')),
      entry('f', 'e', 'message', said('user')),
    ],
    7,
  );
  expect(lines.slice(1).map(({ id, parentId }) => [id, parentId])).toEqual([
    ['b', null],
    ['d', 'b'],
    ['f', 'd'],
  ]);
});

it('Claude Code: the last mode of permissions stays, under the new id', () => {
  const said = (uuid: string, parentUuid: string | null) => ({
    ...{ uuid, parentUuid, sessionId: 'old', type: 'user' },
    message: { role: 'user', content: uuid },
  });
  const mode = (permissionMode: string) => ({ type: 'permission-mode', permissionMode, sessionId: 'old' });
  const lines = forked([mode('plan'), said('a', null), mode('acceptEdits'), said('b', 'a')], 4);
  expect(lines.map(({ type, sessionId }) => [type, sessionId])).toEqual([
    ['permission-mode', 'new'],
    ['user', 'new'],
  ]);
  expect(lines[0]).toMatchObject({ permissionMode: 'acceptEdits' });
});

it('Claude Code: previews of kept results stay, those of others do not', () => {
  const said = (at: number, type: string, content: unknown) => ({
    ...{ uuid: `u${at}`, parentUuid: at === 1 ? null : `u${at - 1}`, sessionId: 'old', type, cwd: '/p' },
    message: { role: type, content },
  });
  const call = (id: string) => [{ type: 'tool_use', id, name: 'Bash', input: { command: id } }];
  const result = (id: string) => [{ type: 'tool_result', tool_use_id: id, content: 'whole' }];
  const previews = (...ids: readonly string[]) => ({
    ...{ type: 'content-replacement', sessionId: 'old' },
    replacements: ids.map((toolUseId) => ({ kind: 'tool-result', toolUseId, replacement: 'short' })),
  });
  const records = [
    ...[said(1, 'user', 'Go.'), said(2, 'assistant', call('a')), said(3, 'user', result('a'))],
    ...[said(4, 'assistant', call('b')), said(5, 'user', result('b')), previews('a', 'b'), previews('b')],
  ];
  const replaced = (lines: readonly Record<string, unknown>[]) =>
    lines.filter(({ type }) => type === 'content-replacement');
  expect(replaced(forked(records, 1, 3))).toEqual([{ ...previews('a'), sessionId: 'new' }]);
  expect(replaced(forked(records, 1, 6))).toEqual([previews('a', 'b'), previews('b')].map(underNew));
  expect(replaced(forked(records, 1, 2))).toEqual([]);
});

const underNew = (record: object) => ({ ...record, sessionId: 'new' });
