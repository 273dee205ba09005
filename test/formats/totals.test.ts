/** Totals that recordings state beside or instead of their requests, and requests that failed. */
import { describe, expect, it } from 'vitest';
import { totalOfModels } from '../../src/formats/shared/recorded.js';
import type { Recorded } from '../../src/transcript/types.js';
import { NO_USAGE } from '../../src/transcript/usage.js';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';

interface Found {
  readonly own: readonly Recorded[];
  readonly reply: Recorded | undefined;
  readonly others: readonly Recorded[];
}

/** What is recorded, by transcript. */
function recordedIn(text: string): Found[] {
  return openText(text).transcripts.map(({ messages, recorded, reply, others }) => ({
    own: messages.flatMap((message) => recorded?.(message) ?? []),
    reply,
    others: others ?? [],
  }));
}

const json = (value: unknown) => JSON.stringify(value);
const lines = (...values: unknown[]) => values.map(json).join('\n');

describe('a total', () => {
  it('of an ATIF trajectory has the number of its own requests, for nested ones too', () => {
    const step = (step_id: number, source: string, rest: object = {}) => ({ step_id, source, message: 'm', ...rest });
    const trajectory = (tokens: number, total_cost_usd: number) => ({
      schema_version: 'ATIF-v1.5',
      session_id: `s${tokens}`,
      agent: { name: 'a', version: '1', model_name: 'gpt-5' },
      steps: [step(1, 'user'), step(2, 'agent'), step(3, 'agent'), step(4, 'agent', { is_copied_context: true })],
      final_metrics: { total_prompt_tokens: tokens, total_completion_tokens: 5, total_cost_usd },
    });
    const totals = (cost: number, nested: number) =>
      recordedIn(json({ ...trajectory(100, cost), subagent_trajectories: [trajectory(7, nested)] })).map(
        ({ others }) => others,
      );
    // the cost of a trajectory has that of the nested ones
    expect(totals(1, 0.4)).toMatchObject([
      [{ running: { input: 100, output: 5 }, runningCost: '600000000000e-12', runningRequests: 2 }],
      [{ running: { input: 7 }, runningCost: '0.4', runningRequests: 2 }],
    ]);
    expect(totals(0.3, 0.4)).toMatchObject([[{ runningCost: '0.3' }], [{ runningCost: '0.4' }]]);
  });

  it('of a real ATIF trajectory equals the sum of its requests', () => {
    const [{ own, others }] = recordedIn(fixture('atif/terminus-2-linear-history.json')) as [Found];
    const sum = own.reduce((prompt, { usage }) => prompt + (usage?.input ?? 0), 0);
    expect(others).toMatchObject([{ running: { input: sum }, runningRequests: 3 }]);
  });

  it('of models has the number of requests that any of them states', () => {
    const running = { ...NO_USAGE, input: 1 };
    expect(totalOfModels([{ running, runningRequests: 3 }, { running }]).runningRequests).toBe(3);
    expect(totalOfModels([{ running }, { running }]).runningRequests).toBeUndefined();
  });

  it('of Copilot names requests and usage by model', () => {
    const [{ own }] = recordedIn(fixture('copilot-cli/hand-events.jsonl')) as [Found];
    expect(own.find(({ running }) => running !== undefined)).toMatchObject({
      runningRequests: 3,
      byModel: [
        { model: 'claude-sonnet-4.5', runningRequests: 1, running: { cacheRead: 15872 } },
        { model: 'gpt-5.1-codex', runningRequests: 2, running: { cacheRead: 13184 } },
      ],
    });
  });

  it('of SWE-agent has the number of calls; a cost of 0 is none', () => {
    const run = (model_stats: object) =>
      recordedIn(json({ history: [{ role: 'assistant', content: 'a', agent: 'main' }], info: { model_stats } }))[0]!;
    const stats = { instance_cost: 1.5, tokens_sent: 600, tokens_received: 60, api_calls: 6 };
    expect(run(stats).reply).toMatchObject({ running: { input: 600 }, runningCost: '1.5', runningRequests: 6 });
    expect(run({ instance_cost: 0, api_calls: 13 }).reply).toEqual({ runningRequests: 13 });
    expect(run({ instance_cost: 0, api_calls: 0 }).reply).toBeUndefined();
  });

  it('of a NeMo Gym rollout is that of as many requests as it has replies', () => {
    for (const { reply } of recordedIn(fixture('openai-responses/nemo-anyswe-pi.jsonl'))) {
      expect(reply?.usage).toBeUndefined();
      expect(reply?.running?.input).toBeGreaterThan(0);
      expect(reply?.runningRequests).toBeGreaterThan(1);
    }
  });

  it('of an AI SDK result is that of its steps', () => {
    const [found] = recordedIn(
      json({
        messages: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 't', input: {} }] },
          {
            role: 'tool',
            content: [{ type: 'tool-result', toolCallId: 'c', toolName: 't', output: { type: 'text', value: 'r' } }],
          },
          { role: 'assistant', content: [{ type: 'text', text: 'b' }] },
        ],
        totalUsage: { inputTokens: 600, outputTokens: 6 },
        steps: [{}, {}],
      }),
    ) as [Found];
    expect(found.reply).toMatchObject({ usage: { input: 600 }, billing: { requests: 2 } });
  });

  it('of an OpenHands run has the number of its costs', () => {
    const event = { id: 1, source: 'agent', action: 'message', args: { content: 'a' }, message: 'a' };
    const metrics = { accumulated_cost: 0.3, costs: [{ cost: 0.1 }, { cost: 0.2 }] };
    const [{ others }] = recordedIn(json({ instance_id: 'i', history: [event], metrics })) as [Found];
    expect(others).toEqual([{ running: undefined, runningCost: '0.3', runningRequests: 2 }]);
  });
});

