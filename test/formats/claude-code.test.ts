/** Claude Code logs beyond the laws: recorded metadata, copies of results, and links between lines. */
import { describe, expect, it } from 'vitest';
import { NO_USAGE } from '../../src/transcript/usage.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { rewriteText } from '../shared/rewrite-text.js';

const links = fixture('claude-code/hand-links.jsonl');
const real = fixture('claude-code/short.jsonl');

it('reads session, request, model, time and usage, but not of messages by Claude Code itself', () => {
  const [transcript] = openText(links).transcripts;
  expect(transcript).toMatchObject({ id: 'c-1', model: 'claude-opus-4-5-20251101' });
  const recorded = transcript!.messages.map((message) => transcript!.recorded!(message));
  expect(recorded.find((found) => found?.responseId === 'msg_1')).toEqual({
    responseId: 'msg_1',
    requestId: 'req_msg_1',
    sessionId: 'c-1',
    branch: 'main',
    model: 'claude-opus-4-5-20251101',
    time: Date.UTC(2026, 1, 1, 9, 0, 2),
    usage: { ...NO_USAGE, input: 10, cacheRead: 40, cacheWrite5m: 100, cacheWrite1h: 200, output: 5 },
  });
  const own = recorded.find((found) => found?.responseId === 'm-own')!;
  expect([own.usage, own.model]).toEqual([undefined, undefined]);
});

it('reads a real session, and the cost in lines of early versions', () => {
  const [transcript] = openText(real).transcripts;
  const requests = transcript!.messages
    .flatMap((message) => transcript!.recorded!(message) ?? [])
    .filter(({ usage }) => usage !== undefined);
  expect(
    requests.map(({ responseId, usage }) => [
      responseId,
      usage!.input,
      usage!.cacheRead,
      usage!.cacheWrite5m,
      usage!.cacheWrite1h,
      usage!.output,
    ]),
  ).toEqual([
    ['msg_01Gh1K3VvEL4VYfME3vMebbR', 2, 15958, 4093, 0, 1],
    ['msg_012JVVjYyLyhhp1deWqqBPSt', 0, 20051, 3903, 0, 1],
  ]);
  const old = openText(
    '{"timestamp":"2026-01-09T10:00:00.000Z","sessionId":"s","message":{"usage":{"input_tokens":100,' +
      '"output_tokens":50}},"requestId":"r","costUSD":0.120}\n',
  );
  const [message] = old.transcripts[0]!.messages;
  expect(old.transcripts[0]!.recorded!(message!)).toMatchObject({
    cost: '0.120',
    requestId: 'r',
    usage: { input: 100, output: 50 },
  });
});

it('cuts structured copies of results', () => {
  const lines = linesOf(rewriteText(links, 'truncate', { maxLength: 300, noMinimum: true }));
  const [read, agent] = lines.filter(({ toolUseResult }) => typeof toolUseResult === 'object');
  expect(read.toolUseResult.file).toMatchObject({ filePath: '/src/build.log', numLines: 39 });
  expect(read.toolUseResult.file.content).toMatch(
    /^line 1 of the log[^\u2192]{100,250}\.\.\.\n\[result truncated, original length: \d+ chars\]/,
  );
  expect(agent.toolUseResult).toMatchObject({ status: 'completed', agentId: 'a9', usage: { input_tokens: 10 } });
  expect(agent.toolUseResult.content[0].text.length).toBeLessThan(301);
});

describe('the copy of a result that is cut', () => {
  const line = (uuid: string, parentUuid: string | null, role: string, content: unknown, more = {}) =>
    JSON.stringify({ type: role, uuid, parentUuid, sessionId: 's', message: { role, content }, ...more });
  const withCopy = (toolUseResult: unknown) =>
    [
      line('u1', null, 'user', 'go'),
      line('u2', 'u1', 'assistant', [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }]),
      line('u3', 'u2', 'user', [{ type: 'tool_result', tool_use_id: 't', content: LONG }], { toolUseResult }),
      '',
    ].join('\n');
  const LONG = 'said '.repeat(200);
  const copyIn = (text: string) => linesOf(text)[2].toolUseResult;

  it.each([
    ['holds its text: it is cut as well', `${LONG}and more of it`, /result truncated.*and more of it$/s],
    ['says something else and is longer: it becomes the result', 'else '.repeat(200), /^said .*result truncated/s],
    ['says something else and is shorter: it stays', 'Error: else', /^Error: else$/],
  ])('%s', (_, copy, becomes) => {
    expect(copyIn(rewriteText(withCopy(copy), 'truncate', { maxLength: 300, noMinimum: true }))).toMatch(becomes);
  });

  it('is not text: it stays', () => {
    const copy = { stdout: 'else '.repeat(200) };
    expect(copyIn(rewriteText(withCopy(copy), 'truncate', { maxLength: 300, noMinimum: true }))).toEqual(copy);
  });
});

it('removes pointers to removed lines, and lines about removed calls', () => {
  const lines = linesOf(rewriteText(links, 'filter', { maxToolCalls: 1 }));
  const parents = Object.fromEntries(lines.flatMap(({ uuid, parentUuid }) => (uuid ? [[uuid, parentUuid]] : [])));
  expect(parents).toEqual({
    u1: null,
    u4: 'u1',
    b1: null,
    u6: 'b1',
    u7: 'u6',
    u8: 'u7',
    u9: 'u8',
    u10: 'u9',
    u11: 'u10',
    u12: 'u11',
  });
  expect(lines.find(({ type }) => type === 'summary').leafUuid).toBe('u4');
  expect(lines.find(({ uuid }) => uuid === 'b1').logicalParentUuid).toBe('u4');
});

