/**
 * Rules about blocks, thinking, images and cache breakpoints of Anthropic Messages: what their examples do not show.
 */
import { expect, it } from 'vitest';
import { checked } from '../shared/examined.js';

const mark = { cache_control: { type: 'ephemeral' } };
const text = (said: string, more: object = {}) => ({ type: 'text', text: said, ...more });
const user = (...content: object[]) => ({ role: 'user', content });
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const call = (id: string, name = 'ls') => ({ type: 'tool_use', id, name, input: {} });
const result = (id: string, content: unknown = 'a') => ({ type: 'tool_result', tool_use_id: id, content });
const PNG = `iVBORw0KGgo${'A'.repeat(60)}`;
const thinking = { type: 'thinking', thinking: 't', signature: 's' };

it('counts breakpoints of tools, system prompt and results, and keeps those that stand first and last', () => {
  const request = {
    tools: [{ name: 'ls', ...mark }],
    system: [text('s', mark)],
    messages: [
      user(text('a', mark)),
      assistant(call('t1')),
      user({ ...result('t1', [text('b', mark)]), ...mark }),
      assistant(text('c', mark)),
    ],
  };
  const { findings, mended } = checked(request, 'anthropic', 'anthropic/cache-control-limit');
  expect(findings).toHaveLength(2);
  expect(mended).toEqual({
    ...request,
    messages: [
      user(text('a')),
      request.messages[1],
      user({ ...result('t1', [text('b')]), ...mark }),
      request.messages[3],
    ],
  });
});

/** https://docs.anthropic.com/en/docs/agents-and-tools/mcp-connector#response-content-types */
it('wants encrypted content of web searches only, not of what an MCP server answers', () => {
  const request = {
    max_tokens: 9,
    messages: [
      user(text('x')),
      assistant(
        { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'echo', server_name: 's', input: {} },
        { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', is_error: false, content: [text('answer')] },
      ),
      user(text('y')),
    ],
  };
  const { findings, mended } = checked(request, 'anthropic', 'anthropic/', { asRequest: true });
  expect(findings).toEqual([]);
  expect(mended).toEqual(request);
});

it('counts the breakpoint that the request itself asks for, which stands last', () => {
  const rule = 'anthropic/cache-control-limit';
  const request = (...blocks: object[]) => ({ ...mark, system: [text('s', mark)], messages: [user(...blocks)] });
  const [first, ...others] = ['a', 'b', 'c'].map((said) => text(said, mark));
  expect(checked(request(...others, text('d')), 'anthropic', rule).findings).toEqual([]);
  const { findings, mended } = checked(request(first!, ...others, text('d')), 'anthropic', rule);
  expect(findings).toEqual([`${rule}: one of 5 blocks with cache_control; at most 4 are allowed`]);
  expect(mended).toEqual(request(text('a'), ...others, text('d')));
  const inSystem = {
    ...mark,
    system: ['s', 't', 'u', 'v'].map((said) => text(said, mark)),
    messages: [user(text('a'))],
  };
  expect(checked(inSystem, 'anthropic', rule).mended).toEqual({
    ...inSystem,
    system: [text('s'), ...inSystem.system.slice(1)],
  });
});

it('takes the breakpoint of the request itself for the last one in the order of lifetimes', () => {
  const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } };
  const request = (own: object, one: object) => ({
    ...own,
    max_tokens: 9,
    messages: [user(text('a', one), text('b'))],
  });
  const judged = (own: object, one: object) =>
    checked(request(own, one), 'anthropic', 'anthropic/cache-ttl-order', { asRequest: true });
  expect(judged(mark, hour).findings).toEqual([]);
  expect(judged(hour, hour).findings).toEqual([]);
  const { findings, mended, left } = judged(hour, mark);
  expect([findings.length, left]).toEqual([1, []]);
  expect(mended).toEqual(request(mark, mark));
});

it('makes only a tool round without thinking to text, while its turn is open', () => {
  const request = (...rest: object[]) => ({
    thinking: { type: 'enabled' },
    messages: [user(text('x')), assistant(call('t1')), user(result('t1')), ...rest],
  });
  const rule = 'anthropic/thinking-must-lead';
  const thought = [assistant(thinking, call('t2')), user(result('t2'))];
  expect(checked(request(...thought), 'anthropic', rule).mended).toEqual({
    thinking: { type: 'enabled' },
    messages: [user(text('x\n\n[ls returned: a]')), ...thought],
  });
  expect(checked(request(assistant(text('done'))), 'anthropic', rule).findings).toEqual([]);
});

