/** Requests that continue a history on the server: nothing in them is dropped or answered. */
import { Agent, type AgentInputItem, type Model, type ModelRequest, Runner, tool, Usage } from '@openai/agents-core';
import * as ai from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as aiSdk from '../../src/adapters/ai-sdk.js';
import * as langchain from '../../src/adapters/langchain.js';
import * as openai from '../../src/adapters/openai.js';
import * as agents from '../../src/adapters/openai-agents.js';

const LONG = 'found '.repeat(500);
const STEPS = ['patch', 'filter:max-tool-calls=1', 'dedupe', 'prune:empty', 'fit:max-tokens=40', 'truncate'];
const CUT = expect.stringMatching(/^found [\s\S]*truncated/);
const SAID = expect.stringMatching(/\((?!\)).+\): patch, filter, dedupe, prune, fit did not run$/);

function hearing() {
  const warnings: string[] = [];
  return { warnings, options: { warn: (text: string) => warnings.push(text), check: 'throw' } as const };
}

describe('OpenAI Responses', () => {
  const results = ['a', 'b'].map((id) => ({ type: 'function_call_output', call_id: id, output: LONG }));
  const input = [...results, { role: 'user', content: 'And now?' }];

  it.each([{ previous_response_id: 'resp_1' }, { conversation: 'conv_1' }, { conversation: { id: 'conv_1' } }])(
    'with %j: only cuts, and says so once',
    async (setting) => {
      const { warnings, options } = hearing();
      const { request } = openai.trim(['truncate:max-length=1000', ...STEPS], options);
      for (let time = 0; time < 2; time++)
        expect((await request({ model: 'gpt-5', ...setting, input })).input).toEqual([
          ...results.map((result) => ({ ...result, output: CUT })),
          input[2],
        ]);
      expect(warnings).toEqual([expect.stringContaining(Object.keys(setting)[0]!)]);
      expect(warnings).toEqual([SAID]);
    },
  );

  it('without such a setting: does all steps', async () => {
    const body = { previous_response_id: null, input };
    expect((await openai.trim(['patch', 'truncate']).request(body)).input).toEqual([input[2]]);
  });

  it('says nothing if all steps only cut', async () => {
    const { warnings, options } = hearing();
    await openai.trim(['truncate'], options).request({ previous_response_id: 'resp_1', input });
    expect(warnings).toEqual([]);
  });

  it('keeps the reasoning that ids after it need', async () => {
    const reasoning = (id: string) => ({ type: 'reasoning', id, summary: [] });
    const call = (id: string, more: object) => [
      { type: 'function_call', call_id: id, name: 'run', arguments: '{}', ...more },
      { type: 'function_call_output', call_id: id, output: 'ran' },
    ];
    const items = [
      { role: 'user', content: 'Go' },
      ...[reasoning('rs_1'), reasoning('rs_2'), ...call('a', { id: 'fc_1' })],
      ...[reasoning('rs_3'), ...call('b', {})],
      ...[reasoning('rs_4'), { type: 'message', role: 'assistant', id: 'msg_1', content: [] }],
      { role: 'user', content: 'Go on' },
    ];
    const { request } = openai.trim(['prune:reasoning']);
    const kept = items.filter((item) => !('id' in item && item.id === 'rs_3'));
    expect((await request({ input: items })).input).toEqual(kept);
    expect((await request({ input: kept })).input).toEqual(kept);
    expect(
      (await openai.trim(['prune:reasoning', 'filter:max-tool-calls=1,every=1']).request({ input: items })).input,
    ).toEqual(items.filter((item) => !JSON.stringify(item).match(/rs_[123]|"a"/)));
  });
});

describe('OpenAI Agents SDK', () => {
  /** Calls two tools, and then answers. */
  function fakeModel() {
    const requests: ModelRequest[] = [];
    const call = (callId: string) => ({ type: 'function_call', callId, name: 'run', arguments: '{}' });
    const said = {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Well.' }],
    };
    const model: Model = {
      async getResponse(request: ModelRequest) {
        const output = requests.push(structuredClone(request)) === 1 ? [call('a'), call('b')] : [said];
        return { usage: new Usage(), output: output as never, responseId: `resp_${requests.length}` };
      },
      // biome-ignore lint/correctness/useYield: it is never called
      async *getStreamedResponse() {
        throw new Error('not streamed');
      },
    };
    return { requests, model };
  }

  it.each([
    ['model', { conversationId: 'conv_1' }],
    ['model', { previousResponseId: 'resp_0' }],
    ['callModelInputFilter', { conversationId: 'conv_1' }],
    ['callModelInputFilter', { previousResponseId: 'resp_0' }],
  ] as const)('by %s with %j: only cuts, and says so once', async (hook, setting) => {
    const { warnings, options } = hearing();
    const { requests, model } = fakeModel();
    const hooks = agents.trim(STEPS, options);
    const tools = [tool({ name: 'run', description: '', parameters: z.object({}), execute: () => LONG.repeat(20) })];
    const agent = new Agent({ name: 'agent', tools, model: hook === 'model' ? hooks.model(model) : model });
    const { callModelInputFilter } = hook === 'model' ? ({} as never) : hooks;
    await new Runner({ tracingDisabled: true, callModelInputFilter }).run(agent, 'Begin.', setting);
    const input = requests[1]!.input as AgentInputItem[];
    expect(input.map(({ type }) => type)).toEqual(['function_call_result', 'function_call_result']);
    expect(JSON.stringify(input)).toContain('truncated');
    expect(warnings).toEqual([SAID]);
  });
});

it('AI SDK: middleware only cuts, and says so once', async () => {
  const { warnings, options } = hearing();
  const prompts: unknown[] = [];
  const model = {
    specificationVersion: 'v3',
    provider: 'openai',
    modelId: 'gpt-5',
    supportedUrls: {},
    async doGenerate({ prompt }: { prompt: unknown }) {
      prompts.push(prompt);
      const usage = { inputTokens: {}, outputTokens: {} };
      return { content: [], finishReason: { unified: 'stop' }, usage, warnings: [] };
    },
  };
  const { middleware } = aiSdk.trim(STEPS, options);
  const output = { type: 'text' as const, value: LONG.repeat(20) };
  const results = ['a', 'b'].map((toolCallId) => ({
    role: 'tool' as const,
    content: [{ type: 'tool-result' as const, toolCallId, toolName: 'run', output }],
  }));
  await ai.generateText({
    model: ai.wrapLanguageModel({ model: model as never, middleware }),
    messages: [...results, { role: 'user', content: 'And now?' }],
    providerOptions: { openai: { previousResponseId: 'resp_1' } },
  });
  expect(JSON.stringify(prompts)).toMatch(/"a".*truncated.*"b".*truncated.*And now\?/);
  expect(warnings).toEqual([SAID]);
});

it('LangChain: only cuts, and says so once', async () => {
  const { warnings, options } = hearing();
  const messages = [{ type: 'tool', data: { tool_call_id: 'a', content: LONG.repeat(20), name: 'run' } }];
  const request = { messages, modelSettings: { previous_response_id: 'resp_1' } };
  const [sent, ...more] = await langchain.trim(STEPS, options).wrapModelCall(request, ({ messages: list }) => list);
  expect(JSON.stringify(sent)).toContain('truncated');
  expect(more).toEqual([]);
  expect(warnings).toEqual([SAID]);
});
