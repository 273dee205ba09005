/** The adapter for AI SDK with its versions 5, 6 and 7, and a model that records what it is sent. */
import * as ai6 from 'ai';
import * as ai5 from 'ai-5';
import * as ai7 from 'ai-7';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { guard, trim } from '../../src/adapters/ai-sdk.js';
import { check, policyNamed, run, type StepName } from '../../src/index.js';
import { runs } from '../shared/random-runs.js';
import { type AssistantTurn, histories, policies, REQUESTS, script, type Turn } from './shared/histories.js';
import { expectAccepted, predictedCalls } from './shared/judge.js';

type Sdk = typeof ai6;
type Message = ai6.ModelMessage;
type Prompt = readonly (Message & { readonly content: unknown })[];

/** What a version wants of a model. Versions 5 and 7 have the functions of version 6 that are used here. */
const VERSIONS = [
  { name: 'AI SDK 5', sdk: ai5 as unknown as Sdk, specification: 'v2', hook: 'prepareStep' },
  { name: 'AI SDK 6', sdk: ai6, specification: 'v3', hook: 'middleware' },
  { name: 'AI SDK 7', sdk: ai7 as unknown as Sdk, specification: 'v4', hook: 'prepareStep' },
] as const;

const POLICY: readonly StepName[] = ['patch', 'filter:max-tool-calls=7,every=5', 'truncate:max-length=300,no-minimum'];

