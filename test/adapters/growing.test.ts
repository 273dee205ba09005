/** A conversation that grows is sent as if each of its requests were the first one that the adapter sees. */
import { describe, expect, it } from 'vitest';
import * as anthropic from '../../src/adapters/anthropic.js';
import * as openai from '../../src/adapters/openai.js';
import { type StepName, simulate } from '../../src/index.js';
import { type Random, randomFrom } from '../shared/random-histories.js';

const SEEDS = Number(process.env['CTX_TRIM_FUZZ'] ?? 60);

interface Call {
  readonly id: string;
  readonly tool: string;
  readonly text: string | undefined;
  readonly isLost: boolean;
}
type Turn = string | readonly Call[];
type Request = (body: { readonly messages: readonly object[]; readonly model?: string }) => Promise<{
  readonly messages: readonly object[];
}>;

type Input = (body: { readonly input: readonly object[] }) => Promise<{ readonly input: readonly object[] }>;

function responses(send: Input): Request {
  return async ({ messages: input, ...body }) => ({ messages: (await send({ ...body, input })).input });
}

const APIS: Readonly<Record<string, { trim(steps: readonly StepName[]): Request; messagesOf(turn: Turn): object[] }>> =
  {
    'Chat Completions': { trim: (steps) => openai.trim(steps).request as Request, messagesOf: chatMessages },
    Responses: { trim: (steps) => responses(openai.trim(steps).request as Input), messagesOf: items },
    Messages: { trim: (steps) => anthropic.trim(steps).request as Request, messagesOf: blockMessages },
  };

describe.each(Object.entries(APIS))('%s', (_, { trim, messagesOf }) => {
  it('grows, is taken back, and is changed in place', async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = randomFrom(seed);
      const steps = stepsFrom(random);
      const known = trim(steps);
      const isDamaged = random(2) === 0;
      let messages: object[] = [];
      for (let turn = 0; turn < 12; turn++) {
        messages = [...messages, ...messagesOf(turnFrom(random, isDamaged))];
        if (random(12) === 0) messages = messages.slice(0, -random(3));
        if (random(6) === 0) changeOne(messages, random);
        if (random(3) === 0) continue;
        const body = { messages, ...(random(20) === 0 && { model: 'some-model' }) };
        const sent = (await known(body)).messages;
        const expected = (await trim(steps)(body)).messages;
        expect(sent, `seed ${seed}, turn ${turn}, ${steps.join(' ')}`).toEqual(expected);
        expect(sent.map((one) => messages.indexOf(one))).toEqual(expected.map((one) => messages.indexOf(one)));
        expect(sent === messages).toBe(expected === messages);
      }
    }
  });
});

it('what a message says after it was changed in place decides what stays', async () => {
  const round = (id: string): Turn => [{ id, tool: 'bash', text: 'ok', isLost: false }];
  const before = ['Question', round('a'), round('b'), round('c')].flatMap(chatMessages);
  const later = [...before, ...chatMessages(round('d'))];
  const steps = ['filter:max-tool-calls=1,every=1'] as const;
  const { request } = openai.trim(steps);
  const ids = async (of: typeof request, messages: object[]) =>
    ((await of({ messages } as never)) as { messages: { tool_call_id?: string }[] }).messages.flatMap(
      ({ tool_call_id: id }) => id ?? [],
    );
  expect(await ids(request, before)).toEqual(['c']);
  (before.at(-3) as { content: string }).content = 'Error: the disk is full';
  const fresh = await ids(openai.trim(steps).request, later);
  expect(fresh).not.toEqual(['d']); // a failure stays for a while
  expect(await ids(request, later)).toEqual(fresh);
});

it('every=auto decides anew over a long conversation', async () => {
  const steps = ['filter:max-tool-calls=2,every=auto'] as const;
  const known = openai.trim(steps).request;
  const messages: object[] = chatMessages('Question');
  let dropped = 0;
  for (let turn = 0; turn < 60; turn++) {
    const text = 'x'.repeat(500 + 4000 * (turn % 5));
    messages.push(...chatMessages([{ id: `call_${turn}`, tool: 'read', text, isLost: false }]));
    const body = { messages: [...messages] } as never;
    const sent = (await known(body)) as { messages: object[] };
    expect(sent, `turn ${turn}`).toEqual(await openai.trim(steps).request(body));
    dropped = messages.length - sent.messages.length;
  }
  expect(dropped).toBeGreaterThan(20);
});

