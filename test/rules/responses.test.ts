/** Rules of OpenAI Responses, beyond their examples. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { receiverOf } from '../../src/rules/own-provider.js';
import { open } from '../../src/source/recording.js';
import { type Examined, examine } from '../shared/examined.js';
import { rewriteText } from '../shared/rewrite-text.js';

const call = (call_id: string, id?: string) => ({
  type: 'function_call',
  ...(id === undefined ? {} : { id }),
  call_id,
  name: 'ls',
  arguments: '{}',
});
const output = (call_id: string, text = 'a') => ({ type: 'function_call_output', call_id, output: text });
const thought = (id: string) => ({ type: 'reasoning', id, summary: [] });
const user = (content: string) => ({ role: 'user', content });

function look(
  input: readonly unknown[],
  { beside = {}, asRequest = false }: { beside?: object; asRequest?: boolean } = {},
): Examined {
  return examine(JSON.stringify({ input, ...beside }), 'openai-responses', { asRequest });
}
const idsOf = ({ ids }: Examined) => [...ids];
const mended = (examined: Examined): unknown[] => (JSON.parse(examined.mended()) as { input: unknown[] }).input;

it('offers no fix for the screenshot of a computer where a model takes only text', () => {
  const screenshot = { type: 'computer_screenshot', image_url: 'data:image/png;base64,iVBORw0KGgo=' };
  const shown = { role: 'user', content: [{ type: 'input_image', image_url: screenshot.image_url }] };
  const examined = examine(
    JSON.stringify({
      model: 'deepseek-chat',
      input: [
        shown,
        { type: 'computer_call', call_id: 'c1', id: 'cu1', action: { type: 'screenshot' }, status: 'completed' },
        { type: 'computer_call_output', call_id: 'c1', output: screenshot },
      ],
    }),
    'deepseek',
    { from: 'openai-responses' },
  );
  const images = examined.findings.filter(({ rule }) => rule.id === 'deepseek/image-unsupported');
  expect(images.map(({ message, isFixable }) => [message, isFixable])).toEqual([
    [0, true],
    [2, false],
  ]);
  expect(mended(examined)[2]).toHaveProperty('output', screenshot);
});

describe('pairing', () => {
  it('takes an output anywhere behind its call, and moves one that stands before it', () => {
    expect(idsOf(look([user('x'), call('c1'), user('y'), output('c1')]))).toEqual([]);
    const early = look([user('x'), output('c1'), call('c1'), user('y')]);
    expect(idsOf(early)).toEqual(['responses/output-missing']);
    expect(mended(early)).toEqual([user('x'), call('c1'), output('c1'), user('y')]);
  });

  it('does not miss calls that the server keeps', () => {
    expect(idsOf(look([output('c1')]))).toEqual(['responses/call-missing']);
    expect(idsOf(look([output('c1')], { beside: { previous_response_id: 'resp_1' } }))).toEqual([]);
    expect(idsOf(look([output('c1')], { beside: { previous_response_id: null } }))).toEqual(['responses/call-missing']);
  });

  it('drops an output without an id that no call waits for', () => {
    const { call_id: _, ...idless } = output('');
    expect(mended(look([user('x'), idless, user('y')]))).toEqual([user('x'), user('y')]);
  });

  it('gives different long ids different short ones, and leaves the others', () => {
    const [a, b] = ['a'.repeat(65), 'b'.repeat(65)] as const;
    const items = mended(
      look([
        user('x'),
        call(a),
        call(b),
        call('c'.repeat(64)),
        output(b, 'of b'),
        output(a, 'of a'),
        output('c'.repeat(64)),
      ]),
    ) as { call_id: string }[];
    const [, first, second, third, ofSecond, ofFirst] = items.map(({ call_id }) => call_id);
    expect([ofFirst, ofSecond]).toEqual([first, second]);
    expect(first).not.toBe(second);
    expect(first!.length).toBeLessThanOrEqual(64);
    expect(third).toBe('c'.repeat(64));
  });

  it('looks at recordings of other formats', () => {
    const chat = {
      messages: [
        user('x'),
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'i'.repeat(70), type: 'function', function: { name: 'ls', arguments: '{}' } }],
        },
        user('y'),
      ],
    };
    expect(idsOf(examine(JSON.stringify(chat), 'openai-responses', { from: 'openai-chat' })).sort()).toEqual([
      'responses/call-id-length',
      'responses/output-missing',
    ]);
  });
});

describe('items', () => {
  it('keeps reasoning that leads somewhere, through more reasoning too', () => {
    expect(idsOf(look([user('x'), thought('rs_1'), thought('rs_2'), call('c1', 'fc_1'), output('c1')]))).toEqual([]);
    expect(idsOf(look([user('x'), thought('rs_1')]))).toEqual([]);
    expect(
      idsOf(look([user('x'), { ...thought('rs_1'), encrypted_content: 'gAAAABcd' }], { asRequest: true })),
    ).toEqual(['responses/reasoning-without-follower']);
  });

  it('takes away the ids of what dropped reasoning led to, and no others', () => {
    const cut = { ...thought('rs_1'), encrypted_content: 'gAAAABc…' };
    const items = mended(
      look([user('x'), cut, call('c1', 'fc_1'), output('c1'), thought('rs_2'), call('c2', 'fc_2'), output('c2')]),
    );
    expect(items).toEqual([user('x'), call('c1'), output('c1'), thought('rs_2'), call('c2', 'fc_2'), output('c2')]);
  });

  it('knows by the tokens of a reply that its reasoning is gone', () => {
    const record = (reasoning: number) =>
      JSON.stringify({
        input: [user('x')],
        output: [call('c1', 'fc_1')],
        usage: { input_tokens: 1, output_tokens: 9, output_tokens_details: { reasoning_tokens: reasoning } },
      });
    const find = (reasoning: number) => idsOf(examine(record(reasoning), 'openai-responses'));
    expect(find(0)).toEqual([]);
    expect(find(8)).toEqual(['responses/call-without-reasoning']);
  });

  it('minds ids of another server only when they are sent to OpenAI', () => {
    const items = [user('x'), call('c1', 'call-1'), output('c1')];
    const kinds = ['responses/item-id-prefix']; // the characters go with the id
    expect(idsOf(look(items))).toEqual(kinds);
    expect(idsOf(look(items, { beside: { model: 'openai/gpt-5' } }))).toEqual(kinds);
    expect(idsOf(look(items, { beside: { model: 'Qwen/Qwen3-Coder' } }))).toEqual([]);
    expect(idsOf(look(items, { beside: { model: 'Qwen/Qwen3-Coder' }, asRequest: true }))).toEqual(kinds);
  });

  it('keeps an item that is not the one whose id it has', () => {
    expect(mended(look([user('x'), call('c1', 'fc_1'), output('c1'), call('c2', 'fc_1'), output('c2')]))).toEqual([
      user('x'),
      call('c1', 'fc_1'),
      output('c1'),
      call('c2'),
      output('c2'),
    ]);
    const once = [user('x'), call('c1', 'fc_1'), output('c1')];
    expect(mended(look([user('x'), call('c1', 'fc_1'), call('c1', 'fc_1'), output('c1')]))).toEqual(once);
    expect(mended(look([...once, call('c1', 'fc_1')]))).toEqual(once);
  });

  it('drops references to reasoning; what another reference stands for is not known', () => {
    const reference = (id: string) => ({ type: 'item_reference', id });
    const items = mended(look([user('x'), reference('rs_1'), reference('msg_1'), user('y')], { asRequest: true }));
    expect(items).toEqual([user('x'), reference('msg_1'), user('y')]);
  });
});

it('takes what a program of the model called, and its output, as the schema has them', () => {
  const bytes = readFileSync('fixtures/formats/openai-responses/hand-program.json', 'utf8');
  const found = examine(bytes, 'openai-responses', { asRequest: true });
  expect(found.findings.map(({ rule, text }) => `${rule.id}: ${text}`)).toEqual([]);
  expect(found.mended()).toBe(bytes);
  // the program waits for what it called
  const { input, ...beside } = JSON.parse(bytes) as { input: { type?: string }[] };
  const open = input.slice(
    0,
    input.findIndex(({ type }) => type === 'program_output'),
  );
  expect(idsOf(look(open, { beside, asRequest: true }))).toEqual([]);
});

it('finds the call of the output of a local shell that has an `id` alone', () => {
  const shell = { type: 'local_shell_call', id: 'lsh_1', call_id: 'call_1', status: 'completed', action: {} };
  const history = (id: string) => [
    user('x'),
    { ...shell, action: { type: 'exec', command: ['ls'], env: {} } },
    { type: 'local_shell_call_output', id, output: 'a' },
    user('y'),
  ];
  const patched = (items: readonly object[]): unknown =>
    (JSON.parse(rewriteText(JSON.stringify({ input: items }), 'patch', {})) as { input: unknown }).input;
  for (const id of ['call_1', 'lsh_1']) {
    expect(idsOf(look(history(id)))).toEqual([]);
    expect(idsOf(look(history(id), { asRequest: true }))).toEqual([]);
  }
  expect(patched(history('call_1'))).toEqual(history('call_1'));
  const named = history('lsh_1').map((item, index) => (index === 2 ? { ...item, call_id: 'call_1' } : item));
  expect(patched(history('lsh_1'))).toEqual(named);
  expect(idsOf(look(named, { asRequest: true }))).toEqual([]);
});

it('makes items of chat messages, in their order', () => {
  const chat = [
    user('x'),
    {
      role: 'assistant',
      content: 'I look',
      tool_calls: ['c1', 'c2'].map((id) => ({ id, type: 'function', function: { name: 'ls', arguments: '{}' } })),
    },
    { role: 'tool', tool_call_id: 'c1', content: 'a' },
    { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'b' }] },
  ];
  expect(mended(look(chat))).toEqual([
    user('x'),
    { role: 'assistant', content: 'I look' },
    call('c1'),
    call('c2'),
    output('c1'),
    { ...output('c2'), output: [{ type: 'input_text', text: 'b' }] },
  ]);
});

it('makes items of calls of custom tools and of images, and leaves what it cannot convert', () => {
  const calls = (...tool_calls: object[]) => ({ role: 'assistant', content: null, tool_calls });
  const patch = { id: 'c1', type: 'custom', custom: { name: 'apply_patch', input: '*** Begin Patch' } };
  const tool = (...content: object[]) => ({ role: 'tool', tool_call_id: 'c1', content });
  const [text, url] = [{ type: 'text', text: 'ok' }, 'https://example.com/a.png'];
  const answers = tool(text, { type: 'image_url', image_url: { url, detail: 'low' } });
  const found = look([user('x'), calls(patch), answers, user('y')], { beside: { store: false } });
  expect(mended(found)).toEqual([
    user('x'),
    { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: '*** Begin Patch' },
    {
      type: 'custom_tool_call_output',
      call_id: 'c1',
      output: [
        { type: 'input_text', text: 'ok' },
        { type: 'input_image', detail: 'low', image_url: url },
      ],
    },
    user('y'),
  ]);
  expect(found.left()).toEqual([]);
  const strange = [user('x'), calls({ id: 'c1', type: 'shell', shell: {} }), tool({ type: 'input_audio' }), user('y')];
  const stays = look(strange);
  expect(stays.findings.map(({ rule, isFixable }) => [rule.id, isFixable])).toEqual(
    expect.arrayContaining(Array(2).fill(['responses/role-tool', false])),
  );
  expect(mended(stays)).toEqual(strange);
});

it('takes chat messages in `input` beside members of Responses, or for a named provider, for a faulty request', () => {
  const input = [
    user('x'),
    { role: 'assistant', content: '', tool_calls: [{ id: 'c', type: 'function', function: { name: 'f' } }] },
    { role: 'tool', tool_call_id: 'c', content: 'a' },
  ];
  const formatOf = (beside: object, provider?: string) =>
    open(JSON.stringify({ input, ...beside }), { receiver: receiverOf(provider, false) }).format;
  const [own, chat] = ['openai-responses', 'openai-chat'];
  expect(formatOf({ instructions: 'x', model: 'gpt-5' })).toBe(own);
  expect(formatOf({ tools: [{ type: 'function', name: 'f' }] })).toBe(own);
  expect(formatOf({}, own)).toBe(own);
  expect(formatOf({})).toBe(chat);
  expect(formatOf({}, 'openai-chat')).toBe(chat);
  expect(formatOf({ tools: [{ type: 'function', function: { name: 'f' } }] })).toBe(chat);
  expect(formatOf({ expected: 'a row of a dataset', store: true }, own)).toBe(chat);
});

it('a call without an id among items gets the first one that is free', () => {
  const called = { role: 'assistant', tool_calls: [{ type: 'function', function: { name: 'ls', arguments: '{}' } }] };
  const { input } = JSON.parse(look([user('x'), called]).mended()) as { input: { type: string; call_id: string }[] };
  expect(input.filter(({ type }) => type === 'function_call').map(({ call_id }) => call_id)).toEqual(['call_1']);
});

describe('screenshots', () => {
  const item = (shown: object) => {
    const asked = { type: 'computer_call', id: 'cu_1', call_id: 'c1', pending_safety_checks: [], status: 'completed' };
    return look([
      user('x'),
      { ...asked, action: { type: 'screenshot' } },
      { type: 'computer_call_output', call_id: 'c1', output: shown },
    ]).ids;
  };

  it('are of a type that the API knows', () => {
    const image_url = 'data:image/png;base64,AAAA';
    expect(item({ type: 'computer_screenshot', image_url })).toEqual([]);
    expect(item({ type: 'input_image', image_url })).toEqual([]);
    expect(item({ type: 'text', text: 'done' })).toEqual(['responses/schema']);
    expect(item({ image_url })).toEqual(['responses/schema']);
  });
});
