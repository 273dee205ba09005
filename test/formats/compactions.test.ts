/**
 * What agents still send after a compaction: what they go on with, which sessions.test.ts of test/conversion holds
 * against handovers, and what a request of theirs then counts.
 */
import { describe, expect, it } from 'vitest';
import { readInput } from '../../src/engine/input.js';
import claudeCodeSession from '../../src/formats/anthropic/claude-code-session.js';
import { mapMessages, mapParts } from '../../src/transcript/edit.js';
import { withoutCompacted } from '../../src/transcript/sent.js';
import { textOf } from '../../src/transcript/text.js';
import type { Message, Part } from '../../src/transcript/types.js';
import { openText } from '../shared/opened.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

const textsIn = ({ parts }: Message) => parts.flatMap((part) => (part.type === 'text' ? [textOf(part.text)] : []));
const sentOf = (text: string) =>
  withoutCompacted(openText(text).transcripts[0]!)
    .messages.filter(({ role }) => role !== 'meta')
    .flatMap(textsIn);
const linesOf = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).join('\n');

const claudeLine = (id: string, parentUuid: string | null, line: object) => ({
  ...{ parentUuid, isSidechain: false, sessionId: 's', uuid: id, timestamp: '2026-02-01T09:00:00.000Z' },
  ...line,
});
const said = (text: string) => ({ type: 'user', message: { role: 'user', content: text } });
const boundary = (compactMetadata: object) => ({
  ...{ type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', compactMetadata },
});
const claude = (compactMetadata: object) =>
  linesOf([
    claudeLine('a', null, said('one')),
    claudeLine('b', 'a', said('two')),
    claudeLine('c', 'b', said('three')),
    claudeLine('x', null, boundary(compactMetadata)),
    claudeLine('s', 'x', { ...said('In short.'), isCompactSummary: true }),
    claudeLine('d', 's', said('four')),
  ]);

describe('Claude Code', () => {
  it.each([
    ['nothing else', { trigger: 'auto' }, []],
    ['messages by their ids', { preservedMessages: { anchorUuid: 's', uuids: ['a', 'c'] } }, ['one', 'three']],
    ['a segment', { preservedSegment: { headUuid: 'b', anchorUuid: 's', tailUuid: 'c' } }, ['two', 'three']],
    ['a segment that is not there', { preservedSegment: { headUuid: 'z', anchorUuid: 's', tailUuid: 'c' } }, []],
  ])('keeps %s', (_, data, kept) => {
    expect(sentOf(claude(data))).toEqual([...kept, 'In short.', 'four']);
  });

  it.each([
    ['behind the summary', { preservedMessages: { anchorUuid: 's', uuids: ['a', 'c'] } }, 'In short. one three four'],
    ['a segment', { preservedSegment: { headUuid: 'b', anchorUuid: 's', tailUuid: 'c' } }, 'In short. two three four'],
    ['before it', { preservedSegment: { headUuid: 'a', anchorUuid: 'x', tailUuid: 'b' } }, 'one two In short. four'],
    ['nothing', {}, 'In short. four'],
  ])('hands over what it keeps %s', (_, data, words) => {
    const [transcript] = openText(claude(data)).transcripts;
    expect(claudeCodeSession.sent(transcript!.messages).flatMap(textsIn).join(' ')).toBe(words);
  });

  it('compacts twice', () => {
    const again = linesOf([
      claudeLine('y', null, boundary({})),
      claudeLine('t', 'y', { ...said('Shorter.'), isCompactSummary: true }),
    ]);
    expect(sentOf(`${claude({})}\n${again}`)).toEqual(['Shorter.']);
  });

  it('and so after a step', () => {
    expect(sentOf(rewriteText(claude({}), 'inject', { user: 'Go on.' }))).toEqual(['In short.', 'four', 'Go on.']);
  });
});

const piLine = (id: string, parentId: string | null, line: object) => ({
  ...{ id, parentId, timestamp: '2026-02-01T09:00:00.000Z' },
  ...line,
});
const told = (text: string) => ({ type: 'message', message: { role: 'user', content: text, timestamp: 1 } });
const pi = (firstKeptEntryId: string) =>
  linesOf([
    { type: 'session', version: 3, id: 's', timestamp: '2026-02-01T09:00:00.000Z', cwd: '/src' },
    piLine('a', null, told('one')),
    piLine('b', 'a', told('two')),
    piLine('x', 'b', { type: 'compaction', summary: 'In short.', firstKeptEntryId, tokensBefore: 9 }),
    piLine('c', 'x', told('three')),
  ]);

describe('pi', () => {
  it.each([
    ['from an entry on', 'b', ['two']],
    ['nothing where that is gone', 'z', []],
  ])('keeps what was said %s', (_, id, kept) => {
    const sent = sentOf(pi(id));
    expect(sent).toEqual([...kept, expect.stringContaining('In short.'), 'three']);
  });
});

const opencodeMessage = (id: string, role: string, text: string, more: object = {}, parts: readonly object[] = []) => ({
  info: { id, sessionID: 's', role, time: { created: 1 }, ...more },
  parts: [...(text === '' ? [] : [{ id: `p${id}`, sessionID: 's', messageID: id, type: 'text', text }]), ...parts],
});
const opencode = (compaction: object, summary: object) =>
  JSON.stringify({
    info: { id: 's', title: 't', directory: '/src' },
    messages: [
      opencodeMessage('a', 'user', 'one'),
      opencodeMessage('b', 'user', 'two'),
      opencodeMessage('c', 'user', '', {}, [{ id: 'pc', type: 'compaction', auto: true, ...compaction }]),
      opencodeMessage('d', 'assistant', 'In short.', { parentID: 'c', summary: true, finish: 'stop', ...summary }),
      opencodeMessage('e', 'user', 'three'),
    ],
  });

describe('opencode', () => {
  it.each([
    ['nothing', {}, {}, []],
    ['the tail', { tail_start_id: 'b' }, {}, ['two']],
    ['all, if it did not come to its end', {}, { finish: undefined }, ['one', 'two']],
    ['all, if it failed', {}, { error: { name: 'Aborted' } }, ['one', 'two']],
    ['all, if it answers another message', {}, { parentID: 'a' }, ['one', 'two']],
  ])('keeps %s', (_, compaction, summary, kept) => {
    const sent = sentOf(opencode(compaction, summary)).filter((text) => !text.startsWith('What did'));
    expect(sent).toEqual([...kept, 'In short.', 'three']);
  });
});

const droidLine = (id: string, role: string, text: string, more: object = {}) => ({
  ...{ type: 'message', id, timestamp: '2026-02-01T09:00:00.000Z' },
  message: { role, content: [{ type: 'text', text }], ...more },
});
const droid = (compaction: object) =>
  linesOf([
    { type: 'session_start', id: 's', title: 't', version: 2, cwd: '/src' },
    droidLine('a', 'user', 'one'),
    droidLine('h', 'user', 'said by a hook', { visibility: 'user_only' }),
    {
      ...{ type: 'message', id: 'b' },
      message: { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'Read', input: {} }] },
    },
    {
      ...{ type: 'message', id: 'r' },
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'read' }] },
    },
    droidLine('c', 'assistant', 'two'),
    { type: 'compaction_state', id: 'x', summaryText: 'In short.', summaryKind: 'llm_summary', ...compaction },
    droidLine('d', 'user', 'three'),
  ]);

