/**
 * What the examples of Anthropic's rules on calls and contents do not show: other formats, several faults, and no
 * false alarm.
 */
import { describe, expect, it } from 'vitest';
import { examine } from '../shared/examined.js';

interface Checked {
  readonly texts: readonly string[];
  /** The first line of what is written after mending. */
  readonly mended: { messages: { role: string; content: unknown }[] };
}

function check(
  name: string,
  value: unknown,
  { from = 'anthropic-messages', provider = 'anthropic', asRequest = false } = {},
): Checked {
  const lines = Array.isArray(value) ? value : [value];
  const { findings, mended, left } = examine(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), provider, {
    from,
    asRequest,
    only: ({ id }) => id === `anthropic/${name}`,
  });
  expect(left().filter(({ rule }) => rule.fix !== undefined)).toEqual([]);
  return { texts: findings.map(({ text }) => text), mended: JSON.parse(mended().split('\n')[0]!) };
}

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (...content: unknown[]) => ({ role: 'assistant', content });
const text = (said: string) => ({ type: 'text', text: said });
const call = (id: string, fields = {}) => ({ type: 'tool_use', id, name: 'ls', input: {}, ...fields });
const result = (id: string, content: unknown = 'a') => ({ type: 'tool_result', tool_use_id: id, content });
const chat = (messages: unknown[], fields = {}) => ({ ...fields, messages });

describe('tool-use-unanswered', () => {
  it('takes neighbours of one role as one message, as the API does', () => {
    expect(
      check(
        'tool-use-unanswered',
        chat([
          user('x'),
          assistant(call('toolu_1')),
          assistant(call('toolu_2')),
          user([result('toolu_1')]),
          user([result('toolu_2')]),
          assistant(text('y')),
        ]),
      ).texts,
    ).toEqual([]);
    expect(
      check('tool-use-unanswered', chat([user('x'), assistant(call('toolu_1')), assistant(text('y')), user('z')]))
        .texts,
    ).toEqual(['the call of ls (toolu_1) has no result']);
  });

  it('leaves what a subagent said between a call and its result aside', () => {
    const line = (type: string, message: unknown, isSidechain: boolean, uuid: string) => ({
      type,
      uuid,
      sessionId: 's',
      isSidechain,
      message,
    });
    const log = [
      line('assistant', assistant(call('toolu_1')), false, 'a'),
      line('user', user('do it'), true, 'b'),
      line('assistant', assistant(text('done')), true, 'c'),
      line('user', user([result('toolu_1')]), false, 'd'),
      line('assistant', assistant(text('y')), false, 'e'),
    ];
    expect(check('tool-use-unanswered', log, { from: 'claude-code' }).texts).toEqual([]);
    expect(
      check(
        'tool-use-unanswered',
        log.map((row) => ({ ...row, isSidechain: false })),
        { from: 'claude-code' },
      ).texts,
    ).toHaveLength(1);
  });

  it('puts results first', () => {
    const { texts, mended } = check(
      'tool-result-not-first',
      chat([user('x'), assistant(call('toolu_1')), user([text('here'), result('toolu_1')])]),
    );
    expect(texts).toEqual(['the result of toolu_1 comes after other content; results must come first']);
    expect(mended.messages[2]).toEqual(user([result('toolu_1'), text('here')]));
  });

  it('puts results first in a turn of several messages, which the API reads as one', () => {
    const turn = [user([result('toolu_1'), text('here')]), user([result('toolu_2')])];
    const body = chat([user('x'), assistant(call('toolu_1'), call('toolu_2')), ...turn]);
    expect(check('tool-result-not-first', body).texts).toEqual([]); // nobody knows how it is sent
    const { texts, mended } = check('tool-result-not-first', body, { asRequest: true });
    expect(texts).toEqual(['the result of toolu_2 comes after other content; results must come first']);
    expect(mended.messages.slice(2)).toEqual([user([result('toolu_1'), result('toolu_2'), text('here')])]);
  });

  it('minds a call at the end only where it is about to be sent', () => {
    const open = chat([user('x'), assistant(call('toolu_1'))]);
    expect(check('tool-use-unanswered', open).texts).toEqual([]);
    expect(check('tool-use-unanswered', open, { asRequest: true }).texts).toHaveLength(1);
  });
});

