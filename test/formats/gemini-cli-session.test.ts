/** Sessions of Gemini CLI beyond the laws. */
import { expect, it } from 'vitest';
import gemini from '../../src/formats/gemini/gemini-cli-session.js';
import { type JsonNode, parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import { textOf } from '../../src/transcript/text.js';
import type { Message, Part } from '../../src/transcript/types.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText, recordedIn } from '../shared/opened.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

const read = (name: string) => fixture(`gemini-cli-session/${name}`);
const log = read('hand-log.jsonl');
const requestsIn = (text: string) => recordedIn(text).filter((recorded) => recorded !== undefined);

it('reads usage: input without cache reads, output with thoughts', () => {
  const [first, second] = requestsIn(read('agent-sessions-v040.jsonl'));
  expect(first).toMatchObject({
    responseId: 'g-assistant-1',
    model: 'gemini-3-flash-preview',
    time: Date.parse('2026-04-29T21:39:35.125Z'),
    usage: { input: 11855, cacheRead: 0, output: 81, reasoning: 0 },
  });
  expect(second?.usage).toMatchObject({ input: 567, cacheRead: 11502, output: 147 });
  expect(requestsIn(read('vibe-coding-tracker.json'))[0]?.usage).toMatchObject({
    input: 7918,
    cacheRead: 0,
    output: 1940,
    reasoning: 1681,
  });
  expect(requestsIn(log).find(({ responseId }) => responseId === 'g4')?.usage).toMatchObject({
    input: 1000,
    cacheRead: 9000,
    output: 35,
    reasoning: 5,
  });
  expect(openText(read('vibe-coding-tracker.json')).transcripts[0]).toMatchObject({
    id: 'd6f69999-62cc-4d41-8de4-9a85fc1531b8',
    model: 'gemini-2.5-pro',
  });
});

it('loads a log like the CLI: the last version of a message, nothing that was rewound, no result twice', () => {
  const spoken = openText(log).transcripts[0]!.messages.filter(({ role }) => role !== 'meta');
  expect(spoken.map(({ raw }) => (raw as { get(key: string): { text: string } }).get('id').text)).toEqual([
    'u1',
    'g1',
    'g2',
    'u2',
    'g3',
    'u3',
    'g4',
    'u4',
    'g5',
  ]);
  const types = (message: Message) => message.parts.map(({ type }) => type);
  expect(types(spoken[1]!)).toEqual(['thinking', 'text', 'call', 'result', 'call', 'result']);
});

it('applies cut results and removed calls to all copies', () => {
  expect(log.match(/module-039/g)).toHaveLength(8);
  const cut = rewriteText(log, 'truncate', { maxLength: 100, noMinimum: true });
  expect(cut).not.toContain('module-039');
  expect(cut).toContain('<tool_output_masked>'); // it is shorter
  expect(linesOf(cut).filter(({ id }) => id === 'g1')).toHaveLength(1); // earlier copies are removed
  const filtered = rewriteText(log, 'filter', { maxToolCalls: 1 });
  for (const id of ['"c1"', '"c2"', '"c3"', 'fileDiff']) expect(filtered).not.toContain(id);
  const listed = linesOf(filtered).findLast((line) => line.$set?.messages)?.$set.messages;
  expect(listed.map(({ id }: { id: string }) => id)).toEqual(['s0', 'u1', 'g1']);
});

it('keeps earlier versions of a message where nothing that it said is removed', () => {
  const at = { timestamp: '2026-09-28T10:00:02.000Z' };
  const said = { id: 'g1', ...at, type: 'gemini', content: 'I read it.', thoughts: [] };
  const toolCalls = [{ id: 'c1', name: 'read_file', args: { path: 'a' }, status: 'executing' }];
  const rows = [
    { sessionId: 's', projectHash: 'p', startTime: at.timestamp, lastUpdated: at.timestamp },
    ...[{ id: 'u1', ...at, type: 'user', content: 'Go.' }, said, { ...said, toolCalls }],
    { id: 'u2', ...at, type: 'user', content: 'And?' },
  ];
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const answered = linesOf<{ toolCalls?: { status: string; result?: unknown[] }[] }>(rewriteText(text, 'patch', {}));
  expect(answered.filter((_, index) => index !== 3)).toEqual(rows.filter((_, index) => index !== 3));
  expect(answered[3]!.toolCalls).toEqual([{ ...toolCalls[0], status: 'cancelled', result: [expect.anything()] }]);
});

it('keeps messages that the log rewinds to', () => {
  const stripped = linesOf(rewriteText(log, 'strip', {}));
  expect(stripped.findIndex(({ id }) => id === 'w1')).toBeLessThan(
    stripped.findIndex((line) => line.$rewindTo === 'w1'),
  );
});

it('answers a call like the CLI answers a cancelled one', () => {
  const answered = linesOf(rewriteText(log, 'patch', {})).findLast(({ id }) => id === 'g4');
  expect(answered.toolCalls[0]).toMatchObject({
    id: 'c5',
    status: 'cancelled',
    result: [
      {
        functionResponse: {
          id: 'c5',
          name: 'run_shell_command',
          response: { error: expect.stringContaining('was cancelled') },
        },
      },
    ],
  });
});

it('completes added messages in a log, a session, and later message lists', () => {
  const record = {
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    timestamp: expect.stringMatching(/^2026-/),
    type: 'gemini',
    content: expect.stringContaining('Tools used: '),
  };
  const stripped = linesOf(rewriteText(log, 'strip', { keepToolNames: true }));
  const added = stripped.find(({ content }) => String(content).startsWith('Tools used'));
  expect(added).toMatchObject(record);
  expect(stripped.findLast((line) => line.$set?.messages)?.$set.messages).toContainEqual(added);
  expect(JSON.parse(rewriteText(read('hand-session.json'), 'strip', { keepToolNames: true })).messages).toContainEqual(
    expect.objectContaining(record),
  );
});

it('keeps a message that the log rewinds to in later lists, without what it held', () => {
  const at = { timestamp: '2026-09-28T10:00:02.000Z' };
  const user = { id: 'u1', ...at, type: 'user', content: 'Hi' };
  const said = { id: 'g1', ...at, type: 'gemini', content: 'Well.' };
  const end = { id: 'g2', ...at, type: 'gemini', content: 'End.' };
  const log = [
    { sessionId: 's', projectHash: 'p', startTime: at.timestamp, lastUpdated: at.timestamp },
    ...[user, said, { $rewindTo: 'g1' }, said, { $set: { messages: [user, said, end] } }, end],
  ];
  const without = (lines: readonly object[], id: string) => {
    const after = mapText(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), (transcript) => ({
      ...transcript,
      messages: transcript.messages.filter(
        ({ role, raw }) => role === 'meta' || (raw as JsonNode).get('id')!.string !== id,
      ),
    }));
    return linesOf(after).find((line) => line.$set).$set.messages;
  };
  expect(without(log, 'g1')).toEqual([user, { ...said, content: [] }, end]);
  expect(without(log, 'g2')).toEqual([user, said]);
});

