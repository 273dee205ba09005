/** opencode beyond the laws: usage, copies of results, links, files of one part. */
import { expect, it } from 'vitest';
import opencodeSession from '../../src/formats/opencode/opencode-session.js';
import type { JsonNode } from '../../src/json/node.js';
import { textOf } from '../../src/transcript/text.js';
import { fixture } from '../shared/fixture.js';
import { openText, recordedIn, sourceOf } from '../shared/opened.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

const read = (name: string) => fixture(`opencode/${name}`);
const INTERRUPTED = read('hand-interrupted.json');
const TOOL = read('agent-sessions-part-tool.json');

interface Exported {
  readonly messages: { readonly info: Record<string, unknown>; readonly parts: readonly Record<string, unknown>[] }[];
}

function rewritten(id: string, options: Record<string, unknown>) {
  return (JSON.parse(rewriteText(INTERRUPTED, id, options)) as Exported).messages;
}

it('reads what a request used and cost', () => {
  const none = { cacheWrite1h: 0, reasoning: 0 };
  const [, first, second] = recordedIn(read('nemo-export.json'));
  expect(first).toEqual({
    sessionId: 'ses_123',
    requestId: '1785729899487 1785729901601',
    time: 1785729899487,
    model: 'big-pickle',
    usage: { ...none, input: 55, cacheRead: 7808, cacheWrite5m: 0, output: 10 },
    cost: '0',
  });
  expect(second).toMatchObject({ model: 'dummy_model', usage: { input: 8692, output: 71 } });
  expect(recordedIn(read('agent-sessions-message.json'))).toEqual([
    {
      sessionId: 's_stage0_large',
      requestId: '1730000102000 ',
      time: 1730000102000,
      model: 'gpt-4o-mini',
      usage: { ...none, input: 120, cacheRead: 0, cacheWrite5m: 0, output: 16 },
      cost: undefined,
    },
  ]);
});

it('counts reasoning once, whether or not the output includes it', () => {
  const [, reasoned, , , aborted] = recordedIn(INTERRUPTED);
  expect(reasoned!.usage).toEqual({
    input: 12,
    cacheRead: 4096,
    cacheWrite5m: 512,
    cacheWrite1h: 0,
    output: 220,
    reasoning: 40,
  });
  expect(reasoned!.cost).toBe('0.0061234');
  expect(recordedIn(INTERRUPTED.replace('"total": 4840', '"total": 4800'))[1]!.usage).toMatchObject({
    output: 180,
    reasoning: 40,
  });
  expect(aborted!.usage).toBeUndefined();
});

it('reads the model and the session', () => {
  expect(openText(INTERRUPTED).transcripts[0]).toMatchObject({ id: 'ses_hand1', model: 'claude-sonnet-4-5' });
  expect(openText(TOOL).transcripts[0]).toMatchObject({ id: 's_stage0_large' });
});

it('cuts all copies of a result', () => {
  const [, message] = rewritten('truncate', { maxLength: 60, noMinimum: true, keep: 'tail' });
  const states = message!.parts
    .filter(({ type }) => type === 'tool')
    .map(({ state }) => state as Record<string, never>);
  expect(states[0]!['output']).toBe('...60 … ok ✅\n[result truncated, original length: 1550 chars]');
  expect(states[0]!['metadata']).toEqual({ output: states[0]!['output'], exit: 0, description: 'Build' });
  expect(JSON.stringify(states[1])).not.toContain('line 20');
});

it('ends open calls as opencode ends aborted ones', () => {
  const tools = rewritten('patch', { template: 'cancelled {id}' })[4]!.parts.filter(({ type }) => type === 'tool');
  expect(tools.map(({ state }) => state)).toEqual([
    {
      status: 'error',
      input: { path: '/repo' },
      title: '/repo',
      time: { start: 1760000021500, end: 1760000021500 },
      error: 'cancelled toolu_e',
    },
    {
      status: 'error',
      input: {},
      raw: '{"pattern":',
      error: 'cancelled toolu_f',
      time: { start: 1760000021000, end: 1760000025000 },
    },
  ]);
});

it('links to remaining messages', () => {
  const filtered = rewritten('filter', { maxToolCalls: 0, dropUser: true, everything: true });
  expect(filtered.map(({ info }) => [info['id'], info['parentID']])).toEqual([
    ['msg_02', undefined],
    ['msg_04', undefined],
    ['msg_05', 'msg_04'],
    ['msg_06', undefined],
    ['msg_07', 'msg_06'],
  ]);
  expect(filtered.flatMap(({ parts }) => parts.flatMap((part) => part['tail_start_id'] ?? []))).toEqual(['msg_04']);
});

