/** The adapter for LangChain.js with the real package, and a chat model that records what it is sent. */
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import fc from 'fast-check';
import { createAgent, createMiddleware } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { guard, trim } from '../../src/adapters/langchain.js';
import { policyNamed, run, type StepName } from '../../src/index.js';
import { runs } from '../shared/random-runs.js';
import { type AssistantTurn, histories, policies, REQUESTS, script, type Turn } from './shared/histories.js';
import { expectAccepted, predictedCalls } from './shared/judge.js';

const POLICY: readonly StepName[] = ['patch', 'filter:max-tool-calls=7,every=5', 'truncate:max-length=300,no-minimum'];

/** Answers with these turns. */
class FakeModel extends BaseChatModel {
  readonly prompts: BaseMessage[][] = [];

  constructor(private readonly turns: readonly AssistantTurn[]) {
    super({});
  }
  override _llmType() {
    return 'fake';
  }
  override bindTools() {
    return this;
  }
  override async _generate(messages: BaseMessage[]) {
    const message = messagesOf(this.turns[this.prompts.length]!)[0]!;
    this.prompts.push(messages);
    return { generations: [{ text: '', message }] };
  }
}

const answered = (calls: AssistantTurn['calls']) => new Map(calls.map(({ id, result }) => [id, result]));
const tools = (results: ReadonlyMap<string, string | undefined>) =>
  ['search', 'read', 'run', 'query_history'].map((name) =>
    tool(async (_, { toolCall }) => results.get(toolCall.id) ?? '', { name, schema: z.object({ q: z.string() }) }),
  );

describe('LangChain.js', () => {
  it('sends random histories so that no provider refuses them, and stores them whole', async () => {
    const property = fc.asyncProperty(histories, policies, async (turns, steps) => {
      const model = new FakeModel([{ who: 'assistant', text: 'Well.', calls: [] }]);
      const messages = turns.flatMap(messagesOf);
      const before = messages.map(textOf); // the framework itself gives them ids
      const agent = createAgent({ model, tools: tools(new Map()), middleware: [createMiddleware(trim(steps))] });
      const { messages: stored } = await agent.invoke({ messages });
      expect(messages.map(textOf)).toEqual(before);
      expect(stored.slice(0, -1).map(textOf)).toEqual(before);
      const [prompt] = model.prompts;
      expect(prompt!.every((message) => typeof message.getType === 'function')).toBe(true);
      for (const provider of ['anthropic', 'openai-chat']) expectAccepted(prompt!, 'langchain', provider);
      const again = await trim(steps).wrapModelCall({ messages: prompt! }, ({ messages: sent }) => sent);
      expect(again.map(textOf)).toEqual(prompt!.map(textOf));
    });
    await fc.assert(property, runs(1 / 300));
  });

  it(`sends ${REQUESTS} requests as predicted`, async () => {
    const turns = script(REQUESTS);
    const results = answered(turns.flatMap(({ calls }) => calls));
    const agent = async (steps: readonly StepName[] | undefined) => {
      const model = new FakeModel(turns);
      const middleware = steps === undefined ? [] : [createMiddleware(trim(steps))];
      const made = createAgent({ model, tools: tools(results), middleware });
      const { messages } = await made.invoke({ messages: [new HumanMessage('Begin.')] }, { recursionLimit: 1000 });
      return { prompts: model.prompts, messages };
    };
    const [whole, trimmed] = [await agent(undefined), await agent(POLICY)];
    expect(trimmed.prompts).toHaveLength(REQUESTS);
    const texts = (messages: readonly object[]) => JSON.stringify(messages.map((message) => textOf(message)));
    const predicted = whole.prompts.map((prompt) =>
      texts(JSON.parse(run(JSON.stringify(prompt), POLICY, { from: 'langchain' })) as object[]),
    );
    expect(trimmed.prompts.map(texts).findIndex((text, index) => text !== predicted[index])).toBe(-1);
    const calls = trimmed.prompts.map((prompt) => prompt.flatMap((message) => (message as AIMessage).tool_calls ?? []));
    expect(calls.map(({ length }) => length)).toEqual(await predictedCalls(whole.messages, 'langchain', POLICY));
    expect(trimmed.messages.map(textOf)).toEqual(whole.messages.map(textOf));
  });

  it('gives other middleware instances, of messages that a step added, too', async () => {
    const seen: string[] = [];
    const look = createMiddleware({
      name: 'look',
      wrapModelCall(request, handler) {
        for (const message of request.messages) seen.push(`${message.getType()} ${message.constructor.name}`);
        return handler(request);
      },
    });
    const model = new FakeModel([{ who: 'assistant', text: 'Well.', calls: [] }]);
    const agent = createAgent({ model, tools: [], middleware: [createMiddleware(trim(['patch'])), look] });
    const open = messagesOf({
      who: 'assistant',
      text: '',
      calls: [{ id: 'a', tool: 'run', args: { q: '' } } as never],
    });
    await agent.invoke({ messages: [new HumanMessage('Run.'), ...open, new HumanMessage('Never mind.')] });
    expect(seen).toEqual(['human HumanMessage', 'ai AIMessage', 'tool ToolMessage', 'human HumanMessage']);
  });

  it('lets a policy refuse calls', async () => {
    const refused = { id: 'call_1', tool: 'query_history', args: { q: 'x' }, result: undefined };
    const model = new FakeModel([
      { who: 'assistant', text: '', calls: [refused] },
      { who: 'assistant', text: 'Well.', calls: [] },
    ]);
    const middleware = [createMiddleware(guard(policyNamed('query-history')!))];
    const agent = createAgent({ model, tools: tools(new Map([['call_1', 'ran']])), middleware });
    await agent.invoke({ messages: [new HumanMessage('Translate this sentence.')] });
    expect(JSON.parse(String(model.prompts[1]!.at(-1)!.content))).toMatchObject({ success: false });
  });
});

/** What a provider is sent of a message, whether it is an instance or JSON. */
function textOf(message: object): string {
  const json = JSON.parse(JSON.stringify(message)) as { kwargs: Record<string, unknown> };
  const { content, tool_calls, tool_call_id } = json.kwargs;
  return JSON.stringify([content, tool_calls ?? [], tool_call_id]);
}

function messagesOf(turn: Turn): BaseMessage[] {
  if (turn.who === 'user') return [new HumanMessage(turn.text)];
  const results = turn.calls.filter(({ result }) => result !== undefined);
  return [
    new AIMessage({
      content: turn.text,
      tool_calls: turn.calls.map(({ id, tool: name, args }) => ({ id, name, args, type: 'tool_call' as const })),
    }),
    ...results.map(({ id, tool: name, result }) => new ToolMessage({ content: result!, tool_call_id: id, name })),
  ];
}
