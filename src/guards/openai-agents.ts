/** OpenAI Agents SDK for JavaScript: agents that ask a policy before a tool runs. */
import format from '../formats/openai-agents/openai-agents.js';
import { addResults, createRefuser, type GuardOptions, type History, historyIn, isHistory } from '../hooks/refusal.js';
import { argumentsOf } from '../policy/conversation.js';
import type { Policy } from '../policy/types.js';

/** What this needs of an agent whose tools are guarded. */
export interface GuardedAgent {
  // biome-ignore lint/suspicious/noExplicitAny: the SDK has many kinds of tools
  tools: any[];
  // biome-ignore lint/suspicious/noExplicitAny: and many events, each with a listener of its own
  on(event: any, listener: (...values: any[]) => void): unknown;
}

/**
 * Changes the agent that it is given: its function tools ask the policy before they run, and the model reads why it
 * denies a call.
 */
export function guard(policy: Policy, options?: GuardOptions) {
  const refuse = createRefuser(format, policy, options);
  const histories = new WeakMap<object, History | object[]>(); // by the context of the run
  const run = async ({ context, toolCall }: { context: object; toolCall: ToolCallItem }) => {
    const { name: tool, arguments: args, callId } = toolCall;
    const message = await refuse({ tool, args: argumentsOf(args), callId }, histories.get(context) ?? []);
    return { behavior: message === undefined ? { type: 'allow' } : { type: 'rejectContent', message } };
  };
  const guardrail = { type: 'tool_input', name: 'ctx-trim', run };
  return {
    agent<A extends GuardedAgent>(agent: A): A {
      agent.on('agent_start', (context: object, _: unknown, input: object[] = []) => {
        histories.set(context, readOr(input));
      });
      agent.on('agent_tool_end', (context: object, _: unknown, result: unknown, call: { toolCall: ToolCallItem }) => {
        const history = histories.get(context);
        if (isHistory(history)) addResults(history, new Map([[call.toolCall.callId, result]]));
      });
      agent.tools = agent.tools.map((tool) =>
        tool.type === 'function' ? { ...tool, inputGuardrails: [...(tool.inputGuardrails ?? []), guardrail] } : tool,
      );
      return agent;
    },
  };
}

/** What cannot be read is kept: no event of the run fails, and the next call that is asked about says why. */
function readOr(input: object[]): History | object[] {
  try {
    return historyIn(input, format);
  } catch {
    return input;
  }
}

interface ToolCallItem {
  readonly name: string;
  readonly arguments: string;
  readonly callId: string;
}
