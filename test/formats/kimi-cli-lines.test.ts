/** Lines of Kimi CLI logs as they are written, by hand. */
import { describe, expect, it } from 'vitest';
import kimi from '../../src/formats/kimi/kimi-cli.js';
import { parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import type { ContentPart, Message, Part } from '../../src/transcript/types.js';

describe('a line that is written', () => {
  const message = (own: object) => ({ type: 'context.append_message', message: own, time: 1 });
  const event = (own: object) => ({ type: 'context.append_loop_event', event: own, time: 1 });
  const early = (type: string, payload: object) => ({ timestamp: 1, message: { type, payload } });
  const text = (value: string) => ({ type: 'text', text: value });
  const picture = { type: 'image_url', image_url: { url: 'data:,x' } };
  const image: Part = { type: 'media', kind: 'image', raw: parse(JSON.stringify(picture)) };
  const written = (line: object, change: (part: Part) => readonly Part[]) => {
    const read = kimi.read(parse(JSON.stringify(line)), false);
    return JSON.parse(printed(kimi.write({ ...read, parts: read.parts.flatMap(change) })));
  };
  const cut = (part: Part): readonly Part[] => {
    if (part.type === 'text' || part.type === 'thinking') return [{ ...part, text: 'cut' }];
    if (part.type === 'call') return [{ ...part, input: '{"b":2}' }];
    return part.type === 'result' ? [{ ...part, content: part.content.flatMap(cut) as ContentPart[] }] : [part];
  };
  const emptied = (part: Part): readonly Part[] => (part.type === 'result' ? [{ ...part, content: [] }] : []);
  const twice = (part: Part): readonly Part[] => {
    if (part.type !== 'result') return [part, part];
    return [{ ...part, content: [...part.content, ...part.content] }];
  };

  const tool = (content: unknown) => message({ role: 'tool', toolCallId: 'c', content });
  const user = (content: unknown) => message({ role: 'user', content });
  const result = (output: unknown) => event({ type: 'tool.result', toolCallId: 'c', result: { output } });
  const call = (own: object) => event({ type: 'tool.call', toolCallId: 'c', name: 'f', ...own });
  const reply = (...toolCalls: readonly object[]) => message({ role: 'assistant', content: [text('a')], toolCalls });
  const part = (own: object) => event({ type: 'content.part', uuid: 'u', part: own });
  const value = (own: unknown) => early('ToolResult', { tool_call_id: 'c', return_value: own });
  const earlyCall = (args: string) =>
    early('ToolCall', { type: 'function', id: 'c', function: { name: 'f', arguments: args } });

  it.each<[string, object, object]>([
    ['a result that is a list', tool([text('a')]), tool([text('cut')])],
    ['a result that is a text', tool('a'), tool('cut')],
    ['a result with an image', tool([text('a'), picture]), tool([text('cut'), picture])],
    ['words that are a list', user([{ ...text('a'), x: 1 }]), user([{ ...text('cut'), x: 1 }])],
    ['words that are a text', user('a'), user('cut')],
    ['a message without calls', user(null), user(null)],
    [
      'calls with a function, and without one',
      reply({ id: 'c', function: { name: 'f', arguments: '{}' } }, { id: 'd', name: 'g', arguments: '{"a":1}' }),
      message({
        ...{ role: 'assistant', content: [text('cut')] },
        toolCalls: [
          { id: 'c', function: { name: 'f', arguments: '{"b":2}' } },
          { id: 'd', name: 'g', arguments: '{"b":2}' },
        ],
      }),
    ],
    ['a thought', part({ type: 'think', think: 'a' }), part({ type: 'think', think: 'cut' })],
    ['the output of a result', result([text('a')]), result([text('cut')])],
    ['arguments', call({ args: { a: 1 }, description: 'x', display: [] }), call({ args: { b: 2 } })],
    ['the same arguments', call({ args: { b: 2 }, description: 'x' }), call({ args: { b: 2 } })],
    ['the input of an early turn', early('TurnBegin', { user_input: 'a' }), early('TurnBegin', { user_input: 'cut' })],
    [
      'early words in between',
      early('SteerInput', { user_input: [text('a')] }),
      early('SteerInput', { user_input: [text('cut')] }),
    ],
    [
      'an early thought',
      early('ThinkPart', { type: 'think', think: 'a' }),
      early('ThinkPart', { type: 'think', think: 'cut' }),
    ],
    ['the arguments of an early call', earlyCall('{}'), earlyCall('{"b":2}')],
    ['an early result that is a text', value('a'), value('cut')],
    [
      'an early result that is shown',
      value({ is_error: false, output: 'a', display: [text('a')] }),
      value({ is_error: false, output: 'cut', display: [] }),
    ],
    ['an early result that is not shown', value({ output: 'a' }), value({ output: 'cut' })],
    [
      'the message of an early error, which has no output',
      value({ is_error: true, output: '', message: 'a', display: [text('a')] }),
      value({ is_error: true, output: '', message: 'cut', display: [] }),
    ],
    [
      'the message before the output of an early result',
      value({ output: [text('b'), picture], message: 'a' }),
      value({ output: [text('cut'), picture], message: 'cut' }),
    ],
  ])('has %s', (_, before, after) => {
    expect(written(before, cut)).toEqual(after);
    expect(written(before, (one) => [one])).toEqual(before);
  });

  const step = { turnId: 0, step: 1, stepUuid: 's' };
  it.each<[string, object, (one: Part) => readonly Part[], object]>([
    [
      'empty arguments in place of some, and of none',
      reply({ id: 'c', function: { name: 'f', arguments: '{"a":1}' } }, { id: 'd', function: { name: 'f' } }),
      (one) => [one.type === 'call' ? { ...one, input: '{}' } : one],
      reply({ id: 'c', function: { name: 'f', arguments: '{}' } }, { id: 'd', function: { name: 'f' } }),
    ],
    ['no text', tool('a'), emptied, tool('')],
    ['an empty list', tool([text('a')]), emptied, tool([])],
    ['a text of two', result('a'), twice, result('aa')],
    ['no message', value({ output: 'b', message: 'a' }), emptied, value({ output: '', message: '' })],
    ['a message of two', value({ output: '', message: 'a' }), twice, value({ output: '', message: 'aa' })],
    ['two texts', result([text('a')]), twice, result([text('a'), text('a')])],
    ['one part of two', part(text('a')), twice, part(text('aa'))],
    ['an empty part', part({ type: 'think', think: 'a' }), () => [], part(text(''))],
    [
      'an empty part in place of a call',
      event({ type: 'tool.call', uuid: 'u', ...step, toolCallId: 'c', name: 'f', args: {} }),
      () => [],
      event({ type: 'content.part', uuid: 'u', ...step, part: text('') }),
    ],
    ['an empty part in place of an early call', earlyCall('{}'), () => [], early('ContentPart', text(''))],
    ['an empty part in place of an early one', early('TextPart', text('a')), () => [], early('TextPart', text(''))],
    ['an image in place of a text', user('a'), () => [image], user([picture])],
    ['a text beside an image', user('a'), (one) => [one, image], user([text('a'), picture])],
  ])('may have %s', (_, before, change, after) => {
    expect(written(before, change)).toEqual(after);
  });

  it('is made anew, as a result or a message', () => {
    const fresh = (own: Message) => JSON.parse(printed(kimi.write(own)));
    const answer = { type: 'result' as const, callId: 'c', content: [{ type: 'text' as const, text: 'a' }] };
    const type = 'context.append_loop_event';
    const told = { type: 'tool.result', toolCallId: 'c' };
    expect(fresh({ role: 'tool', parts: [answer] })).toEqual({ type, event: { ...told, result: { output: 'a' } } });
    expect(fresh({ role: 'tool', parts: [{ ...answer, content: [], isError: true }] })).toEqual({
      ...{ type, event: { ...told, result: { output: '', isError: true } } },
    });
    const said: readonly Part[] = [
      { type: 'thinking', text: 'Hm.' },
      { type: 'text', text: 'a' },
      { type: 'call', callId: 'c', tool: 'f', input: '{}' },
    ];
    const toolCalls = [{ type: 'function', id: 'c', name: 'f', arguments: '{}' }];
    const content = [{ type: 'think', think: 'Hm.' }, text('a')];
    expect(fresh({ role: 'assistant', parts: said }).message).toEqual({ role: 'assistant', content, toolCalls });
    expect(fresh({ role: 'meta', parts: [image] }).message).toEqual({
      role: 'user',
      content: [picture],
      toolCalls: [],
    });
  });
});
