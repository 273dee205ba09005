/** The adapter for the OpenAI Agents SDK with the real package, and a model that records what it is sent. */
import {
  Agent,
  type AgentInputItem,
  type MCPServer,
  MemorySession,
  type Model,
  type ModelRequest,
  Runner,
  RunState,
  tool,
  Usage,
} from '@openai/agents-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { guard, trim } from '../../src/adapters/openai-agents.js';
import { type Policy, run, type StepName } from '../../src/index.js';
import { runs } from '../shared/random-runs.js';
import { type AssistantTurn, histories, policies, REQUESTS, script, type Turn } from './shared/histories.js';
import { expectAccepted, predictedCalls } from './shared/judge.js';

const POLICY: readonly StepName[] = ['patch', 'filter:max-tool-calls=7,every=5', 'truncate:max-length=300,no-minimum'];
const NO_CALLS: AssistantTurn = { who: 'assistant', text: 'Well.', calls: [] };

/** A model that answers with these turns, and what it was sent. */
function fakeModel(turns: readonly AssistantTurn[]) {
  const inputs: AgentInputItem[][] = [];
  const model: Model = {
    async getResponse({ input }: ModelRequest) {
      const output = itemsOf({ ...turns[inputs.length]!, calls: turns[inputs.length]!.calls.map(withoutResult) });
      inputs.push(structuredClone(input) as AgentInputItem[]);
      return { usage: new Usage(), output: output as never };
    },
    // biome-ignore lint/correctness/useYield: it is never called
    async *getStreamedResponse() {
      throw new Error('not streamed');
    },
  };
  return { inputs, model };
}

const withoutResult = <C extends object>(call: C) => ({ ...call, result: undefined });
const runnerWith = (options: object = {}) => new Runner({ tracingDisabled: true, ...options });

