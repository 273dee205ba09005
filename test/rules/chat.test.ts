/** What the examples of the chat family, and of the rules for all, do not show. */
import { describe, expect, it } from 'vitest';
import { providerOf } from '../../src/rules/providers.js';
import { examine as examineText } from '../shared/examined.js';

/** What one rule finds in a value, and the value with that mended. */
function examine(
  id: string,
  value: unknown,
  { format = 'openai-chat', provider = 'openai-chat', asRequest = false } = {},
) {
  const { findings, mended } = examineText(JSON.stringify(value), provider, {
    asRequest,
    from: format,
    only: (rule) => id === '*' || rule.id === id,
  });
  return { texts: findings.map(({ message, text }) => [message, text]), mended: JSON.parse(mended()) };
}

const user = (content: unknown = 'x') => ({ role: 'user', content });
const call = (id: string, name = 'ls', args = '{}') => ({ id, type: 'function', function: { name, arguments: args } });
const calling = (...tool_calls: unknown[]) => ({ role: 'assistant', content: null, tool_calls });
const result = (tool_call_id: string, content: unknown = 'a') => ({ role: 'tool', tool_call_id, content });

describe('chat/tool-result-orphan', () => {
  it('minds a second result of a call, and takes it away', () => {
    const { texts, mended } = examine('chat/tool-result-orphan', [
      user(),
      calling(call('c1')),
      result('c1'),
      result('c1', 'b'),
    ]);
    expect(texts).toEqual([[3, 'the result of ls (c1) is one too many: its call already has a result']]);
    expect(mended).toEqual([user(), calling(call('c1')), result('c1')]);
  });

  it('leaves a late result to the rule of its call', () => {
    expect(examine('chat/tool-result-orphan', [user(), calling(call('c1')), user(), result('c1')]).texts).toEqual([]);
  });
});

describe('chat/tool-call-id-missing', () => {
  it('gives results their ids by order', () => {
    const { texts, mended } = examine('chat/tool-call-id-missing', [
      user(),
      calling(call('c1'), call('c2')),
      { role: 'tool', content: 'a' },
      { role: 'tool', content: 'b' },
    ]);
    expect(texts.map(([message]) => message)).toEqual([2, 3]);
    expect(mended.slice(2).map((message: { tool_call_id: string }) => message.tool_call_id)).toEqual(['c1', 'c2']);
  });

  it('is silent where a format has no ids', () => {
    const contents = [
      { role: 'user', parts: [{ text: 'x' }] },
      { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: {} } }] },
    ];
    expect(examine('chat/tool-call-id-missing', { contents }, { format: 'gemini-contents' }).texts).toEqual([]);
  });
});

describe('chat/tool-call-id-length', () => {
  const long = 'toolu_'.padEnd(50, 'x');
  const messages = [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: [{ type: 'tool_use', id: long, name: 'ls', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: long, content: 'a' }] },
  ];

  it('minds and mends a recording in another format', () => {
    const { texts, mended } = examine('chat/tool-call-id-length', { messages }, { format: 'anthropic-messages' });
    expect(texts).toEqual([[1, 'the id of the call of ls has 50 characters; at most 40 are allowed']]);
    const [{ id }, { tool_use_id }] = [mended.messages[1].content[0], mended.messages[2].content[0]];
    expect(id).toMatch(/^call_\w{12}$/);
    expect(tool_use_id).toBe(id);
  });

  it('does not hold for those that are only like OpenAI', () => {
    expect(
      examine('chat/tool-call-id-length', { messages }, { format: 'anthropic-messages', provider: 'deepseek' }).texts,
    ).toEqual([]);
  });
});