it('keeps what was said in a tool round that becomes text, behind an image or without a prompt', () => {
  const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
  const round = [assistant(text('I look.'), call('t1')), user(result('t1'))];
  const rule = 'anthropic/thinking-must-lead';
  const judged = (...before: object[]) =>
    checked({ thinking: { type: 'enabled' }, messages: [...before, ...round] }, 'anthropic', rule);
  const spelled = text('[assistant said: I look.]\n\n[ls returned: a]');
  expect(judged(user(text('x'), image))).toMatchObject({
    findings: [`${rule}: thinking is enabled, but the current assistant turn begins with a text`],
    mended: { messages: [user(text('x'), image, spelled)] },
  });
  expect(judged().mended).toMatchObject({ messages: [{ role: 'user', content: spelled.text }] });
});

it('moves a breakpoint past thinking and other empty texts, also in a result and in the system prompt', () => {
  const request = {
    system: [text('s'), text('', mark)],
    messages: [
      user(text('x')),
      assistant(call('t1'), thinking, text('', mark)),
      user(result('t1', [text('b', mark), text('', mark)]), text('', mark)),
    ],
  };
  expect(checked(request, 'anthropic', 'anthropic/cache-control-empty').mended).toEqual({
    system: [text('s', mark)],
    messages: [
      user(text('x')),
      assistant({ ...call('t1'), ...mark }, thinking),
      user({ ...result('t1', [text('b', mark)]), ...mark }),
    ],
  });
});

it('takes only the mark where an empty text is all that is said', () => {
  expect(checked({ messages: [user(text('', mark))] }, 'anthropic', 'anthropic/cache-control-empty').mended).toEqual({
    messages: [user(text(''))],
  });
});

it('lets leading system messages join the prompt, and minds later ones only of models that refuse them', () => {
  const later = { role: 'system', content: 'later' };
  const request = {
    model: 'claude-sonnet-4-5',
    system: 's',
    messages: [{ role: 'system', content: 'more' }, user(text('x')), later],
  };
  expect(checked(request, 'anthropic', 'anthropic/role-system').mended).toEqual({
    ...request,
    system: 's\n\nmore',
    messages: [user(text('x')), { role: 'user', content: 'later' }],
  });
  for (const model of ['claude-opus-4-8', 'claude-opus-5', 'claude-opus-4.8-fast', 'claude-opus-4-10'])
    expect(
      checked({ model, messages: [user(text('x')), later] }, 'anthropic', 'anthropic/role-system').findings,
    ).toEqual([]);
  for (const model of ['claude-opus-4-7', 'claude-opus-4-20250514', 'claude-3-opus', 'anthropic/claude-haiku-4.5'])
    expect(
      checked({ model, messages: [user(text('x')), later] }, 'anthropic', 'anthropic/role-system').findings,
    ).toHaveLength(1);
});

it('tells only the rounds that lack thinking, and leaves closed turns alone', () => {
  const enabled = { thinking: { type: 'enabled' } };
  const round = [assistant(call('t1')), user(result('t1'), text('and?'))];
  const after = [assistant(thinking, call('t2')), user(result('t2'))];
  expect(
    checked({ ...enabled, messages: [user(text('x')), ...round, ...after] }, 'anthropic', 'anthropic/thinking-must')
      .mended,
  ).toEqual({ ...enabled, messages: [user(text('x\n\n[ls returned: a]'), text('and?')), ...after] });
  for (const messages of [
    [user(text('x')), ...round, user(text('y'))],
    [user(text('x')), ...after, ...round],
  ])
    expect(checked({ ...enabled, messages }, 'anthropic', 'anthropic/thinking-must').findings).toEqual([]);
  expect(
    checked(
      { thinking: { type: 'adaptive' }, messages: [user(text('x')), ...round] },
      'anthropic',
      'anthropic/thinking-must',
    ).findings,
  ).toEqual([]);
});