describe('Droid', () => {
  it.each([
    ['what follows its anchor, but no results of what it replaced', { anchorMessage: { id: 'b', index: 1 } }, ['two']],
    ['nothing where that is gone', { anchorMessage: { id: 'z', index: 9 } }, []],
    ['all where it names none', {}, ['one', 'two']],
  ])('keeps %s', (_, compaction, kept) => {
    const text = droid(compaction);
    expect(sentOf(text)).toEqual([...kept, 'In short.', 'three']);
    const { messages } = withoutCompacted(openText(text).transcripts[0]!);
    expect(messages.some(({ role }) => role === 'tool')).toBe(kept.includes('one'));
  });

  it('says of the system what it said behind the summary', () => {
    const text = droid({ systemInfoText: 'Linux.', anchorMessage: { id: 'c', index: 3 } });
    expect(sentOf(text)).toEqual(['In short.', 'Linux.', 'three']);
    expect(readInput(text, {}).omissions().unread).toEqual([]);
  });
});

const copilotEvent = (id: string, type: string, data: object, more: object = {}) => ({
  ...{ type, data, id, timestamp: '2026-02-01T09:00:00.000Z', parentId: null },
  ...more,
});
const copilotSaid = (id: string, content: string) => copilotEvent(id, 'user.message', { content });
const copilotTold = (id: string, content: string) =>
  copilotEvent(id, 'assistant.message', { messageId: id, content, toolRequests: [] });