describe('chat/function-name-pattern', () => {
  it('keeps two tools two, and names the tool of a result too', () => {
    const messages = [
      user(),
      calling(call('c1', 'a/b'), call('c2', 'a_b')),
      { ...result('c1'), name: 'a/b' },
      result('c2'),
    ];
    expect(examine('chat/function-name-pattern', messages).mended).toEqual([
      user(),
      calling(call('c1', 'a_b_2'), call('c2', 'a_b')),
      { ...result('c1'), name: 'a_b_2' },
      result('c2'),
    ]);
  });

  it('gives no tool the name of another that is defined, but corrects one to it', () => {
    const tools = ['get/me', 'get_me', 'see_me'].map((name) => ({ type: 'function', function: { name } }));
    const messages = [user(), calling(call('c1', 'get/me'), call('c2', 'see/me')), result('c1'), result('c2')];
    const mended = examine('chat/function-name-pattern', { messages, tools }).mended as { messages: object[] };
    expect(mended.messages[1]).toEqual(calling(call('c1', 'get_me_2'), call('c2', 'see_me')));
  });

  it('cuts a name that is too long, also of a custom tool and of a legacy call', () => {
    const long = 'x'.repeat(65);
    const custom = (name: string) => ({ id: 'c1', type: 'custom', custom: { name, input: 'z' } });
    const legacy = (name: string) => [
      { role: 'assistant', content: null, function_call: { name, arguments: '{}' } },
      { role: 'function', name, content: 'a' },
    ];
    const messages = [user(), calling(custom(long)), result('c1'), user(), ...legacy('a.b'), user()];
    const { texts, mended } = examine('chat/function-name-pattern', messages);
    expect(texts).toEqual([
      [1, `the tool name ${'x'.repeat(64)}… has 65 characters; at most 64 are allowed`],
      [4, 'the tool name "a.b" contains "."'],
    ]);
    expect(mended).toEqual([user(), calling(custom('x'.repeat(60))), result('c1'), user(), ...legacy('a_b'), user()]);
  });

  it('minds definitions', () => {
    const request = { messages: [user()], tools: [{ type: 'function', function: { name: 'get me' } }] };
    expect(examine('chat/function-name-pattern', request).texts).toEqual([
      [undefined, 'the tool name "get me" contains " ", in a tool definition'],
    ]);
  });
});

describe('chat/content-null', () => {
  const empty = { role: 'assistant', content: null };

  it('takes away what carries nothing, and keeps what does', () => {
    const refused = { ...empty, refusal: 'no' };
    const { texts, mended } = examine('chat/content-null', [
      user(),
      empty,
      refused,
      { ...empty, reasoning_content: 'hm' },
      user(),
    ]);
    expect(texts).toEqual([
      [1, 'the content of an assistant message without calls is null'],
      [3, 'the content of an assistant message without calls is null'],
    ]);
    expect(mended).toEqual([user(), refused, { ...empty, content: '', reasoning_content: 'hm' }, user()]);
  });

  it('minds a reply only where it is sent', () => {
    const recorded = { request: { messages: [user()] }, response: { choices: [{ message: empty }] } };
    expect(examine('chat/content-null', recorded).texts).toEqual([]);
    expect(examine('chat/content-null', recorded, { asRequest: true }).texts).toHaveLength(1);
  });
});

describe('chat/image-in-non-user', () => {
  it('moves images behind all results', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
    const { mended } = examine('chat/image-in-non-user', [
      user(),
      calling(call('c1'), call('c2')),
      result('c1', [{ type: 'text', text: 'see' }, image]),
      result('c2'),
      { role: 'assistant', content: 'ok' },
    ]);
    const moved = { type: 'text', text: '[image moved below]' };
    expect(mended.slice(2)).toEqual([
      result('c1', [{ type: 'text', text: 'see' }, moved]),
      result('c2'),
      user([image]),
      { role: 'assistant', content: 'ok' },
    ]);
  });
});

describe('chat/arguments-invalid-json', () => {
  it.each([
    ['', 'empty', 'a'],
    ['[1]', 'a list', 'a (original arguments: [1])'],
    ['"x"', 'a string', 'a (original arguments: "x")'],
    ['{', 'not valid JSON', 'a (original arguments: {)'],
  ])('mends %j', (input, fault, said) => {
    const { texts, mended } = examine(
      'chat/arguments-invalid-json',
      [user(), calling(call('c1', 'ls', input)), result('c1')],
      { provider: 'openai-compatible' },
    );
    expect(texts).toEqual([[1, `the arguments of the call of ls are ${fault}`]]);
    expect(mended.slice(1)).toEqual([calling(call('c1')), result('c1', said)]);
  });

  it('takes a text for tools that are called with one', () => {
    const custom = { id: 'c1', type: 'custom', custom: { name: 'patch', input: '*** Begin' } };
    expect(
      examine('chat/arguments-invalid-json', [user(), calling(custom), result('c1')], { provider: 'openai-compatible' })
        .texts,
    ).toEqual([]);
  });
});