describe('results', () => {
  it('go where they answer no call; a message stays only where the history would begin with the model', () => {
    const orphans = chat([
      user([result('toolu_8')]),
      user([result('toolu_9'), text('and')]),
      assistant(text('y')),
      user([result('toolu_7')]),
      user('z'),
    ]);
    expect(check('tool-result-orphan', orphans).mended.messages).toEqual([
      user([text('and')]),
      assistant(text('y')),
      user('z'),
    ]);
    const tool = { role: 'tool', tool_call_id: 'call_1', content: 'a' };
    expect(
      check('tool-result-orphan', chat([tool, tool, { role: 'assistant', content: 'y' }]), { from: 'openai-chat' })
        .mended.messages,
    ).toEqual([user('[earlier tool results removed]'), { role: 'assistant', content: 'y' }]);
  });

  it('stay where they stand in place, when there are two', () => {
    const { texts, mended } = check(
      'tool-result-duplicate',
      chat([
        user('x'),
        assistant(call('toolu_1')),
        user([result('toolu_1', 'a')]),
        assistant(text('y')),
        user([result('toolu_1', 'b'), text('z')]),
      ]),
    );
    expect(texts).toEqual(['the call of ls (toolu_1) has a second result, with different text']);
    expect(mended.messages.slice(2)).toEqual([user([result('toolu_1', 'a')]), assistant(text('y')), user([text('z')])]);
  });
});

describe('ids', () => {
  it('that are used again in a later turn are renamed with their results', () => {
    const turns = chat([
      user('x'),
      assistant(call('bash_0')),
      user([result('bash_0', 'a')]),
      assistant(call('bash_0')),
      user([result('bash_0', 'b')]),
    ]);
    const { texts, mended } = check('tool-use-id-duplicate', turns);
    expect(texts).toEqual(['the id bash_0 is reused by a call of ls']);
    expect(mended.messages.slice(1)).toEqual([
      assistant(call('bash_0')),
      user([result('bash_0', 'a')]),
      assistant(call('bash_0_2')),
      user([result('bash_0_2', 'b')]),
    ]);
  });

  it('of calls that differ, or that are answered twice, are no copies', () => {
    const { mended } = check(
      'tool-use-id-duplicate',
      chat([
        user('x'),
        assistant(call('t'), call('t'), call('t', { input: { a: 1 } })),
        user([result('t', 'a'), result('t', 'b')]),
      ]),
    );
    expect(mended.messages.slice(1)).toEqual([
      assistant(call('t'), call('t_2'), call('t_3', { input: { a: 1 } })),
      user([result('t', 'a'), result('t_2', 'b')]),
    ]);
  });

  it('of another format are renamed on both sides, to none that is taken', () => {
    const calling = (id: string) => ({ id, type: 'function', function: { name: 'ls', arguments: '{}' } });
    const answer = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'a' });
    const kimi = (ids: string[]) =>
      chat([user('x'), { role: 'assistant', content: null, tool_calls: ids.map(calling) }, ...ids.map(answer)]);
    const { texts, mended } = check('tool-use-id-pattern', kimi(['functions.ls:0', 'functions_ls_0', '']), {
      from: 'openai-chat',
    });
    expect(texts).toEqual([
      'the id of the call of ls is `functions.ls:0`: only letters, digits, `_` and `-` are allowed',
      'the id of the call of ls is empty',
    ]);
    expect(mended).toEqual(kimi(['functions_ls_0_2', 'functions_ls_0', 'call_1']));
  });
});

