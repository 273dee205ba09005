/** Rules of the Gemini API: what their examples do not show. */
import { expect, it } from 'vitest';
import { checked, examine } from '../shared/examined.js';

const user = (...parts: object[]) => ({ role: 'user', parts });
const model = (...parts: object[]) => ({ role: 'model', parts });
const call = (name: string, more: object = {}) => ({ functionCall: { name, args: {} }, ...more });
const response = (name: string) => ({ functionResponse: { name, response: { r: 1 } } });
const signed = { thoughtSignature: 'c2ln' };

it('takes turns of the model in a row as one, as Gemini 3 does', () => {
  const contents = [user({ text: 'x' }), model(call('a')), model(call('b')), user(response('a'), response('b'))];
  expect(checked({ contents }, 'gemini', 'gemini/function').findings).toEqual([]);
  expect(
    checked({ model: 'gemini-3-pro', contents }, 'gemini', 'gemini/function', { asRequest: true }).findings,
  ).toEqual([]);
});

it('joins them for an older model', () => {
  const request = {
    model: 'gemini-2.5-pro',
    contents: [user({ text: 'x' }), model({ text: 'y' }), model(call('a')), user(response('a'))],
  };
  expect(checked(request, 'gemini', 'gemini/function', { asRequest: true }).mended).toEqual({
    ...request,
    contents: [request.contents[0], model({ text: 'y' }, call('a')), request.contents[3]],
  });
});

const ORDER = 'gemini/function-call-turn-order';
const RESULTS = [model(call('a')), user(response('a'))];

it('takes no system prompt, thought or event without a content for the beginning of a history', () => {
  const systemInstruction = { parts: [{ text: 's' }] };
  const thought = { text: 'hm', thought: true };
  const found = [`${ORDER}: the call of a follows nothing, not a user turn`];
  const opening = user({ text: '[earlier conversation removed]' });
  const beside = checked({ systemInstruction, contents: RESULTS }, 'gemini', ORDER);
  expect(beside.findings).toEqual(found);
  expect(beside.mended).toEqual({ systemInstruction, contents: [opening, ...RESULTS] });
  const behind = checked({ contents: [model(thought), ...RESULTS] }, 'gemini', ORDER);
  expect(behind.findings).toEqual(found);
  expect(behind.mended).toEqual({ contents: [opening, model(thought, call('a')), RESULTS[1]] });
  const events = [undefined, ...RESULTS].map((content) => ({ author: 'a', invocationId: 'i', content }));
  expect(checked({ id: 's', appName: 'b', userId: 'u', events }, 'gemini', ORDER).findings).toEqual(found);
});

it('wants no user before a reply that was recorded alone', () => {
  expect(checked({ candidates: [{ content: model(call('a')) }] }, 'gemini', ORDER).findings).toEqual([]);
});

it('adds no user among parts of replies, which have no place for one', () => {
  const of = { sessionID: 's', messageID: 'm', type: 'tool', tool: 'a' };
  const text = ['c', 'd']
    .map((callID) => ({ ...of, id: callID, callID, state: { status: 'completed', input: {}, output: 'r' } }))
    .map((part) => JSON.stringify(part))
    .join('\n');
  const { findings, mended } = examine(text, 'gemini', { from: 'opencode', only: ({ id }) => id === ORDER });
  expect(findings.map(({ isFixable }) => isFixable)).toEqual([false]);
  expect(mended()).toBe(text);
});

it('takes the pieces of one message for one turn, and names the call of a second one', () => {
  const at = (record: object, from: string) =>
    examine(JSON.stringify({ model: 'gpt-4.1', ...record }), 'gemini', {
      ...{ asRequest: true, from },
      only: ({ id }) => id === ORDER,
    }).findings.map(({ message, callId }) => [message, callId]);
  const said = [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: 'y' },
  ];
  const called = { type: 'function_call', call_id: 'c', name: 'a', arguments: '{}' };
  expect(at({ input: [...said, called] }, 'openai-responses')).toEqual([]);
  const tool_calls = [{ id: 'c', type: 'function', function: { name: 'a', arguments: '{}' } }];
  expect(at({ messages: [...said, { role: 'assistant', content: null, tool_calls }] }, 'openai-chat')).toEqual([
    [2, 'c'],
  ]);
});

it('joins turns only where nothing stands between them', () => {
  const contents = [user({ text: 'x' }), model({ text: 'y' }), { role: 'system', parts: [{ text: 's' }] }, ...RESULTS];
  const text = JSON.stringify({ model: 'gemini-2.5-pro', contents });
  const { findings, mended } = examine(text, 'gemini', { asRequest: true, only: ({ id }) => id === ORDER });
  expect(findings.map(({ message, isFixable }) => [message, isFixable])).toEqual([[3, false]]);
  expect(mended()).toBe(text);
});

it('joins responses that were split, and answers a call that is left', () => {
  const contents = [
    user({ text: 'x' }),
    model(call('a'), call('b'), call('c')),
    user(response('a')),
    user(response('b')),
    user({ text: 'y' }),
  ];
  const { mended } = checked({ contents }, 'gemini', 'gemini/function') as {
    mended: { contents: { parts: object[] }[] };
  };
  expect(mended.contents).toHaveLength(4);
  expect(mended.contents[2]!.parts).toHaveLength(3);
  expect(mended.contents[2]!.parts[2]).toMatchObject({
    functionResponse: { name: 'c', response: { error: expect.stringContaining('cancelled') } },
  });
});

it('wants a signature of the first call of each step since the user spoke, from Gemini 3', () => {
  const contents = [
    user({ text: 'x' }),
    model(call('old')),
    user(response('old')),
    model({ text: 'y' }),
    user({ text: 'z' }),
    model(call('a', signed), call('b')),
    user(response('a'), response('b')),
    model(call('c')),
    user(response('c')),
  ];
  const rule = 'gemini/thought-signature-missing';
  expect(checked({ model: 'gemini-3-pro', contents }, 'gemini', rule).findings).toEqual([
    `${rule}: the call of c has no thought signature`,
  ]);
  for (const older of [{}, { model: 'gemini-2.5-pro' }])
    expect(checked({ ...older, contents }, 'gemini', rule).findings).toEqual([]);
});

it('takes a part away that holds nothing, and its turn with it; a signature is something', () => {
  const contents = [user({ text: 'x' }), model({}), user({ text: 'y' }, { text: '' }), model({ text: '', ...signed })];
  expect(checked({ contents }, 'gemini', 'gemini/').mended).toEqual({
    contents: [user({ text: 'x' }, { text: 'y' }), contents[3]],
  });
});

it('asks to go on behind the last message, before a line that was cut off', () => {
  const chat = [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: 'y' },
  ];
  expect(checked({ messages: chat }, 'gemini', 'gemini/ends', { asRequest: true, from: 'openai-chat' }).mended).toEqual(
    { messages: [...chat, { role: 'user', content: 'Please continue.' }] },
  );
});

it('knows that a result may stand in the message of its call', () => {
  const step = (id: number) => ({
    step_id: id,
    source: 'agent',
    message: 'y',
    tool_calls: [{ tool_call_id: `c${id}`, function_name: 'ls', arguments: {} }],
    observation: { results: [{ source_call_id: `c${id}`, content: 'a' }] },
  });
  const trajectory = {
    schema_version: 'ATIF-v1.4',
    session_id: 's',
    agent: { name: 'a', version: '1' },
    steps: [{ step_id: 1, source: 'user', message: 'x' }, step(2), step(3)],
  };
  expect(checked(trajectory, 'gemini', 'gemini/function', { asRequest: true, from: 'atif' }).findings).toEqual([]);
});
