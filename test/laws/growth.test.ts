/** Linear ways of doing what is plain to do by looking at everything for everything: they say the same. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { messagePositions } from '../../src/engine/check/positions.js';
import { stepsOf } from '../../src/engine/steps.js';
import type { StepName } from '../../src/index.js';
import { JsonNode, parse } from '../../src/json/node.js';
import { guardOf } from '../../src/policy/guard.js';
import type { RuleContext } from '../../src/rules/rule.js';
import { answeredInTurnIn } from '../../src/rules/shared/model-turns.js';
import { withJoined } from '../../src/rules/shared/neighbors.js';
import { type CallSite, pair, pairsAsItGrows } from '../../src/transcript/pairs.js';
import type { Message, Part, Transcript } from '../../src/transcript/types.js';
import { alternating, joined } from '../../src/transforms/alternate.js';
import { applySteps } from '../../src/transforms/pipeline.js';
import type { Counts } from '../../src/transforms/transform.js';
import { ALL as LAWS } from '../shared/effort.js';
import { lawful } from '../shared/lawful.js';
import { openText } from '../shared/opened.js';
import { plainPair } from '../shared/plain-pairs.js';
import { forEveryTransform } from '../shared/trials.js';

/** Numbers below `most`, the same ones for the same seed. */
function randomOf(seed: number): (most: number) => number {
  let state = seed + 1;
  return (most) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5;
    return ((state ^ (state >>> 13)) >>> 0) % most;
  };
}

const pick = <T>(random: (most: number) => number, of: readonly T[]) => of[random(of.length)]!;

function randomMessages(seed: number): Message[] {
  const random = randomOf(seed);
  const ids = pick(random, [
    [undefined, ''],
    ['a'],
    ['a', 'b', undefined],
    ['a', 'b', ''],
    ['a', 'b', 'c', 'd', undefined, ''],
  ]);
  const tools = pick(random, [['t'], ['t', 'u']]);
  const raws = [{}, {}, undefined, undefined];
  const part = (): Part => {
    const callId = pick(random, ids);
    const raw = pick(random, raws);
    if (random(9) === 0) return { type: 'text', text: 'x' };
    return random(2) === 0
      ? { type: 'call', callId, tool: pick(random, tools), input: '{}', raw }
      : { type: 'result', callId, tool: pick(random, [...tools, undefined]), content: [], raw };
  };
  return Array.from({ length: random(30) }, (): Message => {
    const group = pick(random, [undefined, undefined, 'g', 'h']);
    return {
      role: pick(random, ['assistant', 'assistant', 'tool', 'tool', 'user', 'meta']),
      parts: Array.from({ length: pick(random, [1, 1, 2, 20]) }, part),
      ...(group === undefined ? {} : { group }),
    };
  });
}

it('calls and results pair as the plain rules have it', () => {
  let late = 0;
  for (let seed = 0; seed < 1500; seed++) {
    const messages = randomMessages(seed);
    const told = ({ calls, results }: ReturnType<typeof pair>) => {
      const at = new Map<unknown, number>(
        [...calls.entries(), ...results.entries()].map(([index, one]) => [one, index]),
      );
      return {
        results: results.map(({ standing, call }) => [standing, call && at.get(call)]),
        calls: calls.map((call) => call.results.map((result) => at.get(result))),
      };
    };
    const [found, plain] = [told(pair(messages)), told(plainPair(messages))];
    // as JSON first: `expect` looks at each number
    if (JSON.stringify(found) !== JSON.stringify(plain)) expect(found, `seed ${seed}`).toEqual(plain);
    late += found.results.filter(([standing]) => standing !== 'in place').length;
  }
  expect(late).toBeGreaterThan(5000);
});

/** Whether a call is answered in the model's turn, by a walk from its message on. */
function plainAnswered(messages: readonly Message[], { message, results }: CallSite, asRequest: boolean): boolean {
  const isFlagged = ({ raw }: Message) => raw instanceof JsonNode && raw.get('isSidechain')?.boolean === true;
  if (results.length === 0 && asRequest) return false;
  let isReply = true; // only model messages so far
  for (let index = message + 1; index < messages.length; index++) {
    const next = messages[index]!;
    if (next.role === 'meta' || (isFlagged(next) && !isFlagged(messages[message]!))) continue;
    if (next.role === 'assistant' && isReply) continue;
    if (next.role !== 'tool') return false;
    isReply = false;
    if (results.some((result) => result.message === index)) return true;
  }
  return isReply && results.length === 0;
}

it('calls are answered in the turn of the model as a walk from each has it', () => {
  const raws = [parse('{"isSidechain":true}'), parse('{}')];
  const seen = new Map<boolean, number>();
  for (let seed = 0; seed < 1500; seed++) {
    const random = randomOf(seed);
    const messages = randomMessages(seed).map((message) => ({ ...message, raw: pick(random, raws) }));
    for (const asRequest of [false, true]) {
      const isAnswered = answeredInTurnIn(messages, asRequest);
      for (const call of pair(messages).calls) {
        const found = isAnswered(call);
        if (found !== plainAnswered(messages, call, asRequest)) expect.fail(`seed ${seed}, call ${call.message}`);
        seen.set(found, (seen.get(found) ?? 0) + 1);
      }
    }
  }
  expect(Math.min(seen.get(true)!, seen.get(false)!)).toBeGreaterThan(1000);
});

