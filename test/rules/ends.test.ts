/** Where rules put a user message of their own, and what they take for the end of a history. */
import { expect, it } from 'vitest';
import { canAddUser, isOnlyReply, lastMessage, withOpening, withUserAtEnd } from '../../src/rules/shared/ends.js';
import type { Message, Traits, Transcript } from '../../src/transcript/types.js';
import { openText } from '../shared/opened.js';

const [{ traits }] = openText('[{"role":"user","content":"x"}]').transcripts as unknown as [Transcript];
const of = (roles: string, more: Partial<Traits> = {}): Transcript => ({
  format: 'openai-chat',
  traits: { ...traits, ...more },
  messages: roles.split(' ').map((role): Message => ({ role: role as Message['role'], parts: [] })),
});
const rolesOf = ({ messages }: Transcript) => messages.map(({ role }) => role).join(' ');

it.each([
  ['user assistant', 'user assistant user', 1],
  ['user assistant meta meta', 'user assistant user meta meta', 1],
  ['meta user meta assistant meta', 'meta user meta assistant user meta', 3],
  ['meta', 'user meta', -1],
])('behind `%s` it is `%s`: before records that a log ends with', (before, after, last) => {
  expect(lastMessage(of(before))).toBe(last);
  expect(rolesOf(withUserAtEnd(of(before), 'Go on.'))).toBe(after);
  expect(withUserAtEnd(of(before), 'Go on.').messages[last + 1]!.parts).toEqual([{ type: 'text', text: 'Go on.' }]);
});

it.each([
  ['assistant', 'user assistant'],
  ['system assistant user', 'system user assistant user'],
  ['meta system meta assistant', 'meta system meta user assistant'],
  ['system meta', 'system meta'],
])('before `%s` it is `%s`: behind the system prompt', (before, after) => {
  expect(rolesOf(withOpening(of(before)))).toBe(after);
});

it('can be where a recording is no mere reply, and is only a reply where no user speaks', () => {
  expect(canAddUser({ transcript: of('assistant') })).toBe(true);
  expect(canAddUser({ transcript: of('assistant', { holdsOnlyReplies: true }) })).toBe(false);
  expect(isOnlyReply(of('assistant', { endsOnReply: true }))).toBe(true);
  expect(isOnlyReply(of('user assistant', { endsOnReply: true }))).toBe(false);
  expect(isOnlyReply(of('assistant'))).toBe(traits.endsOnReply === true);
});
