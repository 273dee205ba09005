/** OpenAI Agents SDK for JavaScript: agents that ask a policy before a tool runs. */
import { TranscriptError } from '../errors.js';
import format from '../formats/openai-agents/openai-agents.js';
import { addResults, createRefuser, type GuardOptions, type History, historyIn, isHistory } from '../hooks/refusal.js';
import { argumentsOf } from '../policy/conversation.js';
import type { Policy } from '../policy/types.js';

/** What this needs of an agent whose tools are guarded. */
export interface GuardedAgent {
  // biome-ignore lint/suspicious/noExplicitAny: the SDK has many kinds of tools
  tools: any[];
  /** All tools, those of MCP servers included. */
  // biome-ignore lint/suspicious/noExplicitAny: the same
  getAllTools?(...given: any[]): Promise<any[]>;
  // biome-ignore lint/suspicious/noExplicitAny: any part of a configuration
  clone?(config: any): any;
  // biome-ignore lint/suspicious/noExplicitAny: and many events, each with a listener of its own
  on(event: any, listener: (...values: any[]) => void): unknown;
}

/** What this needs of the state of a run: `RunState` of the SDK has it. */
export interface ResumedState {
  readonly history: object[];
  readonly _context: object;
  readonly _currentAgent: object;
}

const UNSEEN =
  'the guard has not seen this run begin: hand the state of a run that is resumed from its text to `resume(state)`';

/**
 * `agent` changes the agent that it is given: its function tools, those of MCP servers and those of its clones ask the
 * policy before they run, and the model reads why it denies a call. `resume` tells the guard what came before in a run
 * that goes on from its text: `resume(await RunState.fromString(…))`.
 */
export function guard(policy: Policy, options?: GuardOptions) {
  const refuse = createRefuser(format, policy, options);
  const histories = new WeakMap<object, WeakMap<object, History | object[]>>(); // by the context of the run, and agent
  const own = new WeakSet<object>(); // guardrails
  const begin = (context: object, agent: object, items: object[]) => {
    const known = histories.get(context) ?? new WeakMap<object, History | object[]>();
    histories.set(context, known.set(agent, readOr(items)));
  };
  const guardrailOf = (agent: object) => ({
    type: 'tool_input',
    name: 'ctx-trim',
    async run({ context, toolCall }: { context: object; toolCall: ToolCallItem }) {
      const { name: tool, arguments: args, callId } = toolCall;
      const history = histories.get(context)?.get(agent);
      if (history === undefined) throw new TranscriptError('usage', UNSEEN);
      const message = await refuse({ tool, args: argumentsOf(args), callId }, history);
      return { behavior: message === undefined ? { type: 'allow' } : { type: 'rejectContent', message } };
    },
  });
  const guarded = <A extends GuardedAgent>(agent: A): A => {
    const { getAllTools, clone } = agent;
    const ask = guardingBy(guardrailOf(agent), own);
    agent.on('agent_start', (context: object, _: unknown, input: object[] = []) => begin(context, agent, input));
    agent.on('agent_tool_end', (context: object, _: unknown, result: unknown, call: { toolCall: ToolCallItem }) => {
      const history = histories.get(context)?.get(agent);
      if (isHistory(history)) addResults(history, new Map([[call.toolCall.callId, result]]));
    });
    agent.tools = agent.tools.map(ask);
    if (getAllTools) agent.getAllTools = async (...given) => (await getAllTools.apply(agent, given)).map(ask);
    if (clone) agent.clone = (config: object) => guarded(clone.call(agent, config) as GuardedAgent);
    return agent;
  };
  return {
    agent: guarded,
    resume<S extends ResumedState>(state: S): S {
      begin(state._context, state._currentAgent, state.history);
      return state;
    },
  };
}

interface FunctionTool {
  readonly type: string;
  readonly inputGuardrails?: readonly object[];
}

/** A tool is the same object whenever it is listed. */
function guardingBy(guardrail: object, own: WeakSet<object>) {
  const known = new WeakMap<object, FunctionTool>();
  own.add(guardrail);
  return (tool: FunctionTool): FunctionTool => {
    const { type, inputGuardrails = [] } = tool;
    if (type !== 'function' || inputGuardrails.includes(guardrail)) return tool;
    const others = inputGuardrails.filter((one) => !own.has(one)); // a clone has the tools of the agent
    const asking = known.get(tool) ?? { ...tool, inputGuardrails: [...others, guardrail] };
    known.set(tool, asking);
    return asking;
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