it('adds whole messages, in the order of ids', () => {
  const messages = rewritten('strip', { keepToolNames: true, retryPrompt: 'again' });
  const ids = messages.map(({ info }) => info['id'] as string);
  expect([...ids].sort()).toEqual(ids);
  expect(messages[1]!.info).toMatchObject({
    role: 'assistant',
    parentID: 'msg_01',
    providerID: 'anthropic',
    cost: 0,
    sessionID: 'ses_hand1',
    time: { created: 1760000000000 },
  });
  expect(messages.at(-1)!.info).toMatchObject({
    role: 'user',
    agent: 'build',
    model: { modelID: 'claude-sonnet-4-5' },
    time: { created: 1760000045000 },
  });
  for (const { info, parts } of messages) for (const part of parts) expect(part['messageID']).toBe(info['id']);
});

it('leaves one part in the file of a part', () => {
  const { id, sessionID, messageID } = JSON.parse(TOOL);
  for (const [name, options, text] of [
    ['filter', { maxToolCalls: 0 }, ''],
    ['strip', { retryPrompt: true }, ''],
    ['strip', { keepToolNames: true }, 'Tools used: bash'],
  ] as const)
    expect(JSON.parse(rewriteText(TOOL, name, options))).toEqual({ id, sessionID, messageID, type: 'text', text });
});

it('pairs the call and result of one part, even if an id is used twice', () => {
  const tool = (state: object) => ({ type: 'tool', callID: 'x', tool: 'bash', state: { input: {}, ...state } });
  const parts = [tool({ status: 'running' }), tool({ status: 'completed', output: 'done' })];
  const [message] = JSON.parse(
    rewriteText(JSON.stringify([{ info: { role: 'assistant' }, parts }]), 'patch', { template: 'cancelled' }),
  );
  expect(message.parts).toEqual([tool({ status: 'error', error: 'cancelled' }), { ...parts[1], callID: 'x_2' }]);
});

it('reads the parts of messages as opencode sends them', () => {
  const { messages } = openText(read('hand-plugin.json')).transcripts[0]!;
  const shown = messages.map(({ parts }) =>
    parts.map((part) => {
      const content = part.type === 'result' ? part.content : [part];
      return content.map((one) => ('text' in one && one.text !== undefined ? textOf(one.text).slice(0, 24) : one.type));
    }),
  );
  expect(shown[0]).toEqual([['Write tests for @a.ts'], ['Called the Read tool: sr'], ['media'], ['opaque']]);
  expect(shown[1]!.slice(2)).toEqual([['call'], ['[Old tool result content'], ['call'], [expect.any(String), 'media']]);
  expect([shown[4], shown[6]!.slice(1)]).toEqual([
    [['What did we do so far?']],
    [['The following tool was e'], ['Go on']],
  ]);
  expect(messages.map(({ cutOff }) => cutOff === true)).toEqual([...[0, 0, 0, 1], ...[0, 0, 0, 0]].map(Boolean));
});

it('keeps what opencode has compacted, unless its result changes', () => {
  const tool = (fields: object) => {
    const state = { status: 'completed', input: {}, title: '', metadata: {}, ...fields };
    return { type: 'tool', callID: 'x', tool: 'bash', state };
  };
  const time = { start: 1, end: 2 };
  const compacted = tool({ output: 'long '.repeat(90), time: { ...time, compacted: 3 } });
  const list = [{ info: { role: 'assistant' }, parts: [compacted] }];
  const cleared = (text?: string) =>
    JSON.parse(rewriteText(JSON.stringify(list), 'clear', { trigger: 0, keep: 0, minSize: 0, ...(text && { text }) }));
  expect(cleared()).toEqual(list);
  expect(cleared('gone')[0].parts).toEqual([tool({ output: 'gone', time })]);
});