describe('tools of a server', () => {
  const use = (id: string) => ({ type: 'server_tool_use', id, name: 'code_execution', input: {} });
  const done = (id: string) => ({ type: 'code_execution_tool_result', tool_use_id: id, content: [] });

  it('may wait for their result, and call our tools meanwhile', () => {
    expect(check('server-tool-unpaired', chat([user('x'), assistant(text('y'), use('srvtoolu_1'))])).texts).toEqual([]);
    expect(
      check(
        'server-tool-unpaired',
        chat([
          user('x'),
          assistant(use('srvtoolu_1'), call('toolu_1')),
          user([result('toolu_1')]),
          assistant(done('srvtoolu_1'), text('y')),
        ]),
      ).texts,
    ).toEqual([]);
  });

  it('cannot when the user spoke, and nothing answers them afterwards', () => {
    const { texts, mended } = check(
      'server-tool-unpaired',
      chat([user('x'), assistant(text('y'), use('srvtoolu_1')), user('z'), assistant(done('srvtoolu_1'))]),
    );
    expect(texts).toEqual([
      'the server tool code_execution (srvtoolu_1) has no result in its turn',
      'the code_execution_tool_result (srvtoolu_1) answers no server tool use before it',
    ]);
    expect(mended.messages).toEqual([user('x'), assistant(text('y')), user('z')]);
  });

  it('get their prefix wherever they are named; those of MCP servers have another', () => {
    const mcp = [
      { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'ls', server_name: 's', input: {} },
      { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', content: [] },
    ];
    const history = (id: string) =>
      chat([
        user('x'),
        assistant(...mcp, use(id), call('toolu_1', { caller: { type: 'code_execution_20250825', tool_id: id } })),
        user([result('toolu_1')]),
        assistant(done(id)),
      ]);
    const { texts, mended } = check('server-tool-id-pattern', history('toolu_1'));
    expect(texts).toEqual([
      'the id of the server tool code_execution is `toolu_1`; it must be `srvtoolu_` followed by letters, ' +
        'digits or `_`',
    ]);
    expect(mended).toEqual(history('srvtoolu_1'));
  });
});

it('names of tools: definitions and calls have limits of their own', () => {
  const long = 'a'.repeat(129);
  const named = chat([user('x'), assistant(call('toolu_1', { name: long }), call('toolu_2', { name: 'a.b' }))], {
    tools: [{ name: long, input_schema: {} }, { name: 'fine-1' }],
  });
  expect(check('tool-name-pattern', named).texts).toEqual([
    `the tool \`${'a'.repeat(80)}…\` is 129 characters long; at most 128 are allowed`,
    'the tool name `a.b` in a call has characters other than letters, digits, `_` and `-`',
  ]);
});

describe('tool-input-not-object', () => {
  it.each([
    [null, {}],
    ['', {}],
    [[], {}],
    ['{"a":1.0}', { a: 1 }],
    ['[1]', { raw_input: '[1]' }],
    [[1], { raw_input: [1] }],
    ['ls -l', { raw_input: 'ls -l' }],
    ['{"a":', { raw_input: '{"a":' }],
  ])('%j becomes %j', (input, object) => {
    const { texts, mended } = check('tool-input-not-object', chat([user('x'), assistant(call('toolu_1', { input }))]));
    expect(texts).toHaveLength(1);
    expect(mended.messages[1]).toEqual(assistant(call('toolu_1', { input: object })));
  });

  it('knows that other formats spell arguments as text', () => {
    const calling = (args: string) =>
      chat([
        user('x'),
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'ls', arguments: args } }],
        },
      ]);
    for (const args of ['{"a":1}', ''])
      expect(check('tool-input-not-object', calling(args), { from: 'openai-chat' }).texts, args).toEqual([]);
    expect(check('tool-input-not-object', calling('{"a":'), { from: 'openai-chat' }).texts).toEqual([
      'the input of the call of ls (call_1) is not JSON',
    ]);
  });
});