it('does not count thinking that is not signed as thinking that was there', () => {
  const unsigned = { type: 'thinking', thinking: 'u' };
  const history = (...thoughts: object[]) => ({
    messages: [user(text('x')), assistant(...thoughts, text('y')), user(text('z'))],
  });
  expect(checked(history(unsigned, thinking), 'anthropic', 'anthropic/thinking')).toMatchObject({
    mended: history(thinking),
    left: [],
  });
  expect(
    checked(history({ type: 'redacted_thinking', data: 'd' }, thinking), 'anthropic', 'anthropic/thinking').findings,
  ).toEqual([]);
});

it('looks at images of any format, and leaves alone what was taken out of a recording', () => {
  const chat = (url: string) => ({
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
  });
  const rule = 'anthropic/image-media-type';
  expect(checked(chat(`data:image/jpeg;base64,${PNG}`), 'anthropic', rule, { from: 'openai-chat' }).findings).toEqual([
    `${rule}: the image has the media type image/jpeg, but its bytes are image/png`,
  ]);
  expect(
    checked(chat(`data:image/svg+xml;base64,${'A'.repeat(60)}`), 'anthropic', rule, { from: 'openai-chat' }).findings,
  ).toHaveLength(1);
  for (const url of [
    `data:image/png;base64,${PNG}`,
    'data:image/png;base64,[image taken out of this recording, it was large]',
    'https://example.com/a.png',
  ])
    expect(checked(chat(url), 'anthropic', rule, { from: 'openai-chat' }).findings).toEqual([]);
});

it('misses the type of an image only where it stands in the own format', () => {
  const rule = 'anthropic/image-media-type';
  const history = (data: string) => ({
    messages: [user({ type: 'image', source: { type: 'base64', data } })],
  });
  expect(checked(history(PNG), 'anthropic', rule).findings).toEqual([
    `${rule}: the image has no media type, but its bytes are image/png`,
  ]);
  expect(checked(history('A'.repeat(60)), 'anthropic', rule).findings).toEqual([
    `${rule}: the image has no media type, but its bytes are not an accepted image`,
  ]);
  const untyped = { messages: [{ role: 'user', content: [{ type: 'image', image: PNG }] }] };
  expect(checked(untyped, 'anthropic', rule, { from: 'vercel-model' }).findings).toEqual([]);
});

it('puts notes into results too', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(7_000_004) } };
  const history = (shown: object) => ({
    messages: [user(text('x')), assistant(call('t1')), user(result('t1', [text('a'), shown]))],
  });
  expect(checked(history(image), 'anthropic', 'anthropic/image-size').mended).toEqual(
    history(text('[image removed: 5.3 MB png]')),
  );
});

it('counts the base64 of an image for Bedrock', () => {
  const history = {
    messages: [{ role: 'user', content: [{ image: { format: 'png', source: { bytes: 'A'.repeat(5_242_884) } } }] }],
  };
  expect(checked(history, 'bedrock', 'anthropic/image-size').findings).toHaveLength(1);
  expect(checked(history, 'anthropic', 'anthropic/image-size', { from: 'bedrock-converse' }).findings).toEqual([]);
});

it('keeps what another rule put into the same message', () => {
  const enabled = { thinking: { type: 'enabled' } };
  const question = user(text('x', { y: 1 }), text('', mark), text('z'));
  expect(
    checked({ ...enabled, messages: [question, assistant(call('t1')), user(result('t1'))] }, 'anthropic', 'anthropic/'),
  ).toMatchObject({
    mended: { ...enabled, messages: [user(text('x', mark), text('z\n\n[ls returned: a]'))] },
    left: [],
  });
});

it('takes settings amid a conversation, as Claude Code sends them', () => {
  const history = (setting: object) => ({
    model: 'claude-opus-5',
    max_tokens: 9,
    messages: [user(text('x')), { role: 'system', ...setting }, assistant(text('y')), user(text('z'))],
  });
  for (const setting of [
    { content: 'Be brief.', output_config: { effort: 'medium' }, clear_at: 'next_user_message' },
    { output_config: { effort: 'low' } },
  ])
    expect(checked(history(setting), 'anthropic', 'anthropic/')).toMatchObject({ findings: [] });
  const wrong = { content: 'Be brief.', output_config: { effort: 'huge' } };
  expect(checked(history(wrong), 'anthropic', 'anthropic/').findings).not.toEqual([]);
  const unknown = { content: 'Be brief.', output_config: { format: 'json' } };
  expect(checked(history(unknown), 'anthropic', 'anthropic/extra-fields').findings).toHaveLength(1);
});
