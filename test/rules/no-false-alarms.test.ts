/**
 * What is in a recording and no fault of what was sent, a test for each kind; and the small cases that once passed in
 * silence.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { check } from '../../src/engine/check/findings.js';
import { isTranscriptError } from '../../src/errors.js';

const lines = (...values: object[]) => values.map((value) => JSON.stringify(value)).join('\n');
const told = (text: string, asRequest = false) =>
  check(text, { asRequest }).map(({ severity, rule }) => `${severity} ${rule}`);

describe('in the log of an agent', () => {
  const pi = (message: object) => ({ type: 'message', timestamp: '2026-01-01T00:00:00Z', message });
  const call = { type: 'toolCall', id: 'toolu_1', name: 'ls', arguments: {} };
  const assistant = {
    role: 'assistant',
    api: 'a',
    provider: 'anthropic',
    model: 'claude-sonnet-4',
    stopReason: 'aborted',
  };
  const cutOff = lines(
    pi({ role: 'user', content: [{ type: 'text', text: 'x' }] }),
    pi({ ...assistant, content: [] }),
    pi({ role: 'user', content: [{ type: 'text', text: 'y' }] }),
    pi({ ...assistant, content: [call] }),
    pi({ role: 'user', content: [{ type: 'text', text: 'z' }] }),
    pi({ ...assistant, stopReason: 'stop', content: [{ type: 'text', text: 'done' }] }),
  );

  it('has turns that were cut off', () => {
    expect(told(cutOff)).toEqual(['info anthropic/empty-message', 'info anthropic/tool-use-unanswered']);
    expect(told(cutOff, true)).toContain('error anthropic/empty-message');
    expect(told(cutOff, true)).toContain('error anthropic/tool-use-unanswered');
  });

  const claude = (type: string, uuid: string, message: object) => ({
    type,
    uuid,
    parentUuid: null,
    sessionId: 's',
    timestamp: '2026-01-01T00:00:00Z',
    message,
  });
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'a' };
  const twice = lines(
    claude('user', '1', { role: 'user', content: 'x' }),
    claude('assistant', '2', {
      role: 'assistant',
      content: [
        { type: 'text', text: ' \n' },
        { type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} },
      ],
    }),
    claude('user', '3', { role: 'user', content: [result] }),
    claude('user', '4', { role: 'user', content: [{ ...result, content: 'b' }] }),
    claude('user', '5', { role: 'user', content: ['bare'] }),
  );

  it('has texts of white space, second copies and blocks of its own', () => {
    const rules = ['whitespace-text-block', 'tool-result-duplicate', 'schema'];
    expect(told(twice).sort()).toEqual(rules.map((rule) => `info anthropic/${rule}`).sort());
    for (const rule of rules) expect(told(twice, true)).toContain(`error anthropic/${rule}`);
  });
});

it('reads definitions of tools that Langfuse appends as such', () => {
  const definition = { type: 'function', function: { name: 'search', parameters: { type: 'object' } } };
  const input = [
    { role: 'user', content: 'x' },
    { role: 'tool', content: definition },
  ];
  const observation = { id: 'o', type: 'GENERATION', name: 'g', input, output: { role: 'assistant', content: 'y' } };
  expect(told(JSON.stringify({ trace: { id: 't' }, observations: [observation] }))).toEqual([]);
});

it('reads several results in one message', () => {
  const call = (path: string) => ({ type: 'tool_call', value: JSON.stringify({ name: 'ls', arguments: { path } }) });
  const results = [
    { name: 'ls', content: 'r' },
    { tool_call_id: 'c', name: 'ls', content: { files: ['s'] } },
  ];
  const messages = [
    { role: 'user', content: [{ type: 'text', value: 'x' }] },
    { role: 'assistant', content: [call('a'), call('b')] },
    { role: 'tool', content: [{ type: 'text', value: JSON.stringify(results) }] },
    { role: 'assistant', content: [{ type: 'text', value: 'y' }] },
  ];
  expect(told(JSON.stringify({ messages }))).toEqual([]);
});

/** openai/codex#28814: the prefix of the type, and a UUID behind it. Codex 0.171 writes and sends them. */
it('reads the ids that Codex makes for items as such', () => {
  const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'x' }] };
  const idOf = (id: string) => told(lines({ type: 'response_item', payload: { ...item, id } }), true);
  expect(idOf('msg_01a22c51-6da2-7882-af7f-c0b5e28ea7a1')).toEqual([]);
  expect(idOf('msg-01a22c51')).toEqual(['error responses/item-id-charset']);
});

