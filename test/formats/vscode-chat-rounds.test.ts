/** Edits of what the model wrote in a chat of VS Code, by hand: rounds with results, and replies that are shown. */
import { describe, expect, it } from 'vitest';
import type { Message, Part } from '../../src/transcript/types.js';
import { openText } from '../shared/opened.js';
import { mapText } from '../shared/rewrite-text.js';
import { outline } from '../shared/unread-files.js';

const chat = (request: object) =>
  JSON.stringify({ version: 3, responderUsername: 'GitHub Copilot', sessionId: 's', requests: [request] });
const told = (request: object) => outline(openText(chat(request)).transcripts[0]!);
type Change = (messages: readonly Message[]) => readonly Message[];
const edited = (request: object, change: Change) =>
  JSON.parse(mapText(chat(request), (transcript) => ({ ...transcript, messages: [...change(transcript.messages)] })))
    .requests[0];
const text = (value: string): Part => ({ type: 'text', text: value });
const call = (callId: string, input = '{}'): Part => ({ type: 'call', callId, tool: 'f', input });
const result = (callId: string, value: string): Part => ({ type: 'result', callId, content: [text(value) as never] });
const fresh = (role: Message['role'], ...parts: readonly Part[]): Message => ({ role, parts, raw: undefined });
/** The message at a place with changed parts; parts that are undefined are gone. */
const at =
  (place: number, change: (part: Part) => Part | undefined): Change =>
  (messages) =>
    messages.map((message, index) =>
      index === place ? { ...message, parts: message.parts.flatMap((part) => change(part) ?? []) } : message,
    );
const without =
  (...gone: readonly number[]): Change =>
  (messages) =>
    messages.filter((_, index) => !gone.includes(index));