describe('texts', () => {
  it('that are empty go from results too; a result without any stays', () => {
    const { texts, mended } = check(
      'empty-text-block',
      chat([user([text(''), text('x')]), assistant(call('toolu_1')), user([result('toolu_1', [text('')]), text('')])]),
    );
    expect(texts).toHaveLength(3);
    expect(mended.messages).toEqual([user([text('x')]), assistant(call('toolu_1')), user([result('toolu_1', [])])]);
  });

  it('that are blank go with their message, unless it begins the history', () => {
    const blank = chat([
      user([text(' ')]),
      assistant({ type: 'thinking', thinking: 't', signature: 's' }, text('\n\n')),
      user('z'),
      assistant(text(' \n')),
      user(' a '),
    ]);
    expect(check('whitespace-text-block', blank).mended.messages).toEqual([
      user([text('.')]),
      assistant({ type: 'thinking', thinking: 't', signature: 's' }),
      user('z'),
      user(' a '),
    ]);
  });

  it('may be missing from the last reply only', () => {
    expect(check('empty-message', chat([user('x'), assistant()])).texts).toEqual([]);
    expect(check('empty-message', chat([user('x'), assistant(), user('')])).texts).toEqual([
      'the assistant message is empty',
      'the user message is empty',
    ]);
    expect(check('empty-message', chat([user(''), assistant(text('y'))])).mended.messages).toEqual([
      user('.'),
      assistant(text('y')),
    ]);
  });

  it('lose white space at the very end only', () => {
    const history = (end: string) => chat([user('x '), assistant(text('a '), text(end))]);
    expect(check('trailing-whitespace', history('y \n'), { asRequest: true }).mended).toEqual(history('y'));
    expect(
      check('trailing-whitespace', chat([user('x'), assistant(text('y ')), user('z ')]), { asRequest: true }).texts,
    ).toEqual([]);
  });
});

describe('prefill-unsupported', () => {
  const ending = (model: string | undefined, ...content: unknown[]) =>
    chat([user('x'), assistant(...content)], model === undefined ? {} : { model });
  const found = (value: unknown, provider = 'anthropic', from = 'anthropic-messages') =>
    check('prefill-unsupported', value, { asRequest: true, provider, from }).texts.length;

  it.each([
    'claude-2.1',
    'claude-instant-1.2',
    'claude-3-5-sonnet-20241022',
    'claude-sonnet-4-20250514',
    'anthropic.claude-opus-4-1-20250805-v1:0',
    'anthropic/claude-haiku-4.5',
  ])('%s takes a prefill', (model) => {
    expect(found(ending(model, text('y')))).toBe(0);
  });

  it.each(['claude-opus-4-6', 'claude-sonnet-4.6', 'anthropic/claude-opus-4.8-fast', 'claude-sonnet-5'])(
    '%s takes none',
    (model) => {
      expect(found(ending(model, text('y')))).toBe(1);
    },
  );

  it('lets calls and tools of a server wait', () => {
    expect(found(ending('claude-opus-4-6', call('toolu_1')))).toBe(0);
    expect(
      found(ending('claude-opus-4-6', { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} })),
    ).toBe(0);
  });

  it('suspects Copilot only where the model is Claude', () => {
    const copilot = (model: string) => chat([user('x'), { role: 'assistant', content: 'y' }], { model });
    expect(found(copilot('gpt-4o'), 'github-copilot', 'openai-chat')).toBe(0);
    expect(found(copilot('claude-sonnet-4.6'), 'github-copilot', 'openai-chat')).toBe(1);
  });
});

it('results under role tool answer their calls: nothing is made up beside them', () => {
  const log = [
    user('u'),
    assistant({ type: 'tool_use', id: 'a', name: 'f', input: {} }),
    { role: 'tool', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'r' }] },
  ];
  expect(check('tool-use-unanswered', { messages: log }).texts).toEqual([]);
});

it('minds the id of a result whose use is lost, and not that of a result whose use has it too', () => {
  const use = { type: 'server_tool_use', id: 'call_1', name: 'web_search', input: {} };
  const answer = { type: 'web_search_tool_result', tool_use_id: 'call_1', content: [] };
  const judged = (...content: object[]) =>
    check('server-tool-id-pattern', {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content },
      ],
    }).texts;
  const must = 'must be `srvtoolu_` followed by letters, digits or `_`';
  expect(judged(answer)).toEqual([`the web_search_tool_result is for \`call_1\`; that ${must}`]);
  expect(judged(use, answer)).toEqual([`the id of the server tool web_search is \`call_1\`; it ${must}`]);
});