describe('what passed in silence', () => {
  const claude = (message: object, more: object = {}) =>
    JSON.stringify({ model: 'claude-sonnet-4-20250514', max_tokens: 10, messages: [message], ...more });
  const gemini = (functionResponse: object) =>
    JSON.stringify({
      contents: [
        { role: 'user', parts: [{ text: 'x' }] },
        { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] },
        { role: 'user', parts: [{ functionResponse }] },
      ],
    });
  const chatCall = (id: string, args: unknown) => ({ id, type: 'function', function: { name: 'f', arguments: args } });
  const chat = (calls: object[], ...results: string[]) =>
    JSON.stringify([
      { role: 'user', content: 'x' },
      { role: 'assistant', content: null, tool_calls: calls },
      ...results.map((content) => ({ role: 'tool', tool_call_id: 'a', content })),
    ]);

  it.each([
    ['arguments that are an object', chat([chatCall('a', { x: 1 })], 'r'), 'openai-chat/schema'],
    ['an unknown role', '[{"role":"User","content":["hi"]}]', 'openai-chat/schema'],
    ['one id for two calls', chat([chatCall('a', '{}'), chatCall('a', '{}')], 'r', 's'), 'chat/tool-call-id-duplicate'],
    ['an unknown block', claude({ role: 'user', content: [{ type: 'txt', text: 'a' }] }), 'anthropic/schema'],
    ['an unknown key', claude({ role: 'user', id: 'm1', content: 'a' }), 'anthropic/extra-fields'],
    [
      'an empty text that is marked',
      claude({ role: 'user', content: [{ type: 'text', text: '', cache_control: { type: 'ephemeral' } }] }),
      'anthropic/cache-control-empty-text',
    ],
    ['a response without name', gemini({ response: { result: 'A' } }), 'gemini/function-response-name'],
    ['a response with another name', gemini({ name: 'g', response: { result: 'A' } }), 'gemini/function-response-name'],
    ['a text as response', gemini({ name: 'f', response: 'A' }), 'gemini/schema'],
  ])('%s', (_, text, rule) => {
    expect(told(text)).toContain(`error ${rule}`);
  });

  it('is judged as what it is: a request to Claude without tools', () => {
    expect(
      told(
        claude(
          { role: 'user', content: 'a' },
          {
            messages: [
              { role: 'user', content: 'a' },
              { role: 'assistant', content: 'b ' },
            ],
          },
        ),
        true,
      ),
    ).toContain('error anthropic/trailing-whitespace');
  });

  it('does not drop calls whose numbers differ beyond 2^53', () => {
    const calls = Array.from({ length: 12 }, (_, index) => [
      { role: 'assistant', content: null, tool_calls: [chatCall(`c${index}`, `{"id":90071992547409${90 + index}}`)] },
      { role: 'tool', tool_call_id: `c${index}`, content: `r${index}` },
    ]).flat();
    const text = JSON.stringify({ model: 'qwen-max', messages: [{ role: 'user', content: 'x' }, ...calls] });
    expect(told(text)).toEqual([]);
  });
});

describe('of another server or of replies alone', () => {
  const thinking = (model: string) =>
    JSON.stringify({
      model,
      max_tokens: 10,
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 't' },
            { type: 'text', text: 'y' },
          ],
        },
        { role: 'user', content: 'z' },
      ],
    });

  it('minds unsigned thinking only of Claude', () => {
    expect(told(thinking('MiniMax-M2'))).not.toContain('error anthropic/thinking-signature');
    expect(told(thinking('claude-sonnet-4-5'))).toContain('error anthropic/thinking-signature');
  });

  it.each([
    ['by its address', { base_url: 'https://api.deepseek.com/anthropic' }, true],
    ['by its ids', { response: { id: '91cfbb94-554b-4136-8e21-fa02280d56ed' } }, true],
    ['not by Anthropic’s', { url: 'https://api.anthropic.com/v1/messages', response: { id: 'msg_01X' } }, false],
    ['not by a path', { url: 'https://example.com/z.ai/x' }, false],
  ])('knows another server under a name of Claude: %s', (_, more, isOther) => {
    const record = { ...more, request: JSON.parse(thinking('claude-sonnet-4-5')) as object };
    expect(!told(JSON.stringify(record)).includes('error anthropic/thinking-signature')).toBe(isOther);
  });

  it('knows it by the ids of a log, and by signatures that are ids', () => {
    const id = '91cfbb94-554b-4136-8e21-fa02280d56ed';
    const row = (uuid: string, message: object) =>
      JSON.stringify({ type: 'assistant', uuid, parentUuid: null, sessionId: 's', message });
    const unsigned = { type: 'thinking', thinking: 't', signature: '' };
    const message = { role: 'assistant', model: 'claude-sonnet-4-5', content: [unsigned, { type: 'text', text: 'y' }] };
    const errors = (...rows: string[]) => told(rows.join('\n')).filter((one) => one.includes('thinking-signature'));
    expect(errors(row('1', { ...message, id: 'msg_01X' }))).toHaveLength(1);
    expect(errors(row('1', { ...message, id }))).toEqual([]);
    const signed = { ...message, id: 'msg_1', content: [{ ...unsigned, signature: id }] };
    expect(errors(row('1', signed), row('2', { ...message, id: 'msg_2' }))).toEqual([]);
  });

  const reply = { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] };
  const contents = (...before: object[]) =>
    JSON.stringify({ contents: [...before, reply, { role: 'model', parts: [{ text: 'y' }] }] });

  it('takes a log of replies for no history', () => {
    expect(told(contents())).not.toContain('error gemini/function-response-count');
    expect(told(contents({ role: 'user', parts: [{ text: 'x' }] }))).toContain('error gemini/function-response-count');
  });
});

