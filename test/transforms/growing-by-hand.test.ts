/** When a cut of a transcript that grows can be told from what came before, and when each length is cut anew. */
import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/transcript/types.js';
import { cutsGrow, cutsIn, openingsOf } from '../../src/transforms/fit-cuts.js';
import { growFitted } from '../../src/transforms/fit-growing.js';
import type { Counts } from '../../src/transforms/transform.js';
import { openText } from '../shared/opened.js';

/** Definitions of tools take less beside a system prompt, as in the models of OpenAI. */
const COUNTS: Counts = {
  perRequest: 3,
  message: () => 10,
  definitions: ({ messages }) => (messages.some(({ role }) => role === 'system') ? 20 : 22),
} as Partial<Counts> as Counts;
const OPTIONS = { maxTokens: 60, strategy: 'last', everything: true, unit: 'exchange', lowWater: undefined } as const;

const user = { role: 'user', content: 'Go on.' };
const system = { role: 'system', content: 'Be brief.' };
const answer = { role: 'assistant', content: 'Done.' };
const rounds = [user, answer, user, answer, user, answer];
const growing = (
  messages: readonly object[],
  options: Partial<Parameters<typeof growFitted>[1]> = {},
  carries = false,
) => growFitted(openText(JSON.stringify({ messages })).transcripts[0]!, { ...OPTIONS, ...options }, COUNTS, carries);

/** The roles that are sent of the first messages, of each number of them. */
function sentOf(grow: NonNullable<ReturnType<typeof growing>>, count: number): readonly string[][] {
  let sent: string[] = [];
  return Array.from({ length: count }, (_, index) => {
    const { same, added } = grow(index + 1);
    sent = [...sent.slice(0, same), ...added.map(({ role }) => role)];
    return sent;
  });
}

it.each([
  ['a chat', rounds],
  ['a system prompt at the head', [system, ...rounds]],
])('%s is cut from what was cut before', (_, messages) => {
  const sent = sentOf(growing(messages)!, messages.length).at(-1);
  expect(sent).toEqual([...(messages[0] === system ? ['system'] : []), 'user', 'assistant']);
});

it.each([
  ['a system prompt that comes later: with it, the definitions take another number of tokens', [user, system, answer]],
  ['nothing but a system prompt', [system]],
])('%s is cut anew each time', (_, messages) => {
  expect(growing(messages)).toBeUndefined();
});

it('keeps the first exchanges as they were once the budget is exceeded', () => {
  const lengths = (maxTokens: number) =>
    sentOf(growing(rounds, { strategy: 'first', maxTokens })!, rounds.length).map(({ length }) => length);
  expect(lengths(60)).toEqual([1, 2, 3, 2, 2, 2]);
  expect(lengths(1000)).toEqual([1, 2, 3, 4, 5, 6]);
});

it('what has no budget, and what stays beside the cut, is cut anew each time', () => {
  expect(growing(rounds, { maxTokens: undefined })).toBeUndefined();
  expect(growing(rounds, { everything: false }, true)).toBeUndefined();
  expect(growing(rounds, {}, true)).toBeDefined();
});

it('cuts to the share of the budget that is asked for, and then not before it is exceeded again', () => {
  const messages = [...rounds, ...rounds];
  const lengths = (lowWater: number | undefined) =>
    sentOf(growing(messages, { maxTokens: 100, lowWater })!, messages.length).map(({ length }) => length);
  expect(lengths(undefined)).toEqual([1, 2, 3, 4, 5, 6, 7, 6, 7, 6, 7, 6]);
  expect(lengths(0.5)).toEqual([1, 2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 6]);
});

/** Lines of one answer of the model are a group; a pair of a call and its result ties what is between them, too. */
describe('a place to cut at', () => {
  type Row = readonly [role: Message['role'], group?: string, parts?: Message['parts']];
  const of = (...rows: readonly Row[]) => ({
    ...openText('[{"role":"user","content":"x"}]').transcripts[0]!,
    messages: rows.map(([role, group, parts = []]): Message => ({ role, parts, ...(group ? { group } : {}) })),
  });
  const call = [{ type: 'call', callId: 'c', tool: 'f', input: '{}' }] as const;
  const result = [{ type: 'result', callId: 'c', content: [] }] as const;

  it.each<[what: string, rows: readonly Row[]]>([
    ['is not in an answer in pieces', [['user'], ['assistant', 'a'], ['assistant', 'a'], ['user']]],
    ['is not in one that goes on behind a result', [['user'], ['assistant', 'a'], ['tool'], ['assistant', 'a']]],
    ['is not at a result, whoever brings it', [['user'], ['assistant', '', call], ['user', '', result]]],
    ['stays where nothing ties it', [['user'], ['assistant'], ['user'], ['assistant']]],
  ])('%s, whatever is added', (_, rows) => {
    expect(cutsGrow(of(...rows), 'round')).toBe(true);
  });

  it.each<[what: string, rows: readonly Row[]]>([
    ['an answer', [['user'], ['assistant', 'a'], ['user'], ['assistant', 'a']]],
    ['a late result', [['user'], ['assistant', '', call], ['user'], ['tool', '', result]]],
  ])('is tied by the rest of %s that comes later', (_, rows) => {
    expect(cutsGrow(of(...rows), 'exchange')).toBe(false);
    expect(cutsGrow(of(...rows.slice(0, 3)), 'exchange')).toBe(true);
  });

  it('is none within an answer in pieces', () => {
    const { messages } = of(['user'], ['assistant', 'a'], ['user'], ['assistant', 'a'], ['user']);
    expect(cutsIn(messages, openingsOf(messages), 'round')).toEqual([0, 1, 4]);
  });
});