describe.each(VERSIONS)('$name', ({ sdk, specification, hook }) => {
  /** A model that answers with these turns, and the prompts that it was sent, as JSON. */
  function fakeModel(turns: readonly AssistantTurn[]) {
    const prompts: string[] = [];
    const isOld = specification === 'v2';
    const doGenerate = async ({ prompt }: { prompt: Prompt }) => {
      const { text, calls } = turns[prompts.length]!;
      prompts.push(JSON.stringify(prompt));
      const reason = calls.length > 0 ? 'tool-calls' : 'stop';
      return {
        content: [
          ...(text === '' ? [] : [{ type: 'text', text }]),
          ...calls.map(({ id, tool, args }) => ({
            type: 'tool-call',
            toolCallId: id,
            toolName: tool,
            input: JSON.stringify(args),
          })),
        ],
        finishReason: isOld ? reason : { unified: reason, raw: undefined },
        usage: isOld ? { inputTokens: 1, outputTokens: 1, totalTokens: 2 } : { inputTokens: {}, outputTokens: {} },
        warnings: [],
      };
    };
    const model = {
      specificationVersion: specification,
      provider: 'fake',
      modelId: 'fake',
      supportedUrls: {},
      doGenerate,
    };
    return { prompts, model: model as unknown as ai6.LanguageModel & object };
  }

  async function ask(messages: readonly Message[], steps: readonly StepName[], by: 'prepareStep' | 'middleware') {
    const { prompts, model } = fakeModel([{ who: 'assistant', text: 'Well.', calls: [] }]);
    const hooks = trim(steps);
    await (by === 'prepareStep'
      ? sdk.generateText({ model, messages: [...messages], prepareStep: hooks.prepareStep })
      : sdk.generateText({ model: wrapped(model, hooks), messages: [...messages] }));
    return JSON.parse(prompts[0]!) as Prompt;
  }

  const wrapped = (model: object, { middleware }: ReturnType<typeof trim>) =>
    sdk.wrapLanguageModel({ model: model as never, middleware });

  it('sends random histories so that no provider refuses them, and stores them whole', async () => {
    const property = fc.asyncProperty(histories, policies, async (turns, steps) => {
      const messages = turns.flatMap(modelMessages);
      const before = structuredClone(messages);
      const prompt = await ask(messages, steps, 'prepareStep');
      expect(messages).toEqual(before);
      for (const provider of ['anthropic', 'openai-chat']) expectAccepted(prompt, 'vercel-model', provider);
      const again = await trim(steps).prepareStep({ messages: (await trim(steps).prepareStep({ messages })).messages });
      expect(again).toEqual(await trim(steps).prepareStep({ messages }));
      const answered = turns.filter((turn) => turn.who === 'user' || turn.calls.every(({ result }) => result));
      expectAccepted(await ask(answered.flatMap(modelMessages), steps, 'middleware'), 'vercel-model', 'anthropic');
    });
    await fc.assert(property, runs(1 / 300));
  });

  it(`sends ${REQUESTS} requests as predicted, by ${hook}`, async () => {
    const turns = script(REQUESTS);
    const results = new Map(turns.flatMap(({ calls }) => calls.map(({ id, result }) => [id, result!])));
    const execute = async (_: unknown, { toolCallId }: { toolCallId: string }) => results.get(toolCallId)!;
    const inputSchema = z.object({ q: z.string() });
    const tools = Object.fromEntries(['search', 'read', 'run'].map((name) => [name, { inputSchema, execute }]));
    const agent = async (hooks: ReturnType<typeof trim> | undefined) => {
      const { prompts, model } = fakeModel(turns);
      const { response } = await sdk.generateText({
        model: hooks && hook === 'middleware' ? wrapped(model, hooks) : model,
        prompt: 'Begin.',
        tools: tools as ai6.ToolSet,
        stopWhen: sdk.stepCountIs(300),
        ...(hooks && hook === 'prepareStep' ? { prepareStep: hooks.prepareStep } : {}),
      });
      return { prompts, response };
    };
    const [whole, trimmed] = [await agent(undefined), await agent(trim(POLICY))];
    expect(trimmed.prompts).toHaveLength(REQUESTS);
    const predicted = whole.prompts.map((prompt) => run(prompt, POLICY, { from: 'vercel-model' }));
    expect(trimmed.prompts.findIndex((prompt, index) => prompt !== predicted[index])).toBe(-1);
    const last = { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] };
    const history = [...(JSON.parse(whole.prompts.at(-1)!) as Prompt), last];
    const calls = trimmed.prompts.map((prompt) => prompt.split('"type":"tool-call"').length - 1);
    expect(calls).toEqual(await predictedCalls(history, 'vercel-model', POLICY));
    expect(Math.max(...calls)).toBeLessThan(20);
    if (hook === 'middleware') expect(trimmed.response.messages).toEqual(whole.response.messages);
  });

  it('lets a policy refuse calls', async () => {
    const refused = { id: 'call_1', tool: 'query_history', args: { q: 'x' }, result: undefined };
    const { prompts, model } = fakeModel([
      { who: 'assistant', text: '', calls: [refused] },
      { who: 'assistant', text: 'Well.', calls: [] },
    ]);
    const ran: unknown[] = [];
    const execute = async (args: unknown) => ran.push(args);
    const tools = { query_history: { inputSchema: z.object({ q: z.string() }), execute } } as unknown as ai6.ToolSet;
    await sdk.generateText({
      model,
      prompt: 'Translate this sentence.',
      tools: guard(policyNamed('query-history')!).tools(tools),
      stopWhen: sdk.stepCountIs(3),
    });
    expect(ran).toEqual([]);
    expect((JSON.parse(prompts[1]!) as Prompt).at(-1)!.content).toMatchObject([
      { output: { value: { success: false } } },
    ]);
  });

  it.skipIf(specification === 'v2')('leaves calls open that wait for the user', async () => {
    const call = (id: string, q: string) => ({ id, tool: 'run', args: { q }, result: undefined });
    const { prompts, model } = fakeModel([
      { who: 'assistant', text: '', calls: [call('a', '1'), call('b', '2')] },
      { who: 'assistant', text: 'Well.', calls: [] },
    ]);
    const ran: string[] = [];
    const execute = async ({ q }: { q: string }) => `ran ${ran.push(q)}`;
    const needsApproval = true;
    const tools = { run: { inputSchema: z.object({ q: z.string() }), execute, needsApproval } } as never;
    const first = await sdk.generateText({ model, prompt: 'Run.', tools });
    const asked: Message[] = [{ role: 'user', content: 'Run.' }, ...first.response.messages];
    const steps: StepName[] = ['patch', 'filter:max-tool-calls=2'];
    expect(run(asked, steps)).toEqual(asked);
    const requests = asked.flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.flatMap((part) => (part.type === 'tool-approval-request' ? part : [])),
    );
    const answers = requests.map(({ approvalId }, index) => ({
      type: 'tool-approval-response' as const,
      approvalId,
      approved: index === 0,
    }));
    const answered: Message[] = [...asked, { role: 'tool', content: answers }];
    expect(run(answered, steps)).toEqual(answered);
    expect(check(answered, { asRequest: true }).filter(({ severity }) => severity === 'error')).toEqual([]);
    const { prepareStep, middleware } = trim(steps);
    const wrapped = sdk.wrapLanguageModel({ model: model as never, middleware });
    await sdk.generateText({
      model: wrapped,
      messages: run(answered, steps),
      prepareStep: prepareStep as never,
      tools,
    });
    expect(ran).toEqual(['1']);
    expectAccepted(JSON.parse(prompts[1]!), 'vercel-model', 'openai-chat');
    const gone: Message[] = [...asked, { role: 'user', content: 'Never mind.' }];
    expect(
      run(gone, ['patch'])
        .flatMap(({ content }) => JSON.stringify(content))
        .join(),
    ).toContain('tool-result');
  });

  it('lets a policy refuse calls by what was called before', async () => {
    const call = (id: string, q: string) => ({ id, tool: 'run', args: { q }, result: undefined });
    const { model } = fakeModel([
      { who: 'assistant', text: '', calls: [call('a', '1'), call('b', '1')] },
      { who: 'assistant', text: '', calls: [call('c', '2')] },
      { who: 'assistant', text: '', calls: [call('d', '1'), call('e', '3')] },
      { who: 'assistant', text: 'Well.', calls: [] },
    ]);
    const ran: string[] = [];
    const execute = async ({ q }: { q: string }) => `ran ${ran.push(q)}`;
    const tools = { run: { inputSchema: z.object({ q: z.string() }), execute } } as unknown as ai6.ToolSet;
    const rules = [
      { id: 'repeat', type: 'no_repeat', tool: 'run' },
      { id: 'steps', type: 'max_steps', max: 2 },
    ];
    const guarded = guard({ version: 1, rules }).tools(tools);
    await sdk.generateText({ model, prompt: 'Run.', tools: guarded, stopWhen: sdk.stepCountIs(9) });
    expect(ran).toEqual(['1', '2']);
  });

  it('leaves what allowed tools yield, what they write for the model, and `this`', async () => {
    const call = (id: string, tool: string) => ({ id, tool, args: { q: '1' }, result: undefined });
    const { prompts, model } = fakeModel([
      { who: 'assistant', text: '', calls: [call('a', 'yields'), call('b', 'gives'), call('c', 'draws')] },
      { who: 'assistant', text: '', calls: [call('d', 'draws'), call('e', 'yields')] },
      { who: 'assistant', text: 'Well.', calls: [] },
    ]);
    const inputSchema = z.object({ q: z.string() });
    async function* parts() {
      yield 'loading';
      yield { picture: 'drawn' };
    }
    const toModelOutput = (given: { picture: string; output?: { picture: string } }) => ({
      type: 'text',
      value: (given.output ?? given).picture.toUpperCase(),
    });
    const draws = { inputSchema, kept: 'kept', execute: async () => ({ picture: draws.kept }), toModelOutput };
    const yields = { inputSchema, execute: parts.bind(undefined) };
    const tools = { yields: { inputSchema, execute: parts }, gives: yields, draws } as unknown as ai6.ToolSet;
    draws.execute = async function (this: typeof draws) {
      return { picture: this.kept };
    };
    const rules = ['yields', 'draws'].map((tool) => ({ id: tool, type: 'max_calls', tool, max: 1 }));
    const guarded = guard({ version: 1, rules }).tools(tools);
    await sdk.generateText({ model, prompt: 'Run.', tools: guarded, stopWhen: sdk.stepCountIs(9) });
    const outputs = (JSON.parse(prompts.at(-1)!) as Prompt).flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.flatMap((part) => (part.type === 'tool-result' ? [part.output] : [])),
    );
    const drawn = { type: 'json', value: { picture: 'drawn' } };
    expect(outputs.slice(0, 3)).toEqual([drawn, drawn, { type: 'text', value: 'KEPT' }]);
    expect(outputs.slice(3)).toMatchObject(Array(2).fill({ type: 'json', value: { success: false } }));
  });

  it.skipIf(specification === 'v2')('counts a call once that the user approved', async () => {
    const call = (id: string) => ({ id, tool: 'run', args: { q: id }, result: undefined });
    const { model } = fakeModel([
      { who: 'assistant', text: '', calls: [call('a'), call('b')] },
      { who: 'assistant', text: '', calls: [call('a')] },
      { who: 'assistant', text: 'Well.', calls: [] },
    ]);
    const ran: string[] = [];
    const execute = async ({ q }: { q: string }) => `ran ${ran.push(q)}`;
    const approving = () =>
      guard({ version: 1, rules: [{ id: 'once', type: 'max_calls', tool: 'run', max: 1 }] }).tools({
        run: { inputSchema: z.object({ q: z.string() }), execute, needsApproval: true },
      } as unknown as ai6.ToolSet);
    const first = await sdk.generateText({ model, prompt: 'Run.', tools: approving() });
    const answers = first.response.messages.flatMap(({ content }) =>
      typeof content === 'string'
        ? []
        : content.flatMap((part) =>
            part.type === 'tool-approval-request'
              ? [{ type: 'tool-approval-response' as const, approvalId: part.approvalId, approved: true }]
              : [],
          ),
    );
    const messages: Message[] = [
      { role: 'user', content: 'Run.' },
      ...first.response.messages,
      { role: 'tool', content: answers },
    ];
    await sdk.generateText({ model, messages, tools: approving(), stopWhen: sdk.stepCountIs(9) });
    expect(ran).toEqual(['a']);
  });
});

function modelMessages(turn: Turn): Message[] {
  if (turn.who === 'user') return [{ role: 'user', content: turn.text }];
  const results = turn.calls.filter(({ result }) => result !== undefined);
  return [
    {
      role: 'assistant',
      content: [
        ...(turn.text === '' ? [] : [{ type: 'text' as const, text: turn.text }]),
        ...turn.calls.map(({ id, tool, args }) => ({
          type: 'tool-call' as const,
          toolCallId: id,
          toolName: tool,
          input: args,
        })),
      ],
    },
    ...(results.length === 0
      ? []
      : [
          {
            role: 'tool' as const,
            content: results.map(({ id, tool, result }) => ({
              type: 'tool-result' as const,
              toolCallId: id,
              toolName: tool,
              output: { type: 'text' as const, value: result! },
            })),
          },
        ]),
  ];
}