describe('chat/reasoning-field-unsupported', () => {
  it('minds what becomes such a field', () => {
    const messages = [
      user(),
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 's' },
          { type: 'text', text: 'y' },
        ],
      },
    ];
    const { texts, mended } = examine(
      'chat/reasoning-field-unsupported',
      { messages },
      { format: 'anthropic-messages', provider: 'groq' },
    );
    expect(texts).toEqual([[1, 'the message has reasoning, which is sent as `reasoning_content`']]);
    expect(mended.messages[1].content).toEqual([{ type: 'text', text: 'y' }]);
  });

  it('takes Groq’s own field', () => {
    expect(
      examine('chat/reasoning-field-unsupported', [user(), { role: 'assistant', content: 'y', reasoning: 'hm' }], {
        provider: 'groq',
      }).texts,
    ).toEqual([]);
  });
});

describe('dashscope/repetitive-tool-calls', () => {
  const rounds = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => [
      calling(call(`c${from + at}`, 'ls', at % 2 ? '{"a":1,"b":2}' : '{"b": 2, "a": 1}')),
      result(`c${from + at}`),
    ]).flat();

  it('knows the same arguments in another order', () => {
    const { texts, mended } = examine('dashscope/repetitive-tool-calls', [user(), ...rounds(0, 7)], {
      provider: 'dashscope',
    });
    expect(texts).toEqual([[13, 'ls is called 7 times in a row with the same arguments']]);
    expect(mended.map((message: { tool_call_id?: string }) => message.tool_call_id).filter(Boolean)).toEqual([
      'c0',
      'c6',
    ]);
  });

  it('begins anew where the user asks again', () => {
    expect(
      examine('dashscope/repetitive-tool-calls', [user(), ...rounds(0, 4), user(), ...rounds(4, 8)], {
        provider: 'dashscope',
      }).texts,
    ).toEqual([]);
  });
});

describe('deepseek/reasoning-content-missing', () => {
  const asked = { provider: 'deepseek', asRequest: true };
  const messages = [user(), { ...calling(call('c1')), reasoning: 'hm' }, result('c1')];

  it('writes the reasoning that stands under another name', () => {
    expect(examine('deepseek/reasoning-content-missing', messages, asked).mended[1].reasoning_content).toBe('hm');
  });

  it('is silent where the model does not think', () => {
    expect(examine('deepseek/reasoning-content-missing', { model: 'deepseek-chat', messages }, asked).texts).toEqual(
      [],
    );
    expect(
      examine(
        'deepseek/reasoning-content-missing',
        { model: 'deepseek-v4', thinking: { type: 'disabled' }, messages },
        asked,
      ).texts,
    ).toEqual([]);
    expect(
      examine(
        'deepseek/reasoning-content-missing',
        { model: 'deepseek-chat', thinking: { type: 'enabled' }, messages },
        asked,
      ).texts,
    ).toHaveLength(1);
  });
});

describe('minimax/tool-result-id-not-found', () => {
  it('takes results away where there are not as many as open calls', () => {
    const messages = [user(), calling(call('c1'), call('c2')), result('c1'), result('x'), result('y')];
    expect(examine('minimax/tool-result-id-not-found', messages, { provider: 'minimax' }).mended).toEqual([
      user(),
      calling(call('c1'), call('c2')),
      result('c1'),
    ]);
  });
});