const copilotStart = [
  copilotEvent('s', 'session.start', { sessionId: 's', version: 1 }),
  copilotEvent('y', 'system.message', { role: 'system', content: 'Help.' }),
  copilotSaid('a', 'one'),
  copilotTold('b', 'two'),
];
const start = copilotEvent('p', 'session.compaction_start', {});
const complete = (summaryContent: string, more: object = {}) =>
  copilotEvent('q', 'session.compaction_complete', { success: true, summaryContent, ...more });

describe('Copilot CLI', () => {
  it.each([
    ['the prompts', [start, complete('In short.')], ['Help.', 'one', 'In short.']],
    [
      'what was said meanwhile',
      [start, copilotTold('m', 'mid'), complete('In short.')],
      ['Help.', 'one', 'mid', 'In short.'],
    ],
    [
      'the prompts, after a second one',
      [start, complete('Long.'), copilotTold('m', 'mid'), start, complete('In short.')],
      ['Help.', 'one', 'In short.'],
    ],
    ['all, if it failed', [start, complete('In short.', { success: false })], ['Help.', 'one', 'two']],
    ['all, if there is no summary', [start, complete('', { summaryContent: undefined })], ['Help.', 'one', 'two']],
    ['all, if it is of a sub-agent', [start, { ...complete('In short.'), agentId: 'g' }], ['Help.', 'one', 'two']],
    ['the system prompt, if the context is cleared', [copilotEvent('k', 'session.context_cleared', {})], ['Help.']],
  ])('keeps %s', (_, events, sent) => {
    const text = linesOf([...copilotStart, ...events, copilotSaid('d', 'three')]);
    expect(sentOf(text)).toEqual([...sent, 'three']);
    expect(readInput(text, {}).omissions().unread).toEqual([]);
  });
});

const ampMessage = (messageId: number, role: string, ...content: readonly object[]) => ({ role, messageId, content });
const ampSaid = (text: string) => ({ type: 'text', text });
const ampRun = (id: string, status: string) => ({ type: 'tool_result', toolUseID: id, run: { status } });
const ampCall = (id: string) => ({ type: 'tool_use', complete: true, id, name: 'Bash', input: { cmd: 'ls' } });
const amp = (summary: object) =>
  JSON.stringify({
    ...{ v: 5, id: 'T-1', created: 1 },
    messages: [
      ampMessage(0, 'user', ampSaid('one')),
      ampMessage(1, 'assistant', ampSaid('two')),
      { role: 'info', content: [{ type: 'summary', summary }] },
      ampMessage(3, 'info', ampSaid('by the way')),
      ampMessage(4, 'user', ampSaid('three')),
      ampMessage(5, 'assistant', ampCall('a'), ampCall('b'), ampCall('c')),
      ampMessage(6, 'user', ampRun('a', 'cancelled'), ampRun('b', 'rejected-by-user'), ampRun('c', 'done')),
    ],
  });

describe('Amp', () => {
  it.each([
    ['a summary', { type: 'message', summary: 'In short.' }, ['In short.']],
    ['nothing for one in a thread of its own', { type: 'thread', thread: 'T-2' }, []],
  ])('sends %s', (_, summary, sent) => {
    const text = amp(summary);
    expect(sentOf(text)).toEqual([...sent, 'by the way', 'three']);
    expect(readInput(text, {}).omissions().unread).toHaveLength(1 - sent.length); // what is in the other thread
  });

  it('changes a summary where it stands', () => {
    const text = amp({ type: 'message', summary: 'In short.' });
    const shorter = (part: Part): Part =>
      part.type === 'text' && textOf(part.text) === 'In short.' ? { ...part, text: 'Less.' } : part;
    const changed = mapText(text, (whole) => mapMessages(whole, (message) => mapParts(message, shorter)));
    expect(changed).toBe(amp({ type: 'message', summary: 'Less.' }));
  });

  it('sends what the user stopped as an error', () => {
    const results = openText(amp({ type: 'thread', thread: 'T-2' })).transcripts[0]!.messages.at(-1)!.parts;
    expect(results).toMatchObject([{ isError: true }, { isError: true }, { isError: false }]);
  });
});
