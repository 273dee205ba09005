/** Happy's dumps beyond the laws: links between lines, whole rows, recorded usage. */
import { describe, expect, it } from 'vitest';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { rewriteText } from '../shared/rewrite-text.js';

const TASKS = fixture('happy/tasks.json');
const AGENTS = fixture('happy/hand-agents.json');

interface Line {
  readonly uuid: string;
  readonly parentUuid: string | null;
  readonly toolUseResult?: unknown;
}
type Row = {
  readonly id: string;
  readonly seq: number;
  readonly createdAt: number;
  readonly content: { readonly content: { readonly data?: Line } };
};
const rows = (text: string) => JSON.parse(text) as Row[];
const linesOf = (text: string) =>
  rows(text).flatMap(({ content }) => (content.content.data?.uuid === undefined ? [] : [content.content.data]));

describe('happy', () => {
  it('reads recorded model, time and usage', () => {
    const [transcript] = openText(TASKS).transcripts;
    expect([transcript!.id, transcript!.model]).toEqual([
      'f655555d-0faa-4e8f-a432-40ff245c1251',
      'claude-opus-4-20250514',
    ]);
    expect(transcript!.recorded!(transcript!.messages[0]!)).toEqual({ time: 1753659547331 });
    expect(transcript!.recorded!(transcript!.messages[1]!)).toMatchObject({
      responseId: 'msg_01Lm661ve7QSc7pe1BpjQxTM',
      sessionId: 'f655555d-0faa-4e8f-a432-40ff245c1251',
      time: Date.UTC(2025, 6, 27, 23, 39, 11, 471),
      usage: { input: 4, cacheRead: 0, cacheWrite5m: 21953, output: 3 },
    });
  });

  it('pairs results that precede their calls', () => {
    const patched = rewriteText(TASKS, 'patch', {});
    expect(patched.match(/cancelled/g)?.length).toBe(2); // the one call without a result, in the line and beside it
    expect(rows(patched).length).toBe(rows(TASKS).length + 1);
  });

  it.each(['filter', 'strip', 'patch'])('keeps lines linked after %s', (id) => {
    const known = new Set(linesOf(TASKS).map(({ uuid }) => uuid));
    const after = linesOf(rewriteText(TASKS, id, { maxToolCalls: 0 }));
    const left = new Set(after.map(({ uuid }) => uuid));
    for (const { parentUuid } of after)
      if (parentUuid !== null && known.has(parentUuid)) expect(left).toContain(parentUuid);
  });

  it('adds whole rows', () => {
    const after = rows(rewriteText(AGENTS, 'patch', {}));
    const at = after.findIndex(({ id }) => id === 'r8') + 1;
    const { content, ...row } = after[at]!;
    expect(row).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      seq: 8,
      localId: null,
      createdAt: 1757000006000,
    });
    expect(content.content.data).toMatchObject({
      parentUuid: '00000000-0000-4000-8000-000000000001',
      sessionId: 's-1',
      type: 'user',
    });
    expect(after[at + 1]!.content.content.data!.parentUuid).toBe(content.content.data!.uuid);
  });

  it('leaves no copy of a cut result', () => {
    const after = linesOf(rewriteText(TASKS, 'truncate', { maxLength: 60, noMinimum: true }));
    expect(after.find(({ toolUseResult }) => toolUseResult !== undefined)?.toolUseResult).toEqual({
      filenames: [],
      durationMs: 8,
      numFiles: 3,
      truncated: false,
    });
  });
});