describe('what is not sent again', () => {
  const pi = (role: string, content: object[], more: object = {}) => ({
    type: 'message',
    timestamp: '2026-01-01T00:00:00Z',
    message: { role, content, ...more },
  });
  const model = { api: 'a', provider: 'anthropic', model: 'claude-sonnet-4', stopReason: 'toolUse' };
  const call = pi('assistant', [{ type: 'toolCall', id: 'toolu_1', name: 'ls', arguments: {} }], model);
  const [asked, asksOn] = ['x', 'y'].map((text) => pi('user', [{ type: 'text', text }]));
  const compaction = { type: 'compaction', timestamp: '2026-01-01T00:00:00Z', summary: 's' };

  it('is a call of pi right before a compaction', () => {
    expect(told(lines(asked!, call, compaction, asksOn!))).toEqual(['info anthropic/tool-use-unanswered']);
    expect(told(lines(asked!, call, asksOn!))).toEqual(['error anthropic/tool-use-unanswered']);
  });

  it('is a part of an open stream', () => {
    const ui = (state: string) =>
      JSON.stringify([
        { id: '1', role: 'user', parts: [{ type: 'text', text: 'x' }] },
        { id: '2', role: 'assistant', parts: [{ type: 'tool-ls', toolCallId: 'c1', state, input: {} }] },
        { id: '3', role: 'user', parts: [{ type: 'text', text: 'y' }] },
      ]);
    expect(told(ui('input-streaming'))).toEqual(['info chat/tool-call-unanswered']);
    expect(told(ui('input-available'))).toEqual(['error chat/tool-call-unanswered']);
  });

  it('is a reply whose results were not recorded', () => {
    const item = (call_id: string) => ({ type: 'function_call', call_id, name: 'f', arguments: '{}' });
    const record = (...more: object[]) =>
      JSON.stringify({
        responses_create_params: { input: [{ role: 'user', content: 'x' }] },
        response: { object: 'response', output: [item('c1'), item('c2'), ...more, item('c3')] },
      });
    expect(told(record()).filter((one) => one.startsWith('error'))).toEqual([]);
    // an agent tells its run as one response: no API returns results, and none got this
    const result = { type: 'function_call_output', call_id: 'c1', output: 'r' };
    expect(told(record(result))).toContain('info responses/output-missing');
    expect(told(record(result), true)).toContain('error responses/output-missing');
  });
});

/**
 * Files that no API got, with the faults for which it would refuse them. Each is test data of a viewer of logs, as its
 * path in its repository and its made-up ids and times say (2026-11).
 */
const BROKEN: readonly (readonly [file: string, reason: string])[] = [
  [
    'claude-code/agent-sessions_small_all-record-types.jsonl',
    'jazzyalex/agent-sessions, Resources/Fixtures/stage0: the ids are `[trimmed for fixture]`, or missing',
  ],
  [
    'codex-rollout/agent-sessions_small_all-record-types.jsonl',
    'the same: the ids are `msg-1`, `rs-1`, `fc-1`, which the API refuses (CopilotKit/CopilotKit#6117, 2026-07)',
  ],
  ['claude-code/edge_cases.jsonl', 'iansherr/claude-code-log, test/test_data: two calls that nothing answers'],
  [
    'claude-code/simonw_sample_session.json',
    'simonw/claude-code-transcripts, tests: calls `toolu_write_001`, a message each five seconds, nothing signed',
  ],
];

const RECORDINGS = '../shared/transcripts';
/** Larger ones take too long here. */
const MOST_BYTES = 500_000;

it.skipIf(!existsSync(RECORDINGS))('has no error in what was accepted', () => {
  const files = readdirSync(RECORDINGS, { recursive: true, encoding: 'utf8' }).filter((file) => {
    const found = statSync(`${RECORDINGS}/${file}`);
    return /\.jsonl?$/.test(file) && found.isFile() && found.size <= MOST_BYTES;
  });
  const judged = files.filter(
    (file) => !BROKEN.some(([name]) => name === file) && !/vibe-replay_edge-cases/.test(file),
  );
  const wrong = judged.flatMap((file) => errorsIn(`${RECORDINGS}/${file}`).map((rule) => `${file}: ${rule}`));
  expect(judged.length).toBeGreaterThan(20);
  expect(wrong).toEqual([]);
  for (const [file] of BROKEN) expect(errorsIn(`${RECORDINGS}/${file}`), file).not.toEqual([]);
});

/** None in a file without transcripts: that all others can be read is another test. */
function errorsIn(path: string): string[] {
  try {
    return told(readFileSync(path, 'utf8')).filter((one) => one.startsWith('error'));
  } catch (error) {
    if (isTranscriptError(error) && error.code === 'format') return [];
    throw error;
  }
}