describe('OpenAI Agents SDK', () => {
  it('sends random histories so that no provider refuses them, and keeps the session whole', async () => {
    const property = fc.asyncProperty(histories, policies, async (turns, steps) => {
      const { inputs, model } = fakeModel([NO_CALLS, NO_CALLS, NO_CALLS]);
      const initialItems = turns.slice(0, -1).flatMap(itemsOf);
      const { callModelInputFilter, model: trimmed } = trim(steps);
      for (const [runner, asked] of [
        [runnerWith(), trimmed(model)],
        [runnerWith({ callModelInputFilter }), model],
      ] as const) {
        const session = new MemorySession({ initialItems });
        await runner.run(new Agent({ name: 'agent', model: asked }), 'And now?', { session });
        const stored = await session.getItems();
        expect(stored.slice(0, initialItems.length)).toEqual(initialItems);
        expect(stored.slice(initialItems.length).map(({ type }) => type)).toEqual(['message', 'message']);
      }
      const filtered = new Agent({ name: 'agent', model });
      await runnerWith({ callModelInputFilter }).run(filtered, turns.flatMap(itemsOf));
      for (const input of inputs) {
        expectAccepted(input, 'openai-agents', 'openai-responses');
        expect((await callModelInputFilter({ modelData: { input } })).input).toEqual(input);
      }
    });
    await fc.assert(property, runs(1 / 300));
  });

  it.each(['model', 'callModelInputFilter'] as const)(
    `sends ${REQUESTS} requests as predicted, by %s`,
    async (hook) => {
      const turns = script(REQUESTS);
      const results = new Map(turns.flatMap(({ calls }) => calls.map(({ id, result }) => [id, result!])));
      const tools = ['search', 'read', 'run'].map((name) =>
        tool({
          name,
          description: name,
          parameters: z.object({ q: z.string() }),
          execute: async (_, __, details) => results.get(details!.toolCall!.callId)!,
        }),
      );
      const ran = async (hooks: ReturnType<typeof trim> | undefined) => {
        const { inputs, model } = fakeModel(turns);
        const agent = new Agent({
          name: 'agent',
          tools,
          model: hooks && hook === 'model' ? hooks.model(model) : model,
        });
        const { callModelInputFilter } = hook === 'model' || hooks === undefined ? ({} as never) : hooks;
        const { history } = await runnerWith({ callModelInputFilter }).run(agent, 'Begin.', { maxTurns: 300 });
        return { inputs, history };
      };
      const [whole, trimmed] = [await ran(undefined), await ran(trim(POLICY))];
      expect(trimmed.inputs).toHaveLength(REQUESTS);
      const predicted = whole.inputs.map((input) => run(JSON.stringify(input), POLICY, { from: 'openai-agents' }));
      const sent = trimmed.inputs.map((input) => JSON.stringify(input));
      expect(sent.findIndex((input, index) => input !== predicted[index])).toBe(-1);
      const calls = trimmed.inputs.map((input) => input.filter(({ type }) => type === 'function_call').length);
      expect(calls).toEqual(await predictedCalls(whole.history, 'openai-agents', POLICY));
      expect(trimmed.history).toEqual(whole.history);
    },
  );

  it('lets a policy refuse calls by what was called before', async () => {
    const call = (id: string, q: string) => ({ id, tool: 'run', args: { q }, result: undefined });
    const { inputs, model } = fakeModel([
      { who: 'assistant', text: '', calls: [call('a', '1'), call('b', '1')] },
      { who: 'assistant', text: '', calls: [call('c', '2')] },
      { who: 'assistant', text: '', calls: [call('d', '1'), call('e', '3')] },
      NO_CALLS,
    ]);
    const ran: string[] = [];
    const execute = async ({ q }: { q: string }) => `ran ${ran.push(q)}`;
    const tools = [tool({ name: 'run', description: 'run', parameters: z.object({ q: z.string() }), execute })];
    const rules = [
      { id: 'repeat', type: 'no_repeat', tool: 'run' },
      { id: 'steps', type: 'max_steps', max: 2 },
    ];
    const agent = guard({ version: 1, rules }).agent(new Agent({ name: 'agent', tools, model }));
    await runnerWith().run(agent, 'Begin.');
    expect(ran).toEqual(['1', '2']);
    const outputs = inputs.at(-1)!.flatMap((item) => (item.type === 'function_call_result' ? [item.output] : []));
    const isDenied = outputs.map((output) => JSON.stringify(output).includes('success'));
    expect(isDenied).toEqual([false, true, false, true, true]);
  });

  describe('its guard', () => {
    const calls = (...tools: string[]): AssistantTurn => ({
      who: 'assistant',
      text: '',
      calls: tools.map((name, at) => ({
        id: `${name}-${at}-${next++}`,
        tool: name,
        args,
        result: undefined,
      })),
    });
    let next = 0;
    const args = { q: '', input: '' };
    const ONCE: Policy = {
      version: 1,
      rules: [
        { id: 'once', type: 'max_calls', tool: 'pay', max: 1 },
        { id: 'never', type: 'denied_tools', tools: ['remove'] },
        { id: 'soon', type: 'never_after', trigger: 'deploy', forbidden: 'undo', within: 1 },
      ],
    };
    /** An agent whose tools say that they ran. */
    const agentWith = (turns: readonly AssistantTurn[], names: readonly string[], needsApproval = false) => {
      const ran: string[] = [];
      const toolOf = (name: string) =>
        tool({
          name,
          description: name,
          parameters: z.object({}),
          needsApproval,
          execute: async () => `ran ${ran.push(name)}`,
        });
      const agent = new Agent({
        name: 'agent',
        model: fakeModel([...turns, NO_CALLS]).model,
        tools: names.map(toolOf),
      });
      return { agent, ran, toolOf };
    };

    it('holds in a run that goes on from its text', async () => {
      const { agent, ran } = agentWith([calls('pay'), calls('pay')], ['pay'], true);
      const guarded = guard(ONCE);
      guarded.agent(agent);
      const approved = async (text: string) => {
        const state = await RunState.fromString(agent, text);
        for (const one of state.getInterruptions()) state.approve(one);
        return state;
      };
      const first = await runnerWith().run(agent, 'Pay.');
      const other = await approved(first.state.toString());
      await expect(runnerWith().run(agent, other)).rejects.toThrow(/the guard has not seen this run begin/);
      expect(ran).toEqual([]);
      const second = await runnerWith().run(agent, guarded.resume(await approved(first.state.toString())));
      expect(ran).toEqual(['pay']);
      await runnerWith().run(agent, guarded.resume(await approved(second.state.toString())));
      expect(ran).toEqual(['pay']);
    });

    it('holds in clones, once a call', async () => {
      const { agent, ran } = agentWith([calls('pay'), calls('pay')], ['pay']);
      const denied: string[] = [];
      const guarded = guard(ONCE, { onDeny: ({ tool: name }) => denied.push(name) });
      await runnerWith().run(guarded.agent(agent).clone({ name: 'other' }), 'Pay.');
      expect([ran, denied]).toEqual([['pay'], ['pay']]);
    });

    it('asks before tools of MCP servers, and those that come later', async () => {
      const { agent, ran, toolOf } = agentWith([calls('remove', 'look'), calls('pay'), calls('pay')], []);
      const schema = { type: 'object' as const, properties: {}, required: [], additionalProperties: false };
      const files: MCPServer = {
        name: 'files',
        cacheToolsList: true,
        async connect() {},
        async close() {},
        async invalidateToolsCache() {},
        listTools: async () => ['remove', 'look'].map((name) => ({ name, inputSchema: schema })),
        callTool: async (name) => [{ type: 'text', text: `ran ${ran.push(name)}` }],
      };
      agent.mcpServers = [files];
      guard(ONCE).agent(agent);
      agent.tools.push(toolOf('pay'));
      await runnerWith().run(agent, 'Go.');
      expect(ran).toEqual(['look', 'pay']);
    });

    it('knows the calls of an agent after another has run as its tool', async () => {
      const guarded = guard(ONCE);
      const inner = guarded.agent(agentWith([], []).agent);
      const { agent, ran } = agentWith([calls('pay'), calls('ask'), calls('pay')], ['pay']);
      agent.tools.push(inner.asTool({ toolName: 'ask', toolDescription: 'asks' }) as never);
      await runnerWith().run(guarded.agent(agent), 'Pay.');
      expect(ran).toEqual(['pay']);
    });

    it('counts a reply with several calls as one', async () => {
      const { agent, ran } = agentWith(
        [calls('deploy', 'log', 'log'), calls('undo'), calls('undo')],
        ['deploy', 'log', 'undo'],
      );
      await runnerWith().run(guard(ONCE).agent(agent), 'Go.');
      expect(ran).toEqual(['deploy', 'log', 'log', 'undo']);
    });
  });
});

function itemsOf(turn: Turn): AgentInputItem[] {
  if (turn.who === 'user') return [{ type: 'message', role: 'user', content: turn.text }];
  const said = { type: 'message', role: 'assistant', status: 'completed' } as const;
  return [
    ...(turn.text === '' ? [] : [{ ...said, content: [{ type: 'output_text' as const, text: turn.text }] }]),
    ...turn.calls.map(({ id, tool: name, args }) => ({
      type: 'function_call' as const,
      callId: id,
      name,
      status: 'completed' as const,
      arguments: JSON.stringify(args),
    })),
    ...turn.calls.flatMap(({ id, tool: name, result }) =>
      result === undefined
        ? []
        : [
            {
              type: 'function_call_result' as const,
              callId: id,
              name,
              status: 'completed' as const,
              output: { type: 'text' as const, text: result },
            },
          ],
    ),
  ];
}
