/** Values that are no messages or no JSON: every function answers or throws TranscriptError with their place. */
import { describe, expect, it } from 'vitest';
import { trim as langchain } from '../../src/adapters/langchain.js';
import { trim as openai } from '../../src/adapters/openai.js';
import { trim as agents } from '../../src/adapters/openai-agents.js';
import { isTranscriptError } from '../../src/errors.js';
import { check, convert, count, diff, redact, run, simulate, stats } from '../../src/index.js';

const HELLO = { role: 'user', content: 'hello' };
const throwing = (key: string, error: unknown): object =>
  Object.defineProperty({ ...HELLO }, key, {
    enumerable: true,
    get() {
      throw error;
    },
  });

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function deep(): object {
  let value: object = {};
  for (let depth = 0; depth < 20_000; depth++) value = { a: value };
  return value;
}

function cycle(): object {
  const message: Record<string, unknown> = { ...HELLO };
  message['self'] = [message];
  return message;
}

const CALL = { id: 'c', type: 'function', function: { name: 'ls', arguments: deep() } };

/** Lists, and the place that an error names where a function reads all of it. */
const LISTS: Readonly<Record<string, readonly [list: unknown, path: string | undefined]>> = {
  'a cycle': [[HELLO, cycle()], '[1].self[0]'],
  'a hole': [Object.assign([HELLO], { 2: HELLO }), '[1]'],
  'a getter that throws': [[HELLO, throwing('content', new TypeError('closed'))], '[1].content'],
  'a getter that throws null': [[throwing('content', null)], '[0].content'],
  'a getter that throws an object': [[throwing('content', Object.create(null))], '[0].content'],
  'a getter that throws an odd error': [[throwing('content', Object.assign(new Error(), { message: 5 }))], undefined],
  'another getter that throws': [[throwing('name', new Error('closed'))], '[0].name'],
  'a revoked proxy': [[revoked()], '[0]'],
  'a value nested too deep': [[HELLO, { ...HELLO, extra: deep() }], undefined],
  'arguments nested too deep': [[{ role: 'assistant', content: null, tool_calls: [CALL] }], undefined],
  'a BigInt': [[{ ...HELLO, n: 1n }], '[0].n'],
  'a toJSON that throws': [[{ ...HELLO, at: new Proxy({}, { get: () => () => Object.create(null)() }) }], undefined],
  null: [[null], '[0]'],
  'a text': [['hello'], '[0]'],
  'no list': [{ role: 'user' }, ''],
  nothing: [undefined, ''],
  'fields of other types': [[{ role: 5, type: 5, content: 5 }], undefined],
};

type Call = (input: never) => unknown;

/** These write the whole list as JSON. */
const WHOLE: Readonly<Record<string, Call>> = {
  check: (input) => check(input),
  'check with secrets': (input) => check(input, { secrets: true }),
  stats: (input) => stats(input),
  'diff before': (input) => diff(input, [HELLO]),
  'diff after': (input) => diff([HELLO], input),
  count: (input) => count(input),
  redact: (input) => redact(input),
  convert: (input) => convert(input, 'anthropic-messages'),
  simulate: (input) => simulate(input, ['patch']),
};

/** These read what they need. */
const PARTS: Readonly<Record<string, Call>> = {
  run: (input) => run(input, ['patch']),
  'run fit': (input) => run(input, ['fit:max-tokens=1'], { countTokens: (text) => text.length }),
  'trim().request': (input) => openai(['patch']).request({ messages: input }),
  'trim().request of input': (input) => openai(['patch']).request({ input }),
  'trim().request fit': (input) =>
    openai(['fit:max-tokens=1'], { countTokens: (text) => text.length }).request({ messages: input }),
  'trim().request check': (input) => openai(['patch'], { check: 'throw' }).request({ messages: input }),
  'trim().wrapModelCall': (input) => langchain(['patch']).wrapModelCall({ messages: input }, (request) => request),
  'trim().callModelInputFilter': (input) => agents(['patch']).callModelInputFilter({ modelData: { input } }),
};

async function thrownBy(call: Call, list: unknown): Promise<unknown> {
  try {
    await call(list as never);
    return undefined;
  } catch (error) {
    return error ?? 'null was thrown';
  }
}

describe.each(Object.entries(LISTS))('%s', (_, [list, path]) => {
  it.each(Object.entries(WHOLE))('%s', async (_name, call) => {
    const error = await thrownBy(call, list);
    const isTaken = path === undefined && error === undefined;
    expect(isTaken || isTranscriptError(error), String((error as Error)?.stack)).toBe(true);
    if (path !== undefined) expect(error).toHaveProperty('place.path', `input${path}`);
  });

  it.each(Object.entries(PARTS))('%s', async (_name, call) => {
    const error = await thrownBy(call, list);
    expect(error === undefined || isTranscriptError(error), String((error as Error)?.stack)).toBe(true);
  });
});

it('lets errors of callbacks through', async () => {
  const own = new Error('mine');
  const fails = () => {
    throw own;
  };
  expect(() => run([HELLO], ['fit:max-tokens=1'], { countTokens: fails })).toThrow(own);
  const trimmed = openai(['fit:max-tokens=1'], { countTokens: fails }).request({ messages: [HELLO] });
  await expect(trimmed).rejects.toBe(own);
});

it('looks once at a value that stands in many places', () => {
  let shared: unknown = {};
  for (let depth = 0; depth < 60; depth++) shared = { one: shared, other: shared };
  const fails = () => {
    throw new Error('mine');
  };
  expect(() => run([{ ...HELLO, shared }], ['fit:max-tokens=1'], { countTokens: fails })).toThrow('mine');
});