/** Some calls come along with their results, as one value. */
function withOwnResults(messages: readonly Message[], seed: number): readonly Message[] {
  const random = randomOf(seed);
  return messages.map((message) => ({
    ...message,
    parts: message.parts.flatMap((part): Part[] => {
      if (part.type !== 'call' || random(2) === 0) return [part];
      const raw = {};
      return [
        { ...part, raw },
        { type: 'result', callId: part.callId, content: [], raw },
      ];
    }),
  }));
}

it.each([
  ['results', (messages: readonly Message[]) => messages],
  ['results that stand beside their calls', withOwnResults],
])('messages that are added leave pairs as they are where it says so: %s', (_, change) => {
  let found = 0;
  for (let seed = 0; seed < 3000; seed++) {
    const messages = change(randomMessages(seed), seed);
    const whole = pair(messages);
    if (!pairsAsItGrows(whole)) continue;
    const told = ({ results }: typeof whole, end: number) =>
      results.filter(({ message }) => message < end).map(({ part, standing, call }) => [part, standing, call?.part]);
    for (let end = 1; end < messages.length; end++) {
      const [now, later] = [told(pair(messages.slice(0, end)), end), told(whole, end)];
      if (now.some((row, at) => row.some((cell, index) => cell !== later[at]![index]))) expect.fail(`seed ${seed}`);
    }
    found += whole.results.length;
  }
  expect(found).toBeGreaterThan(1000);
});

it('turns of one role are joined as two by two', () => {
  let joins = 0;
  for (let seed = 0; seed < 1500; seed++) {
    const random = randomOf(seed);
    const messages = randomMessages(seed).map((message) => ({ ...message, raw: {}, parts: message.parts.slice(0, 3) }));
    const [resultsLeadText, resultsShareMessage] = [random(2) === 0, random(2) === 0];
    const traits = { rolesAlternate: true, resultsLeadText, resultsShareMessage };
    const after: Transcript = { format: 'test', traits, messages };
    const plain: Message[] = [];
    for (const message of messages) {
      const at = plain.findLastIndex(({ role }) => role !== 'meta');
      const one = message.role === 'meta' || at < 0 ? undefined : joined(plain[at]!, message, traits);
      if (one === undefined) plain.push(message);
      else plain[at] = one;
    }
    const found = alternating({ ...after, messages: [] }, after).messages;
    if (JSON.stringify(found) !== JSON.stringify(plain)) expect(found, `seed ${seed}`).toEqual(plain);
    joins += messages.length - found.length;
  }
  expect(joins).toBeGreaterThan(5000);
});

it('rules join messages at once as one after the other', () => {
  const [block, word] = [parse('{"text":"x"}'), parse('"x"')];
  let joins = 0;
  for (let seed = 0; seed < 1500; seed++) {
    const random = randomOf(seed);
    const text = (): Part => ({ type: 'text', text: `t${random(9)}`, raw: pick(random, [block, word, undefined]) });
    const call = (): Part => ({ type: 'call', callId: 'a', tool: 't', input: '{}', raw: block });
    const result = (): Part => ({ type: 'result', callId: 'a', content: [], raw: block });
    const kinds = pick(random, [[text], [text, text, call, result]]);
    const wired = random(4); // most have JSON of their own, or few
    const roles = pick(random, [['user'], ['user', 'tool'], ['assistant'], ['user', 'assistant', 'tool', 'meta']]);
    const messages = Array.from(
      { length: 2 + random(12) },
      (): Message => ({
        role: pick(random, roles) as Message['role'],
        parts: Array.from({ length: pick(random, [0, 1, 1, 1, 2]) }, () => pick(random, kinds)()),
        raw: random(5) < wired ? undefined : block,
      }),
    );
    const wire = ({ raw }: Message) => (raw === undefined ? undefined : block);
    const contextOf = (list: readonly Message[]) =>
      ({ transcript: { format: 'test', traits: {}, messages: list }, wire }) as unknown as RuleContext;
    const joining = new Set(messages.flatMap(({ role }, at) => (role !== 'meta' && random(5) > 0 ? [at] : [])));
    let plain: readonly Message[] = messages;
    for (const message of messages.filter((_, at) => joining.has(at)))
      plain = withJoined(contextOf(plain), new Set([plain.indexOf(message)])).messages;
    const found = withJoined(contextOf(messages), joining).messages;
    if (JSON.stringify(found) !== JSON.stringify(plain)) expect(found, `seed ${seed}`).toEqual(plain);
    joins += messages.length - found.length;
  }
  expect(joins).toBeGreaterThan(2000);
});

