/** OpenAI Agents SDK: a filter of the runner, or a wrapped model. */
import { Agent, Runner, tool, Usage } from '@openai/agents-core';
import { z } from 'zod';
import { TOOLS } from '../turns.mjs';

export function openaiAgents(hook) {
  function fakeModel({ turns, onSent, abortAt, abort }) {
    let at = 0;
    const next = (input) => {
      onSent(input);
      const index = at++;
      if (index === abortAt) {
        abort();
        throw new Error('aborted');
      }
      const { text, calls } = turns[index];
      return itemsOf({ text, calls: calls.map((call) => ({ ...call, result: undefined })) });
    };
    return {
      async getResponse({ input }) {
        return { usage: new Usage(), output: next(input) };
      },
      async *getStreamedResponse({ input }) {
        const output = next(input);
        yield { type: 'response_started' };
        const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
        yield { type: 'response_done', response: { id: 'r', usage, output } };
      },
    };
  }

  function parts({ hooks, onTool, needsApproval = false, ...options }) {
    const controller = new AbortController();
    const fake = fakeModel({ ...options, abort: () => controller.abort() });
    const tools = TOOLS.map((name) =>
      tool({
        name,
        description: name,
        parameters: z.object({ q: z.string() }),
        needsApproval,
        execute: async (_, __, details) => onTool(details.toolCall.callId),
      }),
    );
    const model = hooks !== undefined && hook === 'model' ? hooks.model(fake) : fake;
    const agent = new Agent({ name: 'agent', tools, model });
    const filter = hooks !== undefined && hook !== 'model' ? hooks.callModelInputFilter : undefined;
    const runner = new Runner({ tracingDisabled: true, ...(filter && { callModelInputFilter: filter }) });
    return { agent, runner, signal: controller.signal };
  }

  async function talk(options) {
    const { history = [], prompt, isStreamed, abortAt } = options;
    const { agent, runner, signal } = parts(options);
    const asked = prompt === undefined ? [] : [{ type: 'message', role: 'user', content: prompt }];
    const input = [...history, ...asked];
    try {
      const result = await runner.run(agent, input, { maxTurns: 100_000, stream: isStreamed === true, signal });
      if (isStreamed) await result.completed;
      return result.history;
    } catch (error) {
      if (abortAt === undefined) throw error;
      return error.state?.history ?? input;
    }
  }

  /** The user is asked about both calls, and takes the first. */
  async function approve(options) {
    const { agent, runner } = parts({ ...options, needsApproval: true });
    const first = await runner.run(agent, [...options.history, { type: 'message', role: 'user', content: 'Run.' }]);
    const [one, other] = first.interruptions;
    first.state.approve(one);
    first.state.reject(other, { message: 'Not this one.' });
    return (await runner.run(agent, first.state)).history;
  }

  return { from: 'openai-agents', talk, approve, messagesOf: itemsOf };
}

function itemsOf(turn) {
  if (turn.who === 'user') return [{ type: 'message', role: 'user', content: turn.text }];
  const status = 'completed';
  const said = { type: 'message', role: 'assistant', status, content: [{ type: 'output_text', text: turn.text }] };
  const results = turn.calls.filter(({ result }) => result !== undefined);
  return [
    ...(turn.text === '' && turn.calls.length > 0 ? [] : [said]),
    ...turn.calls.map(({ id: callId, tool: name, args }) => ({
      ...{ type: 'function_call', callId, name, status, arguments: JSON.stringify(args) },
    })),
    ...results.map(({ id: callId, tool: name, result }) => ({
      ...{ type: 'function_call_result', callId, name, status, output: { type: 'text', text: result } },
    })),
  ];
}
