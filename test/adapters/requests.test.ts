/** The adapters for request bodies with the real clients of Anthropic and OpenAI, whose `fetch` records the bodies. */
import Anthropic from '@anthropic-ai/sdk';
import fc from 'fast-check';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import * as anthropic from '../../src/adapters/anthropic.js';
import * as openai from '../../src/adapters/openai.js';
import { run, type StepName } from '../../src/index.js';
import { runs } from '../shared/random-runs.js';
import { refused } from '../shared/schemas.js';
import { chatMessages, histories, policies, REQUESTS, resultsOf, script, type Turn } from './shared/histories.js';
import { expectAccepted, predictedCalls } from './shared/judge.js';

const POLICY: readonly StepName[] = ['patch', 'filter:max-tool-calls=7,every=5', 'truncate:max-length=300,no-minimum'];

interface Api {
  readonly name: string;
  readonly format: string;
  readonly list: 'messages' | 'input';
  request(steps: readonly StepName[]): <B extends { model: string }>(body: B) => Promise<B>;
  messagesOf(turn: Turn): readonly object[];
  /** Sends a body with the real client; gives what the server was sent. */
  send(body: never): Promise<string>;
}

const APIS: readonly Api[] = [
  {
    name: 'Anthropic Messages',
    format: 'anthropic-messages',
    list: 'messages',
    request: (steps) => anthropic.trim(steps).request as never,
    messagesOf: anthropicMessages,
    send: (body) =>
      sent((fetch) => new Anthropic({ apiKey: 'none', fetch, maxRetries: 0 }).messages.create(body as never)),
  },
  {
    name: 'OpenAI Chat Completions',
    format: 'openai-chat',
    list: 'messages',
    request: (steps) => openai.trim(steps).request as never,
    messagesOf: chatMessages,
    send: (body) =>
      sent((fetch) => new OpenAI({ apiKey: 'none', fetch, maxRetries: 0 }).chat.completions.create(body as never)),
  },
  {
    name: 'OpenAI Responses',
    format: 'openai-responses',
    list: 'input',
    request: (steps) => openai.trim(steps).request as never,
    messagesOf: responsesItems,
    send: (body) =>
      sent((fetch) => new OpenAI({ apiKey: 'none', fetch, maxRetries: 0 }).responses.create(body as never)),
  },
];

describe.each(APIS)('$name', ({ format, list, request, messagesOf, send }) => {
  const bodyOf = (messages: readonly object[]) => ({ model: 'some-model', max_tokens: 100, [list]: messages });

  it('sends random histories so that neither the schema nor our rules refuse them, and keeps them whole', async () => {
    const property = fc.asyncProperty(histories, policies, async (turns, steps) => {
      const body = bodyOf(turns.flatMap(messagesOf));
      const before = JSON.stringify(body);
      const trimmed = await request(steps)(body);
      expect(JSON.stringify(body)).toBe(before);
      expect(await request(steps)(trimmed)).toEqual(trimmed);
      const messages = (JSON.parse(await send(trimmed as never)) as Record<string, object[]>)[list]!;
      expect(refused(format, messages)).toEqual([]);
      expectAccepted(messages, format);
    });
    await fc.assert(property, runs(1 / 300));
  });

  it(`sends ${REQUESTS} requests as predicted`, async () => {
    const turns: readonly Turn[] = [{ who: 'user', text: 'Begin.' }, ...script(REQUESTS)];
    const calls: number[] = [];
    const history: object[] = [];
    for (const turn of turns) {
      if (turn.who === 'assistant') {
        const body = await send((await request(POLICY)(bodyOf(history))) as never);
        const { [list]: predicted } = JSON.parse(run(JSON.stringify(bodyOf(history)), POLICY, { from: format }));
        expect(body).toBe(JSON.stringify(bodyOf(predicted)));
        calls.push(body.split('"q":').length + body.split('\\"q\\":').length - 2);
      }
      history.push(...messagesOf(turn));
    }
    expect(calls).toEqual(await predictedCalls(history, format, POLICY));
  });
});

it('leaves a body without a list alone', async () => {
  const body = { model: 'gpt-5', input: 'Hello' };
  expect(await openai.trim(POLICY).request(body)).toBe(body);
});

/** The body that a client sends. The server answers that it is busy. */
async function sent(call: (fetch: never) => PromiseLike<unknown>): Promise<string> {
  const bodies: string[] = [];
  const fetch = async (_: unknown, { body }: { readonly body: string }) => {
    bodies.push(body);
    return new Response('{}', { status: 500 });
  };
  await call(fetch as never).then(
    () => expect.unreachable(),
    (error: { readonly status: number }) => expect(error.status).toBe(500),
  );
  return bodies[0]!;
}

function anthropicMessages(turn: Turn): readonly object[] {
  if (turn.who === 'user') return [{ role: 'user', content: turn.text }];
  const text = turn.text.trim() === '' ? [] : [{ type: 'text', text: turn.text.trim() }];
  const uses = turn.calls.map(({ id, tool: name, args: input }) => ({ type: 'tool_use', id, name, input }));
  const results = resultsOf(turn).map(({ id, result }) => ({ type: 'tool_result', tool_use_id: id, content: result }));
  return [
    { role: 'assistant', content: [...text, ...uses] },
    ...(results.length === 0 ? [] : [{ role: 'user', content: results }]),
  ];
}

function responsesItems(turn: Turn): readonly object[] {
  if (turn.who === 'user') return [{ role: 'user', content: turn.text }];
  return [
    ...(turn.text === '' ? [] : [{ role: 'assistant', content: turn.text }]),
    ...turn.calls.map(({ id, tool: name, args }) => ({
      type: 'function_call',
      call_id: id,
      name,
      arguments: JSON.stringify(args),
    })),
    ...resultsOf(turn).map(({ id, result }) => ({ type: 'function_call_output', call_id: id, output: result })),
  ];
}