it('a streamed response of Gemini is one request, with the usage of the piece that states most', () => {
  const piece = (text: string, usage: object) => ({
    candidates: [{ content: { role: 'model', parts: [{ text }] } }],
    usageMetadata: { promptTokenCount: 100, ...usage },
  });
  const response = [piece('a', {}), piece('b', { candidatesTokenCount: 7 }), piece('c', { candidatesTokenCount: 9 })];
  const request = { contents: [{ role: 'user', parts: [{ text: 'q' }] }] };
  const [{ own, reply }] = recordedIn(json({ request, response })) as [Found];
  expect(own.flatMap(({ usage }) => usage ?? [])).toMatchObject([{ input: 100, output: 9 }]);
  expect(reply?.usage).toMatchObject({ input: 100, output: 9 });
});

describe('an Inspect sample', () => {
  const message = (id: string, content: string) => ({ id, role: 'assistant', content, source: 'generate', model: 'm' });
  const event = (id: string, uuid: string, input_tokens: number, rest: object = {}) => ({
    event: 'model',
    uuid,
    timestamp: '2026-01-01T00:00:00Z',
    model: 'openai/m',
    input: [],
    tools: [],
    output: {
      model: 'm',
      choices: [{ message: message(id, id), stop_reason: 'stop' }],
      usage: { input_tokens, output_tokens: 1, total_tokens: input_tokens + 1 },
    },
    ...rest,
  });
  const sample = {
    id: 1,
    epoch: 1,
    input: 'a',
    messages: [{ id: 'u', role: 'user', content: 'a', source: 'input' }, message('one', 'one')],
    events: [event('one', 'e1', 10), event('grader', 'e2', 20), event('two', 'e3', 30, { cache: 'read' })],
    model_usage: { 'openai/m': { input_tokens: 30, output_tokens: 2, total_tokens: 32 } },
  };
  const log = json({ version: 2, status: 'success', eval: { model: 'openai/m' }, samples: [sample] });

  it('has the requests of its scorers, and states its totals', () => {
    const [{ own, others }] = recordedIn(log) as [Found];
    expect(own.flatMap(({ usage }) => usage?.input ?? [])).toEqual([10]);
    expect(others).toMatchObject([{ usage: { input: 20 }, requestId: 'e2' }, { running: { input: 30, output: 2 } }]);
  });
});

describe('a request that failed has no usage', () => {
  const user = { type: 'user', uuid: 'u', sessionId: 's', message: { role: 'user', content: 'a' } };
  const failedIn = (text: string) =>
    recordedIn(text)
      .flatMap(({ own, reply }) => [...own, ...(reply === undefined ? [] : [reply])])
      .filter(({ failed }) => failed);

  it('where Claude Code wrote the error as a message', () => {
    const usage = { input_tokens: 0, output_tokens: 0 };
    const message = { id: 'e', role: 'assistant', model: '<synthetic>', content: [{ type: 'text', text: 'E' }], usage };
    const line = { type: 'assistant', uuid: 'v', sessionId: 's', isApiErrorMessage: true, message };
    expect(failedIn(lines(user, line)).map(({ usage: none }) => none)).toEqual([undefined]);
    const stream = { type: 'assistant', uuid: 'v', session_id: 's', parent_tool_use_id: null, message };
    const init = { type: 'system', subtype: 'init', session_id: 's', model: 'claude-opus-4-6', tools: [] };
    expect(failedIn(lines(init, stream)).map(({ usage: none }) => none)).toEqual([undefined]);
  });

  it('where pi wrote zeros, but not where an aborted request has usage', () => {
    const line = (stopReason: string, input: number) => ({
      type: 'message',
      id: `${stopReason}${input}`,
      timestamp: '2026-05-12T01:02:30.000Z',
      message: {
        role: 'assistant',
        content: [],
        api: 'a',
        provider: 'p',
        model: 'm',
        stopReason,
        timestamp: 1,
        usage: { input, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: input, cost: { total: 0 } },
      },
    });
    const text = lines(line('stop', 1), line('error', 0), line('aborted', 5), line('aborted', 0));
    expect(failedIn(text).map(({ usage, cost }) => [usage, cost])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it('where the response is an error', () => {
    const messages = [{ role: 'user', content: 'a' }];
    const error = { error: { type: 'overloaded_error', message: 'm' } };
    const reply = { choices: [{ message: { role: 'assistant', content: 'b' } }] };
    const first = {
      request: { model: 'gpt-5', messages },
      response: { ...reply, usage: { prompt_tokens: 1, completion_tokens: 1 } },
    };
    expect(failedIn(lines(first, { request: { model: 'gpt-5', messages }, response: error }))).toEqual([
      { failed: true },
    ]);
  });
});
