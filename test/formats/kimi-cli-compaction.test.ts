/** Compactions of Kimi CLI: the summary is a message, and only what the user said is sent beside it. */
import { expect, it } from 'vitest';
import { readInput } from '../../src/engine/input.js';
import { mapMessages, mapParts } from '../../src/transcript/edit.js';
import { withoutCompacted } from '../../src/transcript/sent.js';
import { textOf } from '../../src/transcript/text.js';
import type { Message, Part } from '../../src/transcript/types.js';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { mapText } from '../shared/rewrite-text.js';

const user = (text: string, origin?: object) => ({
  type: 'context.append_message',
  message: { role: 'user', content: [{ type: 'text', text }], toolCalls: [], ...(origin && { origin }) },
  time: 1,
});
const reply = (text: string) => ({
  type: 'context.append_loop_event',
  event: { type: 'content.part', uuid: text, stepUuid: text, part: { type: 'text', text } },
  time: 1,
});
const compaction = (more: object) => ({
  ...{ type: 'context.apply_compaction', summary: 'My notes.', contextSummary: 'You wrote: my notes.' },
  ...{ compactedCount: 9, tokensBefore: 900, tokensAfter: 30, ...more, time: 2 },
});
const head = [
  { type: 'metadata', protocol_version: '1.4', created_at: 1 },
  { type: 'config.update', systemPrompt: 'Be brief.', time: 1 },
];
const before = [
  user('One.', { kind: 'user' }),
  reply('First.'),
  user('Remember.', { kind: 'injection', variant: 'todo_list_reminder' }),
  user('Two.', { kind: 'skill_activation', trigger: 'user-slash' }),
  reply('Second.'),
  user('Three.'),
  user('A tool loaded this.', { kind: 'skill_activation', trigger: 'model' }),
];
const log = (...rows: readonly object[]) =>
  [...head, ...before, ...rows, user('Go on.')].map((row) => `${JSON.stringify(row)}\n`).join('');

const told = ({ role, parts: [part] }: Message) => `${role}: ${part?.type === 'text' ? textOf(part.text) : ''}`;
const sentOf = (text: string) =>
  withoutCompacted(openText(text).transcripts[0]!)
    .messages.filter(({ role }) => role !== 'meta')
    .map(told);

const SUMMARY = 'user: You wrote: my notes.';

it.each([
  ['all that the user said goes on', { keptUserMessageCount: 3 }, ['user: One.', 'user: Two.', 'user: Three.']],
  ['the last goes on', { keptUserMessageCount: 1 }, ['user: Three.']],
  ['nothing does', { keptUserMessageCount: 0 }, []],
  ['both ends do', { keptUserMessageCount: 2, keptHeadUserMessageCount: 1 }, ['user: One.', 'user: Three.']],
])('the summary is words of the user, and %s', (_, more, kept) => {
  const text = log(compaction(more));
  expect(openText(text).transcripts[0]!.messages.map(told)).toContain(SUMMARY);
  expect(sentOf(text)).toEqual(['system: Be brief.', ...kept, SUMMARY, 'user: Go on.']);
  expect(readInput(text, {}).omissions().unread).toEqual([]);
});

it('of several, the last holds', () => {
  const text = log(compaction({ keptUserMessageCount: 3 }), user('Four.'), compaction({ keptUserMessageCount: 2 }));
  expect(sentOf(text)).toEqual(['system: Be brief.', 'user: Three.', 'user: Four.', SUMMARY, 'user: Go on.']);
});

it('of earlier versions, which do not say what goes on, the summary counts as unread', () => {
  const text = log(compaction({}));
  expect(sentOf(text)).not.toContain(SUMMARY);
  expect(readInput(text, {}).omissions().unread).toMatchObject([{ texts: 1, line: 10 }]);
});

it('after a clearing, only the system prompt goes on', () => {
  expect(sentOf(log({ type: 'context.clear', time: 2 }))).toEqual(['system: Be brief.', 'user: Go on.']);
});

it.each([
  ['contextSummary', {}, 'You wrote: my notes.'],
  ['summary', { contextSummary: undefined }, 'My notes.'],
])('a changed summary stands where it stood: %s', (key, more, old) => {
  const row = compaction({ keptUserMessageCount: 3, ...more });
  const shorter = (part: Part): Part =>
    part.type === 'text' && textOf(part.text) === old ? { ...part, text: 'Less.' } : part;
  const changed = mapText(log(row), (transcript) => mapMessages(transcript, (message) => mapParts(message, shorter)));
  expect(changed).toBe(log({ ...row, [key]: 'Less.' }));
});

it('is read in a session of Kimi Code', () => {
  const sent = sentOf(fixture('kimi-cli/agent-sessions-tools.jsonl'));
  expect(sent.filter((text) => text.startsWith('user: '))).toHaveLength(3);
  expect(sent.at(-1)).toContain('user: The conversation so far has been compacted');
});