describe('rounds', () => {
  const toolCall = (id: string, more: object = {}) => ({ id, name: 'f', arguments: '{}', ...more });
  const round = (response: string, toolCalls: readonly object[] = [], more: object = {}) => ({
    ...{ id: `r_${response}`, response, toolCalls, toolInputRetry: 0, ...more },
  });
  const held = (value: string) => ({ $mid: 20, content: [{ $mid: 23, value }] });
  const request = (rounds: readonly object[], results?: object, more: object = {}) => ({
    ...{ prompt: 'Hi', response: [], ...more },
    result: { metadata: { toolCallRounds: rounds, ...(results && { toolCallResults: results }) } },
  });
  const metadata = (one: object, change: Change) => edited(one, change).result.metadata;

  it('are read with what each lacks', () => {
    const bare = { toolCalls: [{}] };
    expect(told(request([{ response: 'a' }, { id: 'x' }, { toolCalls: [] }, bare]))).toEqual([
      ...['user: Hi', 'assistant: a', 'assistant: ({})'],
    ]);
    expect(told(request([{ id: 'x' }, { response: '', toolCalls: [] }], {}, { response: 'Shown' }))).toEqual([
      ...['user: Hi', 'assistant: Shown'],
    ]);
  });

  it('answer a call once, in the first round that makes it', () => {
    const twice = request([round('a', [toolCall('c')]), round('b', [toolCall('c'), toolCall('d')])], { c: held('x') });
    expect(told(twice)).toEqual(['user: Hi', 'assistant: a + f({})', 'tool: = x', 'assistant: b + f({}) + f({})']);
  });

  it('may end in a summary, which is written nowhere else', () => {
    const one = request([round('a', [], { summary: 'So far.' }), round('b')]);
    expect(told(one)).toEqual(['user: Hi', 'assistant: a', 'user: So far.', 'assistant: b']);
    expect(metadata(one, without(3)).toolCallRounds).toEqual([round('a', [], { summary: 'So far.' })]);
  });

  it('get another text, other arguments and no call that is gone, beside their own members', () => {
    const one = request([round('a', [toolCall('c', { x: 1 }), toolCall('d')], { modelId: 'm' })], { c: held('x') });
    const change = at(1, (part) => {
      if (part.type === 'text') return text('b');
      return part.type === 'call' && part.callId === 'd' ? undefined : { ...part, input: '{"a":1}' };
    });
    expect(metadata(one, change)).toEqual({
      toolCallRounds: [{ ...round('b', [toolCall('c', { x: 1, arguments: '{"a":1}' })], { modelId: 'm' }), id: 'r_a' }],
      toolCallResults: { c: held('x') },
    });
    const renamed = metadata(
      one,
      at(1, (part) => (part.type === 'call' ? { ...part, callId: 'n' } : part)),
    );
    expect(renamed.toolCallRounds[0].toolCalls[0]).toEqual({ name: 'f', arguments: '{}', id: 'n' });
  });

  it('keep their thoughts, or lose them', () => {
    const one = request([round('a', [], { thinking: { id: 't', text: ['Hm', 'm.'] } })]);
    expect(told(one)[1]).toBe('assistant: thinking Hmm. + a');
    const thinking = (change: (part: Part) => Part | undefined) => metadata(one, at(1, change)).toolCallRounds[0];
    const said = (part: Part) => (part.type === 'text' ? text('b') : part);
    expect(thinking(said)).toMatchObject({ response: 'b', thinking: { id: 't', text: ['Hm', 'm.'] } });
    expect(thinking((part) => (part.type === 'thinking' ? undefined : part))).toEqual(round('a'));
    const plain = metadata(request([round('a')]), at(1, said)).toolCallRounds[0];
    expect(plain).toEqual({ ...round('b'), id: 'r_a' });
  });

  it('lose their results with the messages of these', () => {
    const one = request([round('a', [toolCall('c'), toolCall('d')])], { c: held('x'), d: held('y'), other: 5 });
    expect(metadata(one, without(2)).toolCallResults).toEqual({ d: held('y'), other: 5 });
    expect(
      metadata(
        one,
        at(2, () => result('c', 'z')),
      ).toolCallResults,
    ).toEqual({
      ...{ c: held('z'), d: held('y'), other: 5 },
    });
    expect(metadata(one, without(1, 2, 3))).toEqual({ toolCallRounds: [], toolCallResults: { other: 5 } });
  });

  it('get results and rounds that are added', () => {
    const one = request([round('a', [toolCall('c')])]);
    const answered = metadata(one, (list) => [...list, fresh('tool', result('c', 'x'))]);
    expect(answered.toolCallResults).toEqual({ c: { content: [{ value: 'x' }] } });
    const more = metadata(one, (list) => [...list, fresh('assistant', text('b'), call('n'))]);
    expect(more).not.toHaveProperty('toolCallResults');
    expect(more.toolCallRounds).toEqual([
      round('a', [toolCall('c')]),
      { ...round('b', [{ name: 'f', arguments: '{}', id: 'n' }]), id: expect.stringMatching(/^\S+$/) },
    ]);
  });

  it('keep data of a result, whose texts become one', () => {
    const picture = { $mid: 24, mimeType: 'image/png', data: 'x' };
    const tree = { $mid: 21, value: { node: { children: [{ text: 'y' }, { text: 'z', lineBreakBefore: true }] } } };
    const results = (c: object, now = 'w') =>
      metadata(
        request([round('a', [toolCall('c')])], { c }),
        at(2, () => result('c', now)),
      ).toolCallResults.c;
    expect(
      told(request([round('a', [toolCall('c')])], { c: { content: [picture, held('x').content[0], tree] } }))[2],
    ).toBe('tool: = xy\nz');
    expect(results({ $mid: 20, content: [picture, { value: 'x' }, tree] })).toEqual({
      ...{ $mid: 20, content: [picture, { value: 'w' }] },
    });
    expect(results({ $mid: 20, content: [tree, picture] })).toEqual({
      ...{ $mid: 20, content: [{ $mid: 21, value: 'w' }, picture] },
    });
    expect(results({ content: [picture] })).toEqual({ content: [{ value: 'w' }, picture] });
    expect(results({ $mid: 20 })).toEqual({ $mid: 20, content: [{ value: 'w' }] });
    expect(results({ content: [{ value: 'x' }, { value: 'y' }] }, 'xy')).toEqual({
      ...{ content: [{ value: 'x' }, { value: 'y' }] },
    });
  });
});