describe('core/roles-alternate', () => {
  const asked = { provider: 'openai-compatible' };

  it('joins blocks', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
    expect(examine('core/roles-alternate', [user([image]), user('b'), user('c')], asked).mended).toEqual([
      user([image, { type: 'text', text: 'b' }, { type: 'text', text: 'c' }]),
    ]);
  });

  it('keeps apart what different people said', () => {
    const messages = [
      { ...user(), name: 'ann' },
      { ...user(), name: 'bob' },
    ];
    expect(examine('core/roles-alternate', messages, asked)).toEqual({
      texts: [[1, 'two user messages in a row']],
      mended: messages,
    });
  });

  it('knows models that do not mind', () => {
    expect(
      examine('core/roles-alternate', { model: 'Qwen/Qwen3-8B', messages: [user(), user()] }, asked).texts,
    ).toEqual([]);
    expect(
      examine('core/roles-alternate', { model: 'google/gemma-3-27b-it', messages: [user(), user()] }, asked).texts,
    ).toHaveLength(1);
  });

  it('knows that results are the user’s on Bedrock', () => {
    const said = (text: string) => ({ role: 'user', content: [{ text }] });
    const called = { role: 'assistant', content: [{ toolUse: { toolUseId: 't1', name: 'ls', input: {} } }] };
    const answered = { role: 'user', content: [{ toolResult: { toolUseId: 't1', content: [{ text: 'a' }] } }] };
    const { mended } = examine(
      'core/roles-alternate',
      { messages: [said('x'), called, answered, said('y')] },
      { provider: 'bedrock', format: 'bedrock-converse' },
    );
    expect(mended.messages.slice(2)).toEqual([{ role: 'user', content: [...answered.content, ...said('y').content] }]);
  });
});

describe('core/unpaired-surrogate', () => {
  it('looks into inputs and results, and leaves pairs alone', () => {
    const messages = (half: string) => [
      { role: 'user', content: 'x \ud83d\ude00' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 't1', name: 'ls', input: { path: `\\ud83d ${half}`, pair: '\ud83d\ude00' } }],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: `${half} \ud83d\ude00` }] },
        ],
      },
    ];
    const { texts, mended } = examine(
      'core/unpaired-surrogate',
      { messages: messages('\ude00') },
      { format: 'anthropic-messages', provider: 'anthropic' },
    );
    expect(texts).toEqual([
      [1, 'the input of the call has an unpaired surrogate'],
      [2, 'the result has an unpaired surrogate'],
    ]);
    expect(mended.messages).toEqual(messages(''));
  });
});

it('mends several faults of one message, and none undoes another', () => {
  const long = 'x'.repeat(41);
  const { mended } = examine('*', [
    user(),
    calling(call(long, 'a b')),
    { role: 'tool', tool_call_id: long, content: null },
    { role: 'assistant', content: 'y', tool_calls: [] },
    { ...result(long), content: 'stray' },
  ]);
  const id = mended[1].tool_calls[0].id;
  expect(id).toMatch(/^call_/);
  expect(mended).toEqual([user(), calling(call(id, 'a_b')), result(id, ''), { role: 'assistant', content: 'y' }]);
});

it('knows who a chat was with by its model', () => {
  const idOf = (model?: string) => providerOf('openai-chat', model)?.id;
  expect([
    idOf(),
    idOf('gpt-4o'),
    idOf('openai/o3-mini'),
    idOf('google/gemini-2.5-flash'),
    idOf('deepseek/deepseek-chat'),
  ]).toEqual(['openai-chat', 'openai-chat', 'openai-chat', 'openai-compatible', 'deepseek']);
});

describe('chat/late-system', () => {
  const system = { role: 'system', content: 's' };
  it('at MiniMax minds each system message behind what the user said, and none that stands in front', () => {
    const texts = (...messages: unknown[]) => examine('chat/late-system', messages, { provider: 'minimax' }).texts;
    expect(texts(system, system, user())).toEqual([]);
    expect(texts(system, user(), system, system).map(([message]) => message)).toEqual([2, 3]);
    expect(texts(system, user(), { role: 'assistant', content: 'x' }, system)).toEqual([
      [3, 'a system message after the assistant'],
    ]);
    expect(texts(user(), calling(call('c1')), result('c1'), system)).toEqual([[3, 'a system message after a result']]);
  });
});
