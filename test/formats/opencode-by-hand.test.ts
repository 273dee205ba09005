/** Messages and files of opencode, one at a time: what is read of them, and what is written. */
import { describe, expect, it } from 'vitest';
import format from '../../src/formats/opencode/opencode.js';
import { convert } from '../../src/index.js';
import { parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import type { Message, Part } from '../../src/transcript/types.js';

const node = (value: unknown) => parse(JSON.stringify(value));
const read = (value: unknown) => format.read(node(value));
const written = (message: Message) => JSON.parse(printed(format.write(message)));
/** A message as it is written with some of its parts. */
const edited = (value: unknown, change: (parts: readonly Part[]) => readonly Part[] = (parts) => parts) => {
  const message = read(value);
  return written({ ...message, parts: change(message.parts) });
};
const TEXT = { type: 'text', text: 'a' };
const CALL = { type: 'tool', callID: 'c', tool: 'bash', state: { status: 'running', input: {} } };

it.each<[score: number, value: object]>([
  [1, { info: { role: 'user' }, parts: [] }],
  [0, { info: { role: 'user' } }],
  [0, { info: { role: 'other' }, parts: [] }],
  [0, { info: {}, parts: [] }],
])('is told with %d: %j', (score, value) => {
  expect(format.score(node(value))).toBe(score);
});

it.each<[isLeftOut: boolean, error: unknown, parts: readonly object[]]>([
  [false, undefined, [TEXT]],
  [false, null, [TEXT]],
  [true, { name: 'APIError' }, [TEXT]],
  [true, {}, [TEXT]],
  [true, { name: 'MessageAbortedError' }, []],
  [true, { name: 'MessageAbortedError' }, [{ type: 'step-start' }, { type: 'reasoning', text: 'Hm' }]],
  [false, { name: 'MessageAbortedError' }, [{ type: 'step-start' }, TEXT]],
  [false, { name: 'MessageAbortedError' }, [CALL]],
])('is left out of later requests: %j, after %j with %j', (isLeftOut, error, parts) => {
  expect(read({ info: { role: 'assistant', error }, parts }).cutOff === true).toBe(isLeftOut);
});

describe('a message', () => {
  it('names its model only if it is one of the model', () => {
    expect(read({ info: { role: 'assistant', modelID: 'm' }, parts: [] }).model).toBe('m');
    expect(read({ info: { role: 'user', modelID: 'm' }, parts: [] }).model).toBeUndefined();
  });

  it('keeps what is added to the system prompt while that part is there', () => {
    const message = { info: { role: 'user', system: 'Be brief.', id: 'm' }, parts: [TEXT] };
    expect(edited(message)).toEqual(message);
    expect(edited(message, ([system]) => [system!])).toEqual({ ...message, parts: [] });
    expect(edited(message, ([, text]) => [text!])).toEqual({ ...message, info: { role: 'user', id: 'm' } });
  });

  it('without a list of parts gets one with its first part', () => {
    const message = { info: { role: 'user' } };
    expect(edited(message)).toEqual(message);
    expect(edited(message, () => [{ type: 'text', text: 'a' }])).toEqual({ ...message, parts: [TEXT] });
  });

  it('of another role is a line without a message, written as it was', () => {
    const message = read({ info: { role: 'other' }, parts: [TEXT] });
    expect(message).toMatchObject({ role: 'meta', parts: [] });
    expect(format.write(message)).toBe(message.raw);
  });

  it('that is new holds other parts of its kind beside the system prompt', () => {
    const task = { type: 'subtask', prompt: 'Look.' };
    const message = read({ info: { role: 'user', system: 'Be brief.' }, parts: [task, TEXT] });
    const [system, ...parts] = message.parts;
    const fresh = { info: { role: 'user', system: 'Be brief.' }, parts: [task, TEXT] };
    expect(written({ role: 'user', parts: [...parts, system!] })).toEqual(fresh);
    expect(written({ role: 'assistant', model: 'm', parts: [] })).toEqual({
      info: { role: 'assistant', modelID: 'm' },
      parts: [],
    });
    expect(written({ role: 'system', parts: [{ type: 'text', text: 'a' }] })).toEqual({
      info: { role: 'user' },
      parts: [TEXT],
    });
  });

  it('that is converted loses what only opencode has, and none of its files', () => {
    const info = { id: 'm', role: 'user', time: { created: 1 }, system: 'Be brief.' };
    const file = { type: 'file', mime: 'image/png', url: 'data:image/png;base64,AAAA' };
    const [converted] = convert(JSON.stringify([{ info, parts: [{ ...TEXT, id: 'p' }, file] }]), 'openai-chat');
    expect(converted!.value).toMatchObject([{ content: [TEXT, { type: 'image_url' }] }]);
    const own = converted!.lost.flatMap(({ fields }) => Object.keys(fields ?? {}));
    expect(own).toEqual(['info.id', 'info.time', 'parts[].id']);
  });
});

describe('the file of a part', () => {
  const part = { id: 'p', sessionID: 's', messageID: 'm', ...CALL };

  it('is one of the model with a call, and becomes an empty text without it', () => {
    expect(read(part)).toMatchObject({ role: 'assistant', parts: [{ type: 'call', callId: 'c', tool: 'bash' }] });
    expect(edited(part)).toEqual(part);
    const { id, sessionID, messageID } = part;
    expect(edited(part, () => [])).toEqual({ id, sessionID, messageID, type: 'text', text: '' });
  });

  it('without a call is a line without a message', () => {
    expect(read({ ...part, type: 'text', text: 'a' })).toMatchObject({ role: 'meta', parts: [] });
  });
});

it('a file names its session, and holds only replies unless it holds messages', () => {
  const head = (value: object) => {
    const { id, traits } = format.header!(node(value));
    return [id, traits?.holdsOnlyReplies === true];
  };
  const session = { id: 's', projectID: 'p', directory: '/p', time: { created: 1, updated: 1 }, version: '1' };
  expect(head({ id: 'p', sessionID: 's', messageID: 'm', ...TEXT })).toEqual(['s', true]);
  expect(head(session)).toEqual(['s', true]);
  expect(head({ id: 'x' })).toEqual([undefined, true]);
  expect(head({ info: { sessionID: 's', role: 'user' }, parts: [] })).toEqual(['s', false]);
});

it('an export names its session, and the model of that, else the first of its messages', () => {
  const messages = [{ info: { role: 'user' } }, { info: { modelID: 'm1' } }, { info: { modelID: 'm2' } }];
  const info = { id: 's', directory: '/p', title: 'T' };
  expect(format.describe!(node({ info, messages }))).toEqual({ id: 's', project: '/p', title: 'T', model: 'm1' });
  const chosen = { ...info, model: { id: 'm0' } };
  expect(format.describe!(node({ info: chosen, messages })).model).toBe('m0');
  expect(format.describe!(node({ info })).model).toBeUndefined();
});
