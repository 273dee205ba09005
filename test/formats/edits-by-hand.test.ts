/** Edits of logs that repeat what they say, by hand: each copy follows, and what only looks alike stays. */
import { describe, expect, it } from 'vitest';
import { formatNamed } from '../../src/formats/index.js';
import { applyCuts } from '../../src/formats/shared/apply-cuts.js';
import { type JsonNode, parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import type { Message, Part } from '../../src/transcript/types.js';
import { linesOf } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { mapText } from '../shared/rewrite-text.js';

const json = (value: unknown) => JSON.stringify(value);
const lines = (...values: readonly unknown[]) => values.map((value) => `${json(value)}\n`).join('');
/** A text with each part of its messages changed; undefined removes it. */
const changed = (text: string, change: (part: Part, message: Message) => Part | undefined) =>
  mapText(text, (transcript) => ({
    ...transcript,
    messages: transcript.messages.flatMap((message) => {
      const parts = message.parts.flatMap((part) => change(part, message) ?? []);
      const isSame =
        parts.length === message.parts.length && parts.every((part, index) => part === message.parts[index]);
      if (isSame) return [message];
      return parts.length === 0 ? [] : [{ ...message, parts }];
    }),
  }));

describe('a text that was cut', () => {
  const word = (index: number) => `word${String(index).padStart(4, '0')} `;
  const before = Array.from({ length: 40 }, (_, index) => word(index)).join('');
  const [head, middle, tail] = [before.slice(0, 72), before.slice(72, 288), before.slice(288)] as const;
  const after = `${head}[cut]${tail}`;
  const applied = (value: unknown, cut = { before, after }) =>
    JSON.parse(printed(applyCuts(parse(json(value)), [cut])));

  it.each<[string, unknown, unknown]>([
    ['alone', before, after],
    ['as it is now', after, after],
    ['within another', `x ${before} y`, `x ${after} y`],
    ['twice', `${before}\n${before}`, `${after}\n${after}`],
    ['deep in a value', { a: [{ b: before, c: 5 }] }, { a: [{ b: after, c: 5 }] }],
    [
      'in another text',
      'nothing of it, but long enough to be compared with it',
      'nothing of it, but long enough to be compared with it',
    ],
    ['in its first 31 signs, which stay', middle.slice(0, 31), middle.slice(0, 31)],
    ['in its first 32 signs', middle.slice(0, 32), '[cut]'],
    ['in a longer piece', middle.slice(0, 90), '[cut]'],
    ['in what is kept', head, head],
    ['with a little around it', `ab${middle}cd`, 'ab[cut]'],
    [
      'with a lot around it',
      `${'a b c d '.repeat(20)}${middle}${'x y z '.repeat(20)}`,
      `${'a b c d '.repeat(20)}[cut]${'x y z '.repeat(20)}`,
    ],
    [
      'in a piece that begins between two chunks of it',
      `${'a b c d '.repeat(20)}${middle.slice(7)}${'x y z '.repeat(20)}`,
      `${'a b c d '.repeat(20)}[cut]${'x y z '.repeat(20)}`,
    ],
    [
      'in a piece that ends between two chunks of it',
      `${'a b c d '.repeat(20)}${middle.slice(0, 103)}${'! y z '.repeat(20)}`,
      `${'a b c d '.repeat(20)}[cut]${'! y z '.repeat(20)}`,
    ],
    [
      'in two pieces, with a lot between them',
      `${middle.slice(7, 100)}${'? b c d '.repeat(20)}${middle.slice(110)}`,
      `[cut]${'? b c d '.repeat(20)}`,
    ],
    ['in two pieces, with a little between them', `${middle.slice(7, 100)}? b${middle.slice(110)}`, '[cut]'],
    [
      'behind what is kept before it',
      `${'a b c d '.repeat(20)}${head.slice(-20)}${middle}${'x y z '.repeat(20)}`,
      `${'a b c d '.repeat(20)}${head.slice(-20)}[cut]${'x y z '.repeat(20)}`,
    ],
    ['before what is kept behind it', `${middle}${tail.slice(0, 70)}`, `[cut]${tail.slice(0, 70)}`],
  ])('%s', (_, value, expected) => {
    expect(applied(value)).toEqual(expected);
  });

  it('is found where it is longest, if it repeats itself', () => {
    const ends = ['first end'.padEnd(32, '-'), 'second end'.padEnd(32, '+')];
    const cut = { before: `${head}${ends.map((end) => `${middle.slice(0, 64)}${end}`).join('')}${tail}`, after };
    const around = (value: string) => `${'a b c d '.repeat(20)}${value}${'x y z '.repeat(20)}`;
    for (const end of ends)
      expect(applied(around(`${middle.slice(0, 64)}${end.slice(0, 8)}`), cut)).toBe(around('[cut]'));
  });

  it('of one line has no lines that a list could repeat', () => {
    const cut = { before: 'one line only', after: 'one' };
    expect(applied(['one line only', 'other'], cut)).toEqual(['one', 'other']);
  });

  it('is shortened to a note of 200 signs, or to three points', () => {
    const note = (length: number) => ({ before, after: `${head}${'n'.repeat(length)}${tail}` });
    expect(applied(middle, note(200))).toBe('n'.repeat(200));
    expect(applied(middle, note(201))).toBe('...');
  });

  it('loses lines that stand in a list, but none that is short, or is not an element', () => {
    const rows = ['first line', 'second line', 'short', 'third line'];
    const cut = { before: rows.join('\n'), after: 'first line\n[2 lines]' };
    expect(applied(['first line', 'second line', 'short', 'third line', 'other line'], cut)).toEqual([
      ...['first line', 'short', 'other line'],
    ]);
    expect(applied({ a: 'second line' }, cut)).toEqual({ a: 'second line' });
  });

  it('is found without the numbers of its lines', () => {
    const rows = Array.from({ length: 12 }, (_, index) => `the content of line ${String.fromCharCode(97 + index)}`);
    for (const sign of ['→', '\t', ' | ']) {
      const numbered = rows.map((row, index) => `  ${index + 1}${sign}${row}`);
      const cut = { before: numbered.join('\n'), after: `${numbered[0]}\n[cut]` };
      expect(applied(rows.join('\n'), cut)).toBe(`${rows[0]}\n[cut]`);
      expect(applied(numbered.join('\n'), cut)).toBe(`${numbered[0]}\n[cut]`);
    }
  });

  it('is the same value where nothing of it is found', () => {
    const node = parse(json({ a: ['x', { b: 5 }] }));
    expect(applyCuts(node, [{ before, after }])).toBe(node);
    expect(applyCuts(node, [])).toBe(node);
  });
});

/** Debug logs of Copilot Chat 0.42 (2026-11): a response repeats the calls whose rows follow. */
describe('a call of Copilot Chat', () => {
  const row = (type: string, name: string, spanId: string, attrs: object) => ({
    ...{ ts: 1, dur: 0, sid: 's', type, name, spanId, parentSpanId: 'root', status: 'ok', attrs },
  });
  const call = (id: string, file: string) => ({ type: 'tool_call', id, name: 'read', arguments: { file } });
  const response = (...parts: readonly object[]) =>
    row('agent_response', 'agent_response', 'm', { response: json([{ role: 'assistant', parts }]) });
  const tool = (spanId: string, file: string) =>
    row('tool_call', 'read', spanId, { args: json({ file }), result: 'x' });
  const left = (text: string, file: string) => {
    const after = changed(text, (part) =>
      (part.type === 'call' && String((part.input as JsonNode).text ?? part.input).includes(file)) ||
      (part.type === 'result' && false)
        ? undefined
        : part,
    );
    const [answer] = linesOf(after).filter(({ type }) => type === 'agent_response');
    return JSON.parse(answer.attrs.response)[0].parts.map(
      ({ arguments: args }: { arguments: { file: string } }) => args.file,
    );
  };
  const user = row('user_message', 'user_message', 'u', { content: 'Hi' });

  it('goes with its row: that of its id, or of its arguments, or the next of its name', () => {
    const own = response(call('c1', 'a'), call('c2', 'b'));
    expect(left(lines(user, own, tool('c2', 'b'), tool('c1', 'a')), 'b')).toEqual(['a']);
    expect(left(lines(user, own, tool('x2', 'b'), tool('x1', 'a')), 'b')).toEqual(['a']);
    expect(left(lines(user, own, tool('x2', 'b'), tool('x1', 'a')), 'a')).toEqual(['b']);
  });
});

/** Voice simulations of tau2-bench 1.0 (2026-11): an added message is a tick at the time of the one before it. */
it('a tick that is added has the number and the time of the one before it', () => {
  const chunk = (tick_id: number, content: string) => ({
    ...{ tick_id, timestamp: `2026-01-01T00:00:0${tick_id}` },
    agent_chunk: { role: 'assistant', content, utterance_ids: [`u${tick_id}`] },
  });
  const text = json({ id: 'sim', task_id: '1', ticks: [chunk(3, 'Hello.'), chunk(4, 'Well?')] });
  const said = { role: 'user' as const, parts: [{ type: 'text' as const, text: 'Yes.' }] };
  const after = (at: number) =>
    JSON.parse(
      mapText(text, (transcript) => ({
        ...transcript,
        messages: [...transcript.messages.slice(0, at), said, ...transcript.messages.slice(at)],
      })),
    ).ticks.map((tick: { tick_id: number; timestamp: string; user_chunk?: object }) => [
      ...[tick.tick_id, tick.timestamp, tick.user_chunk === undefined ? '' : 'user'],
    ]);
  const [THREE, FOUR] = [
    [3, '2026-01-01T00:00:03', ''],
    [4, '2026-01-01T00:00:04', ''],
  ];
  const ofUser = ([tick, time]: readonly unknown[]) => [tick, time, 'user'];
  expect(openText(text).transcripts[0]!.messages).toHaveLength(2);
  expect(after(0)).toEqual([ofUser(THREE!), THREE, FOUR]);
  expect(after(1)).toEqual([THREE, ofUser(THREE!), FOUR]);
  expect(after(2)).toEqual([THREE, FOUR, ofUser(FOUR!)]);
});

/** https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol (2026-11): a refused input is told twice, for each call. */
it('the error of a refused input follows its result, and that of another call does not', () => {
  const error = 'Invalid input for tool read';
  const refused = (toolCallId: string) => [
    { type: 'tool-input-error', toolCallId, toolName: 'read', input: { a: 1 }, errorText: error },
    { type: 'tool-output-error', toolCallId, errorText: error },
  ];
  const text = lines({ type: 'start', messageId: 'm' }, ...refused('c1'), ...refused('c2'), { type: 'finish' });
  const after = changed(text, (part) =>
    part.type === 'result' && part.callId === 'c2' ? { ...part, content: [{ type: 'text', text: 'Short' }] } : part,
  );
  const told = linesOf(after).flatMap(({ toolCallId, errorText }) => (errorText ? [[toolCallId, errorText]] : []));
  expect(told).toEqual([...Array(2).fill(['c1', error]), ...Array(2).fill(['c2', 'Short'])]);
});

/** https://docs.claude.com/en/api/agent-sdk/typescript#sdkmessage (2026-11) */
describe('the stream of the Claude Agent SDK', () => {
  const line = (type: 'user' | 'assistant', message: object) => ({
    type,
    session_id: 's',
    parent_tool_use_id: null,
    message,
  });

  it('groups the pieces of a reply by its id, and no words of the user', () => {
    const read = (type: 'user' | 'assistant', message: object) =>
      formatNamed('claude-agent-sdk').read(parse(json(line(type, message))));
    expect(read('assistant', { id: 'm1', role: 'assistant', model: 'x', content: [] })).toMatchObject({
      group: 'm1',
      model: 'x',
    });
    expect(read('user', { id: 'm1', role: 'user', content: 'x' })).not.toHaveProperty('group');
  });

  it('loses what is said of a call that goes, while another gets a new id', () => {
    const use = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} });
    const result = (id: string) =>
      line('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'x' }] });
    const progress = (id: string) => ({
      type: 'tool_progress',
      tool_use_id: id,
      tool_name: 'f',
      session_id: 's',
      parent_tool_use_id: null,
    });
    const request = (id: string) => ({
      type: 'control_request',
      request_id: `r-${id}`,
      request: { subtype: 'can_use_tool', tool_name: 'f', input: {}, tool_use_id: id },
    });
    const answer = (id: string) => ({
      type: 'control_response',
      response: { subtype: 'success', request_id: `r-${id}`, response: { behavior: 'allow' } },
    });
    const about = (id: string) => [request(id), answer(id), progress(id), result(id)];
    const said = (id: string) =>
      line('assistant', { id: `m-${id}`, role: 'assistant', model: 'x', content: [use(id)] });
    const exchange = (id: string) => [said(id), ...about(id)];
    const text = lines(line('user', { role: 'user', content: 'x' }), ...['a', 'b', 'c'].flatMap(exchange));
    const after = changed(text, (part) => {
      if (part.type !== 'call' && part.type !== 'result') return part;
      if (part.callId === 'a') return undefined;
      return part.callId === 'b' ? { ...part, callId: 'new' } : part;
    });
    expect(after).not.toMatch(/"(?:a|r-a|m-a|b)"/);
    const ids = linesOf(after).map(({ type, tool_use_id, request: asked, response, message }) => {
      const [block] = Array.isArray(message?.content) ? message.content : [];
      const own = tool_use_id ?? asked?.tool_use_id ?? response?.request_id;
      return `${type} ${own ?? block?.tool_use_id ?? block?.id ?? ''}`;
    });
    expect(ids).toEqual([
      ...['user ', 'assistant new', 'control_request new', 'control_response r-b', 'tool_progress new', 'user new'],
      ...['assistant c', 'control_request c', 'control_response r-c', 'tool_progress c', 'user c'],
    ]);
  });
});

/** Wire logs of Kimi CLI 1.0 (2026-11) */
it.each<[object, string]>([
  [
    { type: 'ToolCall', payload: { id: 5, function: { name: 'f', arguments: '{}' } } },
    '`message.payload.id` is a number',
  ],
  [{ type: 'ToolCall', payload: { id: 'c', function: { name: 5 } } }, 'name` is a number'],
])('what Kimi CLI would not write is named: %j', (message, why) => {
  const read = () => formatNamed('kimi-cli').read(parse(json({ timestamp: 1, message })));
  expect(read).toThrow(why);
});