it('takes each message of a session that is one value, even if two have one id', () => {
  const at = { timestamp: '2026-09-28T10:00:02.000Z' };
  const said = (content: string) => ({ id: 'g1', ...at, type: 'gemini', content });
  const session = (...messages: readonly object[]) => ({
    ...{ sessionId: 's', projectHash: 'p', startTime: at.timestamp, lastUpdated: at.timestamp, messages },
  });
  const user = { id: 'u1', ...at, type: 'user', content: 'Hi' };
  const change = (from: string, to: string) =>
    JSON.parse(
      mapText(JSON.stringify(session(user, said('one'), said('two'))), (transcript) => ({
        ...transcript,
        messages: transcript.messages.map((message) => {
          const parts = message.parts.map((part) =>
            part.type === 'text' && textOf(part.text) === from ? { ...part, text: to } : part,
          );
          return parts.every((part, index) => part === message.parts[index]) ? message : { ...message, parts };
        }),
      })),
    );
  expect(change('one', 'cut')).toEqual(session(user, said('cut'), said('two')));
  expect(change('two', 'cut')).toEqual(session(user, said('one'), said('cut')));
});

it.each<[string, object, string | undefined, object | undefined]>([
  ['that changes', { subject: 'a', description: 'b' }, 'cut', { subject: 'a', description: 'cut' }],
  ['that becomes empty', { subject: 'a', description: 'b' }, '', { subject: 'a', description: '' }],
  ['that stays empty', { subject: 'a', description: '' }, '', { subject: 'a', description: '' }],
  ['of a subject alone', { subject: 'a' }, '', { subject: 'a' }],
  ['of a subject and null', { subject: 'a', description: null }, '', { subject: 'a', description: null }],
  ['of a subject that gets a text', { subject: 'a' }, 'b', { subject: 'a', description: 'b' }],
  ['that goes', { subject: 'a', description: 'b' }, undefined, undefined],
])('writes a thought %s', (_, thought, now, after) => {
  const line = (...thoughts: readonly object[]) => ({
    ...{ id: 'g1', timestamp: '2026-09-28T10:00:02.000Z', type: 'gemini', content: 'a', thoughts },
  });
  const message = gemini.read(parse(JSON.stringify(line(thought))), false);
  const parts = message.parts.flatMap((part): Part[] => {
    if (part.type !== 'thinking') return [part];
    return now === undefined ? [] : [{ ...part, text: now }];
  });
  expect(message.parts.map(({ type }) => type)).toContain('thinking');
  const more: readonly Part[] = [{ type: 'thinking', text: 'new' }, ...message.parts];
  const written = JSON.parse(printed(gemini.write({ ...message, parts: more })));
  expect(written).toEqual(line({ subject: '', description: 'new' }, thought));
  expect(JSON.parse(printed(gemini.write({ ...message, parts })))).toEqual(
    line(...(after === undefined ? [] : [after])),
  );
});

