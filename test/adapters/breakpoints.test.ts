/** One more cache breakpoint, judged by a plain model of Anthropic's cache: what the requests of a long run cost. */
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trim as aiSdk } from '../../src/adapters/ai-sdk.js';
import { trim } from '../../src/adapters/anthropic.js';
import { trim as langchain } from '../../src/adapters/langchain.js';
import type { StepName } from '../../src/index.js';
import { runs } from '../shared/random-runs.js';
import { expectAccepted } from './shared/judge.js';

type Block = Record<string, unknown> & { cache_control?: object };
interface Message {
  readonly role: string;
  readonly content: Block[];
}
interface Body {
  readonly model: string;
  readonly max_tokens: number;
  readonly system: Block[];
  readonly messages: Message[];
}

const MARK = { type: 'ephemeral' };
const SYSTEM: Block[] = [{ type: 'text', text: 'You are an agent. '.repeat(300), cache_control: MARK }];

/** A run of an agent: a task, then calls, each with a result. */
function history(calls: number, size = 4000): Message[] {
  const rounds = Array.from({ length: calls }, (_, at): Message[] => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `t${at}`, name: 'read', input: { path: `${at}.ts` } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${at}`, content: `${at} `.repeat(size / 4) }] },
  ]);
  return [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }, ...rounds.flat()];
}

/** The request of an agent that marks its system prompt and its last message. */
function bodyOf(messages: readonly Message[], system = SYSTEM): Body {
  const last = messages.at(-1)!;
  const blocks = last.content.map((block, at) =>
    at === last.content.length - 1 ? { ...block, cache_control: MARK } : block,
  );
  return {
    model: 'claude-sonnet-4-5',
    max_tokens: 100,
    system,
    messages: [...messages.slice(0, -1), { ...last, content: blocks }],
  };
}

function blocksOf({ system, messages }: Body): Block[] {
  return [...system, ...messages.flatMap(({ content }) => content)];
}

function marksIn(body: Body): number {
  return blocksOf(body).filter(({ cache_control }) => cache_control !== undefined).length;
}

/**
 * What requests cost in characters of input. A breakpoint reads the longest entry that ends at it or up to 20 blocks
 * before; it writes one. https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 */
function costOf(bodies: readonly Body[]): number {
  const entries = new Set<string>();
  let cost = 0;
  for (const body of bodies) {
    let prefix = '';
    const ends = blocksOf(body).map(({ cache_control: mark, ...block }) => {
      prefix += JSON.stringify(block);
      return { prefix, isMarked: mark !== undefined };
    });
    const marked = ends.flatMap(({ isMarked }, at) => (isMarked ? [at] : []));
    const found = marked.flatMap((mark) => ends.slice(Math.max(0, mark - 19), mark + 1));
    const read = Math.max(0, ...found.filter((end) => entries.has(end.prefix)).map((end) => end.prefix.length));
    const written = Math.max(read, ends[marked.at(-1) ?? 0]!.prefix.length);
    for (const mark of marked) entries.add(ends[mark]!.prefix);
    cost += 0.1 * read + 1.25 * (written - read) + (prefix.length - written);
  }
  return cost;
}

/** What an agent sends, call by call. */
async function sent(steps: readonly StepName[], whole: readonly Message[], options = {}): Promise<Body[]> {
  const { request } = trim(steps, options);
  const bodies: Body[] = [];
  for (let end = 1; end <= whole.length; end += 2) bodies.push(await request(bodyOf(whole.slice(0, end))));
  return bodies;
}

function withoutOwn(body: Body): Body {
  const { messages } = body;
  const plain = messages.map((message, at) =>
    at === messages.length - 1
      ? message
      : { ...message, content: message.content.map(({ cache_control: _, ...block }) => block) },
  );
  return { ...body, messages: plain };
}

describe.each<[string, readonly StepName[], number]>([
  ['clear in groups', ['clear:trigger=0,keep=10,every=20'], 0.98],
  ['filter in groups', ['filter:max-tool-calls=10,every=20'], 1],
  ['clear at each call', ['clear:trigger=0,keep=10,every=1'], 0.85],
  ['clear when it pays', ['clear:trigger=0,keep=10'], 1],
])('%s', (_, steps, most) => {
  it('costs less than without it, and is accepted', async () => {
    const bodies = await sent(steps, history(70, 2000));
    expect(costOf(bodies) / costOf(bodies.map(withoutOwn))).toBeLessThan(most);
    expect(Math.max(...bodies.map(marksIn))).toBeLessThanOrEqual(4);
    for (const { messages } of [bodies[3]!, bodies.at(-1)!]) expectAccepted(messages, 'anthropic-messages');
  });
});

it('never exceeds four breakpoints, and sends the same twice, whatever the caller marks', async () => {
  const property = fc.asyncProperty(
    fc.integer({ min: 1, max: 16 }),
    fc.array(fc.nat({ max: 32 }), { maxLength: 5 }),
    fc.constantFrom(undefined, '5m', '1h'),
    async (calls, marked, ttl) => {
      const mark = ttl === undefined ? MARK : { ...MARK, ttl };
      const messages = history(calls, 400).map((message, at) =>
        marked.includes(at) ? { ...message, content: [{ ...message.content[0]!, cache_control: mark }] } : message,
      );
      const body = { model: 'claude-sonnet-4-5', max_tokens: 100, system: [], messages };
      const own = marksIn(body);
      const { request } = trim(['clear:trigger=0,keep=3,every=5']);
      const after = await request(body);
      expect(marksIn(after)).toBeLessThanOrEqual(own === 0 ? 0 : Math.max(own, Math.min(4, own + 1)));
      expect(await trim(['clear:trigger=0,keep=3,every=5']).request(after)).toEqual(after);
      if (own <= 4) expectAccepted(after.messages, 'anthropic-messages');
    },
  );
  await fc.assert(property, runs(1 / 20));
});

it('adds none to a request that has none, or that has one among the calls that can go', async () => {
  const messages = history(30);
  const { request } = trim(['clear:trigger=0,keep=3,every=5']);
  expect(marksIn(await request({ ...bodyOf(messages), system: [], messages }))).toBe(0);
  const early = messages.with(3, { ...messages[3]!, content: [{ ...messages[3]!.content[0]!, cache_control: MARK }] });
  expect(marksIn(await request(bodyOf(early)))).toBe(3);
  const automatic = await request({ ...bodyOf(messages), system: [], messages, cache_control: MARK });
  expect(marksIn(automatic)).toBe(1);
});

it('lives as long as the breakpoint behind it', async () => {
  const hour = { type: 'ephemeral', ttl: '1h' };
  const body = bodyOf(history(30), [{ ...SYSTEM[0]!, cache_control: hour }]);
  const { messages } = await trim(['filter:max-tool-calls=3,every=5']).request(body);
  const marks = messages.flatMap(({ content }) => content.flatMap(({ cache_control }) => cache_control ?? []));
  expect(marks).toEqual([MARK, MARK]);
});

describe('in frameworks', () => {
  const cleared = 'clear:trigger=0,keep=3,every=5';

  it('marks a message of an AI SDK prompt for Anthropic alone', async () => {
    const providerOptions = { anthropic: { cacheControl: MARK } };
    const rounds = Array.from({ length: 12 }, (_, at) => {
      const call = { toolCallId: `t${at}`, toolName: 'read' };
      const output = { type: 'text', value: `${at} `.repeat(1000) };
      return [
        { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
        { role: 'tool', content: [{ type: 'tool-result', ...call, output }] },
      ];
    });
    const prompt = [
      { role: 'system', content: 'You are an agent.', providerOptions },
      { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
      ...rounds.flat(),
    ];
    const params = { prompt } as never;
    const model = (provider: string) => ({ provider, modelId: 'claude-sonnet-4-5' }) as never;
    const through = async (provider: string) => {
      const { middleware } = aiSdk([cleared]);
      const given = { type: 'generate' as const, params, model: model(provider) };
      const { prompt: after } = await middleware.transformParams!(given);
      return after.flatMap((message, at) => (message.providerOptions === undefined ? [] : [at]));
    };
    expect(await through('anthropic.messages')).toEqual([0, 2 + 2 * 5 - 1]);
    expect(await through('openai.chat')).toEqual([0]);
  });

  it('marks a message of LangChain for Anthropic alone, which stays an instance', async () => {
    const rounds = Array.from({ length: 12 }, (_, at) => [
      new AIMessage({ content: '', tool_calls: [{ id: `t${at}`, name: 'read', args: {} }] }),
      new ToolMessage({ content: `${at} `.repeat(1000), tool_call_id: `t${at}` }),
    ]);
    const messages = [new HumanMessage('Go.'), ...rounds.flat()];
    const through = async (type: string) => {
      const request = { messages, model: { _llmType: () => type }, modelSettings: { cache_control: MARK } };
      const after = await langchain([cleared]).wrapModelCall(request, ({ messages: given }) => given);
      expect(
        after.every(
          (message) => message instanceof HumanMessage || 'tool_calls' in message || message instanceof ToolMessage,
        ),
      ).toBe(true);
      return after.flatMap((message, at) => (JSON.stringify(message).includes('cache_control') ? [at] : []));
    };
    expect(await through('anthropic')).toEqual([1 + 2 * 5 - 1]);
    expect(await through('openai')).toEqual([]);
  });
});
