/** Linked logs stay linked: whatever goes or comes, an agent that follows the links finds every line that is left. */
import { describe, expect, it } from 'vitest';
import { lawful } from '../shared/lawful.js';
import { fixtures, sharedRecordings } from '../shared/recordings.js';
import { rewriteText } from '../shared/rewrite-text.js';

interface Line {
  readonly uuid?: string;
  readonly parentUuid?: string | null;
  readonly timestamp?: string;
  readonly sessionId?: string;
}

const STEPS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['filter', { maxToolCalls: 0 }],
  ['filter', { maxToolCalls: 1 }],
  ['patch', {}],
  ['strip', { retryPrompt: true }],
];

describe.each(
  [...fixtures(), ...sharedRecordings()].filter(
    ({ name }) => name.startsWith('claude-code/') && name.endsWith('.jsonl'),
  ),
)('$name', ({ bytes }) => {
  const before = linesOf(bytes.toString());

  it.each(STEPS)('%s %j', (id, options) => {
    const after = linesOf(rewriteText(bytes, id, options));
    const uuids = new Set(after.flatMap(({ uuid }) => uuid ?? []));
    const gone = new Set(before.flatMap(({ uuid }) => (uuid === undefined || uuids.has(uuid) ? [] : [uuid])));
    lawful(after.filter(({ parentUuid }) => gone.has(parentUuid ?? '')).map(({ uuid }) => uuid));
    const known = new Set(before.map(({ uuid }) => uuid));
    // a log may begin in the middle
    const missing = before.flatMap(({ parentUuid }) => (parentUuid && !known.has(parentUuid) ? [parentUuid] : []));
    for (const added of after.filter(({ uuid }) => uuid !== undefined && !known.has(uuid))) {
      const rest = { ...added, message: undefined, toolUseResult: undefined };
      expect(rest).toMatchObject({
        type: 'user',
        uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/),
        timestamp: expect.any(String),
        sessionId: expect.any(String),
      });
      if (before.some(({ uuid }) => uuid !== undefined)) expect([...uuids, ...missing]).toContain(added.parentUuid);
    }
    if (
      before.every(
        ({ uuid }, index) =>
          uuid === undefined || index === 0 || before.filter((line) => line.uuid === uuid).length === 1,
      )
    )
      expect(uuids.size).toBe(after.filter(({ uuid }) => uuid !== undefined).length);
  });
});

it('puts an answer between its call and what followed', () => {
  const recording = fixtures().find(({ name }) => name === 'claude-code/hand-interrupted.jsonl')!;
  const lines = linesOf(rewriteText(recording.bytes, 'patch', {}));
  const chain: (string | undefined)[] = [];
  for (let line = lines.at(-1); line !== undefined; line = lines.find(({ uuid }) => uuid === line!.parentUuid))
    chain.push(line.uuid);
  expect(chain).toHaveLength(8);
  expect(lines.findIndex(({ uuid }) => uuid === chain[2])).toBe(6);
});

it('ends where links run in a circle', () => {
  const line = (uuid: string, parentUuid: string, message: object) =>
    JSON.stringify({
      type: 'content' in message && 'id' in message ? 'assistant' : 'user',
      uuid,
      parentUuid,
      sessionId: 's',
      message,
    });
  const call = { role: 'assistant', id: 'm', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] };
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] };
  const text = [line('a', 'b', call), line('b', 'a', result), line('c', 'b', { role: 'user', content: 'hi' })].join(
    '\n',
  );
  expect(
    linesOf(rewriteText(text, 'filter', { maxToolCalls: 0 })).map(({ uuid, parentUuid }) => [uuid, parentUuid]),
  ).toEqual([['c', null]]);
});

function linesOf(text: string): Line[] {
  return text.split('\n').flatMap((line) => {
    try {
      const value = JSON.parse(line) as Line;
      return Array.isArray(value) ? [] : [value];
    } catch {
      return [];
    }
  });
}