describe('replies that are shown', () => {
  const anyText = { supportThemeIcons: false, supportHtml: false };
  const tool = (toolCallId: string | undefined, input: string, output: string, more: object = {}) => ({
    ...{ kind: 'toolInvocationSerialized', toolCallId, toolId: 'f', source: 's' },
    ...{ resultDetails: { input, output: [{ value: output }] }, ...more },
  });
  const ran = (toolCallId: string, input: string, value: string) => ({
    ...{ kind: 'toolInvocationSerialized', toolCallId, toolId: 'f', isComplete: true, source: 's' },
    resultDetails: { input, output: [{ type: 'embed', isText: true, value }] },
  });
  const request = (...response: readonly object[]) => ({ prompt: 'Hi', response });
  const response = (parts: readonly object[], change: Change) => edited(request(...parts), change).response;
  const opaque = { kind: 'progressTask', x: 1 };

  it('keep their other parts where a text changes, and show all of it in the first', () => {
    const parts = [opaque, { value: 'a', isTrusted: true }, opaque, { value: 'b' }, tool('c', '{}', 'x')];
    expect(told(request(...parts))).toEqual(['user: Hi', 'assistant: ab + f({})', 'tool: = x']);
    const said = (value: string) => at(1, (part) => (part.type === 'text' ? text(value) : part));
    expect(response(parts, said('n'))).toEqual([opaque, { value: 'n', isTrusted: true }, opaque, parts[4]]);
    expect(
      response(
        parts,
        at(1, (part) => (part.type === 'text' ? undefined : part)),
      ),
    ).toEqual([...[opaque, opaque, parts[4]]]);
    expect(
      response(
        parts,
        at(1, (part) => (part.type === 'text' ? part : undefined)),
      ),
    ).toEqual(parts.slice(0, 4));
    expect(response(parts, without(1, 2))).toEqual([opaque, opaque]);
  });

  it.each<[string, object, string]>([
    ['Markdown', { kind: 'markdownContent', content: { value: 'a' } }, 'a'],
    ['risky Markdown', { kind: 'markdownVuln', content: { value: 'a' } }, 'a'],
    ['a name', { kind: 'inlineReference', name: 'n', inlineReference: {} }, 'n'],
    ['a name of the reference', { kind: 'inlineReference', inlineReference: { name: 'n' } }, 'n'],
    ['a path', { kind: 'inlineReference', inlineReference: { path: '/a/b.ts' } }, 'b.ts'],
    ['the path of a place', { kind: 'inlineReference', inlineReference: { uri: { path: '/a/c.ts' } } }, 'c.ts'],
    ['the path of a symbol', { kind: 'inlineReference', inlineReference: { location: { uri: { path: 'd' } } } }, 'd'],
    ['edits', { kind: 'textEditGroup', edits: [[{ text: 'a' }, {}], { text: 'b' }] }, 'a\n\nb'],
  ])('are read from %s, and become Markdown with another text', (_, part, said) => {
    expect(told(request(part))).toEqual(['user: Hi', `assistant: ${said}`]);
    expect(
      response(
        [part],
        at(1, () => text('new')),
      ),
    ).toEqual([{ value: 'new', ...anyText }]);
  });

  it('lose thoughts that are gone', () => {
    const thought = { kind: 'thinking', value: ['Hm', 'm.'] };
    const parts = [thought, { value: 'a' }];
    expect(told(request(...parts))[1]).toBe('assistant: thinking Hmm. + a');
    expect(
      response(
        parts,
        at(1, (part) => (part.type === 'text' ? text('b') : part)),
      ),
    ).toEqual([...[thought, { value: 'b' }]]);
    expect(
      response(
        parts,
        at(1, (part) => (part.type === 'text' ? part : undefined)),
      ),
    ).toEqual([{ value: 'a' }]);
    expect(told(request({ kind: 'thinking', value: '' }, { value: '' }))).toEqual(['user: Hi']);
  });

  it('get a text before their calls where there was none', () => {
    const parts = [opaque, tool('c', '{}', 'x'), tool('d', '{}', 'y')];
    expect(
      response(parts, (list) =>
        at(
          1,
          (part) => part,
        )(
          list.map((message, index) => (index === 1 ? { ...message, parts: [text('So'), ...message.parts] } : message)),
        ),
      ),
    ).toEqual([opaque, { value: 'So', ...anyText }, parts[1], parts[2]]);
  });

  it('get other arguments, results and ids of calls', () => {
    const parts = [tool('c', '{}', 'x'), tool('d', '{"b":1}', 'y')];
    const inputs = (part: Part) => (part.type === 'call' && part.callId === 'c' ? { ...part, input: '{"a":1}' } : part);
    expect(response(parts, at(1, inputs))).toEqual([ran('c', '{"a":1}', 'x'), parts[1]]);
    expect(
      response(
        parts,
        at(3, () => result('d', 'z')),
      ),
    ).toEqual([parts[0], ran('d', '{"b":1}', 'z')]);
    expect(response(parts, without(3))).toEqual([parts[0], ran('d', '{"b":1}', '')]);
    const renamed: Change = (list) =>
      list.map((message) => ({
        ...message,
        parts: message.parts.map((part) => ('callId' in part && part.callId === 'd' ? { ...part, callId: 'n' } : part)),
      }));
    expect(response(parts, renamed)).toEqual([parts[0], { ...parts[1], toolCallId: 'n' }]);
    const dropped = at(1, (part) => (part.type === 'call' && part.callId === 'c' ? undefined : part));
    expect(response(parts, (list) => dropped(list).filter((_, index) => index !== 2))).toEqual([parts[1]]);
  });

  it('are added behind all others', () => {
    const parts = [{ value: 'a' }, opaque];
    const added = (callId: string) => ({
      ...{ kind: 'toolInvocationSerialized', toolCallId: callId, toolId: 'f', isComplete: true },
      resultDetails: { input: '{"q":1}', output: [] },
    });
    const more =
      (...said: readonly Part[]): Change =>
      (list) => [...list, fresh('assistant', ...said)];
    expect(response(parts, more(text('b'), call('n', '{"q":1}')))).toEqual([
      ...[...parts, { value: 'b', ...anyText }, added('n')],
    ]);
    expect(response(parts, more(call('n', '{"q":1}')))).toEqual([...parts, added('n')]);
  });

  it.each<[object, string, string]>([
    [{ toolSpecificData: { rawInput: { a: 1 } }, pastTenseMessage: 'Ran it' }, '{"a":1}', 'Ran it'],
    [{ toolSpecificData: { commandLine: { original: 'ls' } } }, '{"command":"ls"}', ''],
    [{ toolSpecificData: { commandLine: { toolEdited: 'b', original: 'a' } } }, '{"command":"b"}', ''],
    [{ toolSpecificData: { commandLine: { userEdited: 'c', toolEdited: 'b' } } }, '{"command":"c"}', ''],
    [{ toolSpecificData: { command: 'ls', terminalCommandOutput: { text: 'x' } } }, '{"command":"ls"}', 'x'],
    [{ toolSpecificData: { prompt: 'p', description: 'd', result: 'r' } }, '{"description":"d","prompt":"p"}', 'r'],
    [{ toolSpecificData: { prompt: 'p' }, invocationMessage: { value: 'Runs' } }, '{"prompt":"p"}', 'Runs'],
    [{ pastTenseMessage: null, invocationMessage: 'Runs' }, '{}', 'Runs'],
    [{ resultDetails: { output: [{ value: 'a' }, {}, { value: 'b' }] } }, '{}', 'a\n\nb'],
  ])('show calls as far as they are told: %j', (details, input, output) => {
    const part = { kind: 'toolInvocationSerialized', toolId: 'f', ...details };
    expect(told(request(part))).toEqual(['user: Hi', `assistant: f(${input})`, `tool: = ${output}`]);
    expect(
      response(
        [part],
        at(0, () => text('Ho')),
      ),
    ).toEqual([part]);
  });
});