it('removes the link to a removed call, and the snapshot of a removed prompt', () => {
  const lines = linesOf(rewriteText(links, 'filter', { maxToolCalls: 0, dropUser: true }));
  expect(lines.some(({ type }) => type === 'file-history-snapshot')).toBe(false);
  expect(lines.filter(({ sourceToolUseID }) => sourceToolUseID !== undefined)).toEqual([]);
  const uuids = new Set(lines.map(({ uuid }) => uuid));
  expect(
    lines.flatMap(({ parentUuid, leafUuid, logicalParentUuid }) =>
      [parentUuid, leafUuid, logicalParentUuid].filter((id) => id && !uuids.has(id)),
    ),
  ).toEqual([]);
});

it('completes an added result and moves the end of the chain to it', () => {
  const lines = linesOf(rewriteText(links, 'patch', {}));
  const answer = lines.find(({ message }) => message?.content?.[0]?.tool_use_id === 'toolu_4');
  expect(answer).toMatchObject({
    type: 'user',
    parentUuid: 'u10',
    sessionId: 'c-1',
    sourceToolAssistantUUID: 'u10',
    timestamp: '2026-02-01T09:00:14.000Z',
    toolUseResult: expect.any(String),
  });
  expect(lines.find(({ uuid }) => uuid === 'u11').parentUuid).toBe(answer.uuid);
  expect(lines.find(({ type }) => type === 'last-prompt').leafUuid).toBe(answer.uuid);
});

it('writes added assistant messages like Claude Code', () => {
  const lines = linesOf(rewriteText(links, 'strip', { keepToolNames: true }));
  expect(lines.find(({ message }) => message?.content?.[0]?.text?.startsWith('Tools used'))).toMatchObject({
    type: 'assistant',
    message: { model: '<synthetic>', usage: { input_tokens: 0, output_tokens: 0 } },
  });
});

it('passes a line that is not JSON through if requested', () => {
  const [first, ...rest] = links.split('\n');
  const text = [first, 'this is not valid json at all!!!', ...rest].join('\n');
  expect(() => openText(text)).toThrow(/not JSON/);
  expect(
    openText(text, { skipBadLines: true }).transcripts[0]!.messages.filter(({ role }) => role !== 'meta'),
  ).toHaveLength(13);
});

describe('what the user writes while the agent works', () => {
  const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } };
  const prompted = (prompt: unknown) => ({
    type: 'attachment',
    attachment: { type: 'queued_command', prompt, commandMode: 'prompt', origin: { kind: 'human' } },
  });
  const said = (content: unknown) => ({ type: 'user', message: { role: 'user', content } });
  const replied = (id: string, block: object) => ({
    type: 'assistant',
    message: { id, type: 'message', role: 'assistant', model: 'claude-opus-4-5-20251101', content: [block] },
  });
  const queued = [
    said('Run the tests.'),
    replied('m1', { type: 'tool_use', id: 'toolu_q1', name: 'Bash', input: { command: 'npm test' } }),
    said([{ type: 'tool_result', tool_use_id: 'toolu_q1', content: '3 passed' }]),
    prompted('And the linter, please.'),
    prompted([{ type: 'text', text: 'It complains about this:' }, image]),
    { type: 'attachment', attachment: { type: 'hook_success', toolUseID: 'toolu_q1', content: '' } },
    replied('m2', { type: 'text', text: 'The linter is next.' }),
  ]
    .map((line, index) => ({
      ...{ parentUuid: index === 0 ? null : `q${index}`, isSidechain: false, sessionId: 'c-7', ...line },
      ...{ uuid: `q${index + 1}`, timestamp: `2026-02-01T09:00:0${index}.000Z` },
    }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
  const promptsIn = (text: string) => linesOf(text).flatMap(({ attachment }) => attachment?.prompt ?? []);

  it('is read as messages of the user', () => {
    const [transcript] = openText(queued).transcripts;
    expect(transcript!.messages.map(({ role, parts }) => [role, ...parts.map(({ type }) => type)])).toEqual([
      ['user', 'text'],
      ['assistant', 'call'],
      ['tool', 'result'],
      ['user', 'text'],
      ['user', 'text', 'media'],
      ['meta'],
      ['assistant', 'text'],
    ]);
  });

  it('is edited in its place', () => {
    const edited = rewriteText(queued, 'prune', { images: true });
    expect(promptsIn(edited)).toEqual(['And the linter, please.', { type: 'text', text: 'It complains about this:' }]);
    expect(linesOf(edited).map(({ uuid }) => uuid)).toEqual(['q1', 'q2', 'q3', 'q4', 'q5', 'q6', 'q7']);
  });

  it('stays without the call before it, and the links around it are repaired', () => {
    const lines = linesOf(rewriteText(queued, 'fit', { maxTokens: 30, everything: true }));
    expect(lines.map(({ uuid, parentUuid }) => [uuid, parentUuid])).toEqual([
      ['q4', null],
      ['q5', 'q4'],
      ['q7', 'q5'],
    ]);
  });
});