it('sends the summary of a compaction, what it kept, and all that came after', () => {
  const said = (id: string, fields: object = {}, part: object = { type: 'text', text: id }) => ({
    info: { id, role: id.startsWith('u') ? 'user' : 'assistant', ...fields },
    parts: [part],
  });
  const compaction = { type: 'compaction', auto: true, tail_start_id: 'u2' };
  const before = [said('u1'), said('a1'), said('u2'), said('a2')];
  const compacted = [said('u3', {}, compaction), said('a3', { summary: true })];
  const after = [said('u4'), said('a4')];
  const messagesOf = (...list: readonly object[]) =>
    opencodeSession.sent(openText(JSON.stringify(list)).transcripts[0]!.messages);
  const sent = (...list: readonly object[]) =>
    messagesOf(...list).map((message) => JSON.parse(sourceOf(message)).info.id);
  const asked = messagesOf(...before, ...compacted)[0]!.parts.map((part) => part.type === 'text' && textOf(part.text));
  expect(asked).toEqual(['What did we do so far?']);
  expect(sent(...before, ...compacted, ...after)).toEqual(['u3', 'a3', 'u2', 'a2', 'u4', 'a4']);
  const nothingKept = said('u3', {}, { type: 'compaction', auto: true });
  expect(sent(...before, nothingKept, compacted[1]!, ...after)).toEqual(['u3', 'a3', 'u4', 'a4']);
  // a compaction that failed, or that is about to be answered, leaves all as it is
  const whole = ['u1', 'a1', 'u2', 'a2', 'u3', 'a3', 'u4', 'a4'];
  for (const reply of [said('a3'), said('a3', { summary: false }), said('a3', { error: { name: 'x' } })])
    expect(sent(...before, compacted[0]!, reply, ...after)).toEqual(whole);
  expect(sent(...before, compacted[0]!)).toEqual(whole.slice(0, 5));
  expect(sent(...before)).toEqual(whole.slice(0, 4));
  // of two, the last one that is a summary counts
  const again = [said('u5', {}, { type: 'compaction', auto: false }), said('a5', { summary: true }), said('u6')];
  expect(sent(...before, ...compacted, ...after, ...again)).toEqual(['u5', 'a5', 'u6']);
  expect(sent(...before, ...compacted, ...after, said('u5', {}, { ...compaction }), said('a5'))).toEqual([
    ...['u3', 'a3', 'u2', 'a2', 'u4', 'a4', 'u5', 'a5'],
  ]);
});

/** packages/opencode/src/session/message-v2.ts, toModelMessages (2026-11): only words of the user are left out. */
it.each([
  ['user', ['b', 'image/png', 'opaque']],
  ['assistant', ['a', 'b', 'text/plain', 'application/x-directory', 'image/png', 'file', 'opaque']],
])('leaves out what opencode does not send of the words of the %s', (role, expected) => {
  const text = (id: string, more: object) => ({ id, type: 'text', text: id, ...more });
  const file = (mime?: string) => ({ id: 'f', type: 'file', mime, url: 'data:,x' });
  const parts = [
    ...[text('a', { ignored: true }), text('b', { ignored: false })],
    ...[file('text/plain'), file('application/x-directory'), file('image/png')],
    ...(role === 'user' ? [] : [file()]),
    ...['step-start', 'step-finish', 'snapshot', 'patch', 'retry', 'subtask'].map((type) => ({ id: type, type })),
  ];
  const info = { id: 'm', sessionID: 's', role, time: { created: 1 } };
  const [read] = openText(JSON.stringify({ info: { id: 's' }, messages: [{ info, parts }] })).transcripts[0]!.messages;
  const told = read!.parts.map((part) => {
    if (part.type === 'text') return textOf(part.text);
    return part.type === 'media' ? ((part.raw as JsonNode).get('mime')?.string ?? 'file') : part.type;
  });
  expect(told).toEqual(expected);
});

it('a compaction whose first message that stayed is gone keeps the one after it', () => {
  const written = mapText(INTERRUPTED, (transcript) => ({
    ...transcript,
    messages: transcript.messages.filter((message) => JSON.parse(sourceOf(message)).info.id !== 'msg_04'),
  }));
  const { messages } = JSON.parse(written) as Exported;
  expect(messages.map(({ info }) => [info['id'], info['parentID']])).toEqual([
    ['msg_01', undefined],
    ['msg_02', 'msg_01'],
    ['msg_03', 'msg_01'],
    ['msg_05', 'msg_01'],
    ['msg_06', undefined],
    ['msg_07', 'msg_06'],
  ]);
  expect(messages.flatMap(({ parts }) => parts.flatMap((part) => part['tail_start_id'] ?? []))).toEqual(['msg_05']);
});
