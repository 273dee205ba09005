/** How two recordings are laid side by side, and what shares of one are told first. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { alignMessages } from '../../../src/measure/stats/align.js';
import { sharesBy } from '../../../src/measure/stats/shares.js';
import { unshownIn } from '../../../src/measure/stats/unshown.js';
import type { Message, Part } from '../../../src/transcript/types.js';
import { runs } from '../../shared/random-runs.js';

const messages = fc.array(
  fc
    .record({ role: fc.constantFrom<Message['role']>('user', 'assistant'), text: fc.constantFrom('a', 'b', 'c', 'd') })
    .map(({ role, text }): Message => ({ role, parts: [{ type: 'text', text }], raw: {} })),
  { maxLength: 8 },
);

it('each message is told once; what moved is unchanged, and what changed keeps its order and role', () => {
  const said = ({ role, parts }: Message) => JSON.stringify([role, parts]);
  fc.assert(
    fc.property(messages, messages, (before, after) => {
      const changes = alignMessages(before, after);
      const told = (side: 'before' | 'after') =>
        changes.flatMap((change) => (side in change ? [(change as Record<typeof side, number>)[side]] : []));
      expect(told('before').sort((a, b) => a - b)).toEqual([...before.keys()]);
      expect(told('after')).toEqual([...after.keys()]);
      let last = -1;
      for (const change of changes) {
        if (change.kind === 'dropped' || change.kind === 'added') continue;
        const [was, is] = [before[change.before]!, after[change.after]!];
        if (change.kind !== 'changed') expect(said(is)).toBe(said(was));
        else expect([is.role, said(is) === said(was)]).toEqual([was.role, false]);
        if (change.kind === 'moved') continue;
        expect(change.before).toBeGreaterThan(last);
        last = change.before;
      }
    }),
    runs(),
  );
});

it('shares are told by their tokens, the most first, and equal ones by name', () => {
  const group = (tokens: number) => ({ tokens, count: 1 });
  const role = new Map(
    [
      ['b', 2],
      ['a', 2],
      ['c', 9],
      ['d', 0],
    ].map(([name, tokens]) => [name, group(tokens as number)]),
  );
  const facts = { totals: { tokens: 13 }, shares: { role } } as unknown as Parameters<typeof sharesBy>[0];
  expect(sharesBy(facts, 'role').map(({ name }) => name)).toEqual(['c', 'a', 'b', 'd']);
});

it('one failed result of several marks a message', () => {
  const result = (isError: boolean): Part => ({ type: 'result', callId: 'c', content: [], isError });
  const marks = (...failed: boolean[]) =>
    unshownIn({ role: 'tool', parts: failed.map(result), raw: {} }).get('error mark');
  const isMarked = [marks(false, false), marks(false, true), marks(true, true)].map((mark) => mark !== undefined);
  expect(isMarked).toEqual([false, true, true]);
  expect(marks(false, true)).not.toBe(marks(true, false));
});