it.each([1, 5, 'auto'] as const)('works on one prompt as simulate says without a scope, every=%s', async (every) => {
  const rounds = Array.from({ length: 25 }, (_, at) => {
    const call = { id: `call_${at}`, type: 'function', function: { name: 'read', arguments: '{}' } };
    const content = 'word '.repeat(1500);
    return [
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: call.id, content },
    ];
  }).flat();
  const messages: { role: string }[] = [{ role: 'user', content: 'Go.' } as never, ...rounds];
  const { request } = openai.trim(['filter:max-tool-calls=4'], { every });
  const calls = async (count: number) => {
    const sent = await request({ model: 'gpt-5', messages: messages.slice(0, count) });
    return sent.messages.filter(({ role }) => role === 'tool').length;
  };
  const sent = await Promise.all(Array.from({ length: 26 }, (_, at) => calls(1 + 2 * at)));
  const { transcripts } = await simulate(
    [...messages, { role: 'assistant', content: 'Done.' }],
    [`filter:max-tool-calls=4,every=${every}`],
    { asModel: 'gpt-5', countTokens: (text) => text.length },
  );
  expect(transcripts[0]!.requests.map(({ calls_after }) => calls_after)).toEqual(sent);
  expect(sent.at(-1)).toBeLessThan(20);
});

function stepsFrom(random: Random): StepName[] {
  const filter = [
    `filter:max-tool-calls=${random(4)}`,
    `every=${['auto', 1, 2, 3, 5, '2 rounds', '3 calls'][random(7)]}`,
    ...(random(3) === 0 ? ['unit=round'] : []),
    ...(random(3) === 0 ? ['scope=history'] : []),
    ...(random(6) === 0 ? ['everything'] : []),
    ...(random(6) === 0 ? ['tool=read'] : []),
    ...(random(8) === 0 ? ['drop-user'] : []),
  ].join(',');
  const others = ['dedupe', 'truncate:max-length=20,no-minimum'].filter(() => random(5) === 0);
  return [...(random(2) === 0 ? ['patch'] : []), filter, ...others];
}

/** The long one is enough for `every=auto`. */
const TEXTS = ['Error: no such file', 'ok', 'x'.repeat(50), 'x'.repeat(9000)];

/** A question, or a round of calls with their results. Ids and texts repeat. Calls and results can be lost. */
function turnFrom(random: Random, isDamaged: boolean): Turn {
  if (random(4) === 0) return `Question ${random(9)}?`;
  return Array.from({ length: 1 + random(3) }, (_, at) => ({
    id: isDamaged && random(8) === 0 ? '' : `call_${random(6)}_${at}`,
    tool: ['read', 'bash', 'TodoWrite', 'update_plan'][random(4)]!,
    isLost: isDamaged && random(5) === 0,
    text: isDamaged && random(6) === 0 ? undefined : TEXTS[random(TEXTS.length)]!,
  }));
}

function changeOne(messages: readonly object[], random: Random): void {
  const message = messages[random(messages.length)] as { content?: unknown } | undefined;
  if (typeof message?.content === 'string' && message.content !== '')
    message.content = random(2) === 0 ? 'Error: changed' : 'x'.repeat(random(60));
}

function chatMessages(turn: Turn): object[] {
  if (typeof turn === 'string') return [{ role: 'user', content: turn }];
  const made = turn.filter(({ isLost }) => !isLost);
  const calls = made.map(({ id, tool }) => ({ id, type: 'function', function: { name: tool, arguments: '{"q":1}' } }));
  const results = turn.filter(({ text }) => text !== undefined);
  return [
    ...(calls.length > 0 ? [{ role: 'assistant', content: null, tool_calls: calls }] : []),
    ...results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text })),
  ];
}

function items(turn: Turn): object[] {
  if (typeof turn === 'string') return [{ role: 'user', content: turn }];
  const made = turn.filter(({ isLost }) => !isLost);
  const results = turn.filter(({ text }) => text !== undefined);
  return [
    ...(turn.length === 2 ? [{ type: 'reasoning', id: `rs_${turn[0]!.id}`, summary: [] }] : []),
    ...made.map(({ id, tool }) => ({ type: 'function_call', call_id: id, name: tool, arguments: '{"q":1}' })),
    ...results.map(({ id, text }) => ({ type: 'function_call_output', call_id: id, output: text })),
  ];
}

function blockMessages(turn: Turn): object[] {
  if (typeof turn === 'string') return [{ role: 'user', content: turn }];
  const made = turn.filter(({ isLost }) => !isLost);
  const calls = made.map(({ id, tool }) => ({ type: 'tool_use', id, name: tool, input: { q: 1 } }));
  const results = turn.filter(({ text }) => text !== undefined);
  return [
    { role: 'assistant', content: calls },
    {
      role: 'user',
      content: results.map(({ id, text }) => ({ type: 'tool_result', tool_use_id: id, content: text })),
    },
  ].filter(({ content }) => content.length > 0);
}
