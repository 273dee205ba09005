/** Claude Agent SDK: hooks that ask a policy before a tool runs. */
import format from '../formats/anthropic/claude-code.js';
import {
  addPrompt,
  addResults,
  createHistory,
  createRefuser,
  type GuardOptions,
  type History,
} from '../hooks/refusal.js';
import type { Policy } from '../policy/types.js';

/** What this needs of the inputs of hooks. */
export interface HookInput {
  readonly session_id: string;
  /** The subagent that calls the tool. */
  readonly agent_id?: string;
  readonly prompt?: string;
  readonly tool_name?: string;
  readonly tool_input?: unknown;
  readonly tool_use_id?: string;
  readonly tool_calls?: readonly { readonly tool_use_id: string; readonly tool_response?: unknown }[];
}

/** What a hook answers: nothing, or why the call does not run. */
export interface HookAnswer {
  readonly hookSpecificOutput?: {
    readonly hookEventName: 'PreToolUse';
    readonly permissionDecision: 'deny';
    readonly permissionDecisionReason: string;
  };
}

/**
 * `query({ …, options: { hooks: guard(policy).hooks } })` asks the policy before a tool runs: the model reads why a
 * policy denies a call. It knows what was said and called since `guard` was called.
 */
export function guard(policy: Policy, options?: GuardOptions) {
  const refuse = createRefuser(format, policy, options);
  const histories = new Map<string, History>();
  const historyOf = ({ session_id: session, agent_id: agent = '' }: HookInput): History => {
    const known = histories.get(session + agent) ?? createHistory(histories.get(session));
    histories.set(session + agent, known);
    return known;
  };
  const hook = async (input: HookInput): Promise<HookAnswer> => {
    const history = historyOf(input);
    const { prompt, tool_name: tool, tool_input: args, tool_use_id: callId, tool_calls: batch } = input;
    if (prompt !== undefined) addPrompt(history, prompt);
    if (batch !== undefined) addResults(history, new Map(batch.map((one) => [one.tool_use_id, one.tool_response])));
    const reason = tool === undefined ? undefined : await refuse({ tool, args, callId }, history);
    if (reason === undefined) return {};
    const denied = { permissionDecision: 'deny', permissionDecisionReason: reason } as const;
    return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...denied } };
  };
  const matchers = [{ hooks: [hook] }];
  return { hooks: { UserPromptSubmit: matchers, PreToolUse: matchers, PostToolBatch: matchers } };
}
