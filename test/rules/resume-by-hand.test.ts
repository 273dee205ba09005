/** Parallel calls of Claude Code that are not loaded with their reply, and results off their way: by hand. */
import { describe, expect, it } from 'vitest';
import { examineSession, mendSession } from '../../src/engine/check/sessions.js';
import { linesOf } from '../shared/fixture.js';

const NAME = '/h/.claude/projects/-p/5a1c1d2e-0000-4000-8000-000000000001.jsonl';
const line = (uuid: string, parentUuid: string | null, type: 'user' | 'assistant', message: object) => ({
  ...{ uuid, parentUuid, type, sessionId: '5a1c1d2e-0000-4000-8000-000000000001', isSidechain: false, cwd: '/p' },
  ...{ timestamp: '2026-01-01T00:00:00.000Z', version: '2.1.0', message: { role: type, ...message } },
});
const said = (uuid: string, parent: string | null) => line(uuid, parent, 'user', { content: uuid });
const called = (uuid: string, parent: string, call: string, id?: string) =>
  line(uuid, parent, 'assistant', {
    ...(id === undefined ? {} : { id }),
    ...{ model: 'claude-opus-4-5', content: [{ type: 'tool_use', id: call, name: 'f', input: {} }] },
  });
const result = (uuid: string, parent: string | null, call: string) =>
  line(uuid, parent, 'user', { content: [{ type: 'tool_result', tool_use_id: call, content: 'x' }] });

/** What is found, and the parents after it was mended. */
function judged(...records: readonly object[]) {
  const bytes = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const { findings, loads } = examineSession(bytes, NAME)!;
  const mended = mendSession(bytes, NAME)?.bytes ?? bytes;
  const parents = linesOf(mended.toString()).map(({ uuid, parentUuid }) => `${parentUuid ?? ''}>${uuid}`);
  const after = examineSession(mended, NAME)!;
  expect(after.findings).toEqual([]);
  return { found: findings.map(({ rule, text }) => `${rule}: ${text}`), loads, parents, after: after.loads };
}

describe('calls of one reply', () => {
  it('with its id are loaded with it, wherever they hang', () => {
    const records = [
      said('u', null),
      called('a', 'u', 'c1', 'm'),
      called('b', 'a', 'c2', 'm'),
      result('r', 'a', 'c1'),
      result('s', 'b', 'c2'),
    ];
    const { found, parents } = judged(...records, said('v', 'r'));
    expect(found).toEqual([]);
    expect(parents).toEqual(['>u', 'u>a', 'a>b', 'a>r', 'b>s', 'r>v']);
  });

  it('without it are put on the way', () => {
    const { found, parents, loads, after } = judged(
      ...[
        said('u', null),
        called('a', 'u', 'c1', 'm'),
        called('b', 'a', 'c2'),
        result('r', 'a', 'c1'),
        result('s', 'b', 'c2'),
      ],
      said('v', 'r'),
    );
    expect(found[0]).toBe(
      'resume/result-off-way: the call c2 is not on the way to the root, as that beside it is; 4 of 6 messages would load',
    );
    expect(parents).toEqual(['>u', 'u>a', 'a>b', 's>r', 'b>s', 'r>v']);
    expect([loads, after]).toEqual([4, 6]);
  });
});

describe('a result', () => {
  it('of a call on the way is put behind it', () => {
    const { found, parents, loads, after } = judged(
      ...[said('u', null), called('a', 'u', 'c1', 'm'), result('r', null, 'c1'), said('v', 'a')],
    );
    expect(found[0]).toBe(
      'resume/result-off-way: the result of c1, a call in line 2, is not on the way to the root; 3 of 4 messages would load',
    );
    expect(parents).toEqual(['>u', 'u>a', 'a>r', 'r>v']);
    expect([loads, after]).toEqual([3, 4]);
  });

  it('that hangs on another reply than that of its call is not loaded with it', () => {
    const { found, parents, loads } = judged(
      ...[said('u', null), result('t', 'u', 'c9'), called('a', 'u', 'c1', 'm'), result('r', 'a', 'c1'), said('v', 'r')],
      ...[called('b', 'v', 'c2', 'n'), result('s', 'b', 'c2'), said('w', 's')],
    );
    expect(found).toEqual([]);
    expect(parents[1]).toBe('u>t');
    expect(loads).toBe(7);
  });
});