it.each<[string, unknown, string[]]>([
  ['a list', [{ text: 'b' }, { text: 'd' }], ['a', 'b', 'c', 'd', 'e']],
  ['a text', 'b', ['a', 'b']],
  ['a part', { text: 'b' }, ['a', 'b']],
])('puts texts that were added to %s where they were added', (_, content, expected) => {
  const line = JSON.stringify({ id: 'u', timestamp: '2026-01-01T00:00:00Z', type: 'user', content });
  const text = (added: string) => ({ type: 'text', text: added }) as const;
  const read = gemini.read(parse(line));
  const last = read.parts.length > 1 ? [text('e')] : [];
  const parts = [...read.parts.flatMap((part, at) => [text(at === 0 ? 'a' : 'c'), part]), ...last];
  const { content: after } = JSON.parse(printed(gemini.write({ ...read, parts })));
  expect(after.map((part: string | { text: string }) => (typeof part === 'string' ? part : part.text))).toEqual(
    expected,
  );
});

it('a message of one result, or of two, is left out where its calls are answered', () => {
  const time = { timestamp: '2026-01-01T00:00:00Z' };
  const response = { output: 'ok' };
  const answer = (id: string) => ({ functionResponse: { id, name: 'f', response } });
  const call = (id: string) => ({ id, name: 'f', args: {}, status: 'success', result: [answer(id)], ...time });
  const idsOf = (...results: string[]) => {
    const lines = [
      { sessionId: 's', projectHash: 'h', startTime: time.timestamp, lastUpdated: time.timestamp, kind: 'main' },
      { id: 'u', ...time, type: 'user', content: 'x' },
      { id: 'g', ...time, type: 'gemini', content: '', toolCalls: [call('a'), call('b')] },
      { id: 'r', ...time, type: 'user', content: results.map(answer) },
    ];
    const { messages } = openText(lines.map((line) => JSON.stringify(line)).join('\n')).transcripts[0]!;
    return messages.flatMap(({ role, raw }) => (role === 'meta' ? [] : [(raw as JsonNode).get('id')!.text]));
  };
  expect([idsOf('a'), idsOf('a', 'b'), idsOf('c'), idsOf('a', 'c')]).toEqual([
    ...[
      ['u', 'g'],
      ['u', 'g'],
    ],
    ...[
      ['u', 'g', 'r'],
      ['u', 'g', 'r'],
    ],
  ]);
});
