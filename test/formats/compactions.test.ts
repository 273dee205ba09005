/**
 * What Claude Code, pi and opencode still send after a compaction: what they go on with, which sessions.test.ts of
 * test/conversion holds against handovers, and what a request of theirs then counts.
 */
import { describe, expect, it } from 'vitest';
import { withoutCompacted } from '../../src/transcript/sent.js';
import { textOf } from '../../src/transcript/text.js';
import type { Message } from '../../src/transcript/types.js';
import { openText } from '../shared/opened.js';
import { rewriteText } from '../shared/rewrite-text.js';

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
