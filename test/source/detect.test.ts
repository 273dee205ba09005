/** What is said of JSON that no format fits, and what formats are told apart by: confidences at their bounds. */
import { describe, expect, it } from 'vitest';
import { open } from '../../src/source/recording.js';
import { openText } from '../shared/opened.js';

const json = (value: unknown) => JSON.stringify(value);
const USER = { role: 'user', content: 'Hi' };

/** Crush keeps all in `data`: https://github.com/charmbracelet/crush/blob/main/internal/message/message.go */
const CRUSH = {
  messages: [
    { role: 'user', parts: [{ type: 'text', data: { text: 'Hi' } }] },
    { role: 'assistant', parts: [{ type: 'tool_call', data: { id: 't', name: 'ls', input: '{}', finished: true } }] },
    { role: 'tool', parts: [{ type: 'tool_result', data: { tool_call_id: 't', content: 'a' } }] },
  ],
};

describe('without messages', () => {
  it.each<[input: unknown, message: string]>([
    [{ a: 1, b: 2 }, 'the JSON holds no messages (an object with `a`, `b`); if they'],
    [{}, 'the JSON holds no messages (an object with no members)'],
    [{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, '(an object with `a`, `b`, `c`, `d`, `e`, `f`);'],
    [{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7 }, '(an object with `a`, `b`, `c`, `d`, `e`, `f`, …)'],
    [7, 'the JSON holds no messages (a number)'],
    ['x', '(a string)'],
    [true, '(a boolean)'],
    [null, '(null)'],
    [[[1]], '(an array without objects)'],
    [{ type: 'odd' }, 'the values look like messages or events, but no known format reads them'],
    [{ type: 'odd' }, '(the first is an object with `type`); name it with --from'],
    [{ log: [{ role: 7 }] }, '`log` looks like messages, but no known format reads them'],
    [{ log: { list: [{ type: 'odd', content: 1 }] } }, '`log.list` looks like messages'],
    [{ log: [{ type: 'odd' }] }, 'the JSON holds no messages'],
    [CRUSH, '`messages` looks like messages, but no known format reads them'],
    [{ log: [{ parts: 7 }] }, '`log` looks like messages'],
    [{ a: { b: { c: { d: [{ parts: 7 }] } } } }, '`a.b.c.d` looks like messages'],
    [{ a: { b: { c: { d: { e: [{ parts: 7 }] } } } } }, 'the JSON holds no messages'],
  ])('%o', (input, message) => {
    expect(() => openText(json(input))).toThrow(message);
  });

  it('a path that was named is said', () => {
    const text = json({ runs: [USER], other: [1] });
    expect(() => openText(text, { messages: 'log' })).toThrow('no messages at `log`');
    expect(() => openText(text, { messages: 'log', from: 'openai-chat' })).toThrow(
      'no messages at `log` that openai-chat can read',
    );
    expect(openText(text, { messages: 'runs', from: 'openai-chat' }).transcripts[0]!.messages).toHaveLength(1);
  });

  it('what was taken for messages is said of the likeliest formats', () => {
    const text = json({ log: [{ role: 'user', content: 7 }, { role: 'x' }] });
    expect(() => openText(text, { messages: 'log' })).toThrow(/^the format of the messages at `log` cannot be told/);
  });

  it('after 500 records nothing more is read for it', () => {
    const text = `${json({ a: 1 })}\n`.repeat(600);
    expect(() => openText(text)).toThrow('the JSON holds no messages (an object with `a`)');
  });

  it('the error stands at the first record', () => {
    try {
      open('\n\n{"a":1}\n');
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: 'format', place: { line: 3, column: 1 } });
    }
  });
});

describe('where messages stand', () => {
  const found = (value: unknown) => {
    const { detection, transcripts } = openText(Array.isArray(value) ? value.map(json).join('\n') : json(value));
    const { container } = detection;
    const where = typeof container === 'string' ? container : container.path;
    return [detection.format.id, where, transcripts.map(({ messages }) => messages.length)];
  };
  const CALL = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
  };
  const RESULT = { role: 'tool', tool_call_id: 'c', content: 'x' };

  it.each<[what: string, value: unknown, expected: unknown]>([
    ['at a path that is known', { messages: [USER, CALL, RESULT] }, ['openai-chat', 'messages', [3]]],
    ['at one that is searched', { deep: { log: [USER, CALL] } }, ['openai-chat', 'deep.log', [2]]],
    ['as a list in each value', [[USER, CALL], [USER]], ['openai-chat', 'rows', [2, 1]]],
    ['as rows', [USER, CALL, RESULT], ['openai-chat', 'rows', [3]]],
    ['at the member `messages` of any object', { deep: { messages: [CALL] } }, ['openai-chat', 'deep.messages', [1]]],
    ['as JSON in a string', { messages: json([USER, CALL, RESULT]) }, ['openai-chat', 'messages', [3]]],
    ['in a list that is empty', { messages: [] }, ['openai-chat', 'messages', [0]]],
  ])('%s', (_, value, expected) => {
    expect(found(value)).toEqual(expected);
  });

  it('one message alone in a list of another name is not enough', () => {
    expect(() => found({ deep: { log: [CALL] } })).toThrow('`deep.log` looks like messages');
  });

  it('an empty array is of any format', () => {
    const { detection, transcripts } = openText('[]');
    expect([detection.why, detection.confidence]).toEqual(['an empty array, of any format', 0]);
    expect(transcripts.map(({ messages }) => messages)).toEqual([[]]);
    expect(openText('[]', { from: 'anthropic-messages' }).detection.format.id).toBe('anthropic-messages');
  });

  it.each<[rest: unknown, expected: unknown]>([
    [[{ role: 'user', parts: [{ text: 'hi' }] }], ['gemini-contents', [0, 1]]],
    [
      [USER, { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] }],
      ['anthropic-messages', [0, 2]],
    ],
    [{ messages: [USER, CALL] }, ['openai-chat', [2]]],
    [[], ['openai-chat', [0, 0]]],
  ])('an empty array says nothing of what stands behind it: %j', (rest, expected) => {
    const { detection, transcripts } = openText(`[]\n${json(rest)}\n`);
    expect([detection.format.id, transcripts.map(({ messages }) => messages.length)]).toEqual(expected);
  });

  it('rows with others among them are known while most are', () => {
    const event = { at: 1 };
    expect(found([USER, CALL, RESULT, event])).toEqual(['openai-chat', 'rows', [4]]);
    expect(found([CALL, event, event, event, event, event])).toEqual(['openai-chat', 'rows', [6]]);
  });
});

// https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html
// https://docs.claude.com/en/api/claude-on-vertex-ai (2026-12): the model stands in the address
it.each(['bedrock-2023-05-31', 'vertex-2023-10-16'])('a body with the version %s is one of Anthropic', (version) => {
  const text = (content: unknown) =>
    json({ anthropic_version: version, max_tokens: 9, messages: [{ role: 'user', content }] });
  for (const content of ['Hi', [{ type: 'text', text: 'Hi' }]])
    expect(openText(text(content)).detection.format.id).toBe('anthropic-messages');
});

it('says which format was named, and does not fit', () => {
  expect(() => openText(json({ messages: [USER] }), { from: 'trace-log' })).toThrow(
    '--from trace-log does not fit: `messages` looks like messages (the first is an object with `role`, `content`); ' +
      'leave --from out, or name another format',
  );
});