it('the nearest message with a place is found as a walk back from each has it', () => {
  for (let seed = 0; seed < 300; seed++) {
    const random = randomOf(seed);
    const messages = Array.from({ length: 1 + random(40) }, (): Message => {
      const own = () => (random(4) === 0 ? parse('1') : random(2) === 0 ? {} : undefined);
      return { role: 'user', parts: [], raw: own(), origin: own() as JsonNode };
    });
    const columns = new Map<unknown, number>();
    for (const { raw, origin } of messages)
      for (const node of [raw, origin]) if (node instanceof JsonNode && random(3) > 0) columns.set(node, columns.size);
    let asked = 0;
    const positions = (node: JsonNode) => {
      asked++;
      const column = columns.get(node);
      return column === undefined ? undefined : { line: 1, column };
    };
    const plain = (index: number): number | undefined => {
      for (const { raw, origin } of messages.slice(0, index + 1).reverse())
        for (const node of [raw, origin]) if (columns.has(node)) return columns.get(node);
      return undefined;
    };
    const positionOf = messagePositions(messages, positions);
    for (let times = 0; times < 200; times++) {
      const index = random(messages.length);
      expect(positionOf(index)?.column, `seed ${seed}, message ${index}`).toBe(plain(index));
    }
    expect(asked).toBeLessThanOrEqual(2 * messages.length);
  }
});

describe('sources', () => {
  const SPREAD = new RegExp(
    [
      /\.(?:push|unshift|concat)\(\s*\.\.\./,
      /Math\.(?:max|min)\([^()]*\.\.\./,
      /fromC(?:harCode|odePoint)\(\s*\.\.\./,
      /splice\([^;]*\.\.\./,
    ]
      .map(({ source }) => source)
      .join('|'),
    'g',
  );
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  it('spread no list into arguments: the stack has room for some 100,000', () => {
    expect(files.length).toBeGreaterThan(300);
    const found = files.flatMap((name) =>
      [...readFileSync(join('src', name), 'utf8').matchAll(SPREAD)].map(([text]) => `${name}: ${text}`),
    );
    lawful(found);
  });
});

describe('150,000 calls in one message, more than the stack has room for as arguments', () => {
  const COUNT = 150_000;
  const call = (index: number): Part => ({ type: 'call', callId: `c${index % 3}`, tool: 'read', input: '{}' });
  const result = (index: number): Part => ({
    type: 'result',
    callId: `c${index % 3}`,
    tool: 'read',
    content: [{ type: 'text', text: 'what was read' }],
  });
  const messages: Message[] = [
    { role: 'user', parts: [{ type: 'text', text: 'go' }] },
    { role: 'assistant', parts: Array.from({ length: COUNT }, (_, index) => call(index)) },
    { role: 'tool', parts: Array.from({ length: COUNT }, (_, index) => result(index)) },
    { role: 'user', parts: [{ type: 'text', text: 'and then?' }] },
  ];
  const counts: Counts = { text: () => 3, message: ({ parts }) => parts.length, definitions: () => 0, perRequest: 0 };
  const plain: Transcript = openText('[{"role":"user","content":"go"}]').transcripts[0]!;
  const left = (step: Parameters<typeof stepsOf>[0][number]) => {
    const after = applySteps({ ...plain, messages }, stepsOf([step]), counts).messages;
    return after.reduce((sum, { parts }) => sum + parts.length, 0);
  };
  const ALL = 2 * COUNT + 2;
  const LEFT: Readonly<Record<string, number>> = { filter: 6, strip: 2, fit: 2, inject: ALL + 1 };
  const trials = forEveryTransform([
    ['filter', { maxToolCalls: 2 }],
    ['strip', {}],
    ['patch', {}],
    ['clear', { trigger: 1 }],
    ['truncate', { maxLength: 5, noMinimum: true }],
    ['prune', { empty: true }],
    ['fit', { maxTokens: 10 }],
    ['inject', { user: 'Go on.' }],
    ['guard', { policy: guardOf({ version: 1, rules: [{ id: 'r', type: 'no_repeat', tool: '*' }] }) }],
  ]);
  it.each(trials.filter((_, index) => LAWS || index % 3 === 0))('%s %j', (id, options) => {
    expect(left({ transform: id, ...options } as StepName)).toBe(LEFT[id] ?? ALL);
  });

  it('patch, where they have no results, and where those share a message', () => {
    const open = messages.filter(({ role }) => role !== 'tool');
    const transcript = { ...plain, messages: open };
    for (const resultsShareMessage of [false, true]) {
      const shaped = { ...transcript, traits: { ...transcript.traits, resultsShareMessage } };
      const after = applySteps(shaped, stepsOf([{ transform: 'patch' }]), counts).messages;
      expect(after.reduce((sum, { parts }) => sum + parts.length, 0)).toBe(2 * COUNT + 2);
      expect(after.length).toBe(resultsShareMessage ? 4 : COUNT + 3);
    }
  });
});
