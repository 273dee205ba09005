/**
 * Turns that the user took back: a `thread_rolled_back` event drops the last turns from the context, with what Codex
 * itself wrote just before them. Lines of usage and state count for the session, and stay with the rest.
 * https://github.com/openai/codex/blob/main/codex-rs/core/src/context_manager/history.rs (2026-02)
 */
import { JsonNode } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import type { Message } from '../../transcript/types.js';
import type { Agents, Branch } from '../format.js';
import { tokens } from '../shared/recorded.js';

/** Starts of user and developer messages that Codex writes itself. */
const CONTEXTUAL = new RegExp(
  '^\\s*(?:# agents\\.md instructions|<(?:user_instructions|environment_context|skill|user_shell_command|' +
    'turn_aborted|subagents|subagent_notification|hook_prompt|permissions instructions|model_switch|' +
    'collaboration_mode|realtime_conversation|personality_spec|multi_agent_mode|environments_instructions|' +
    'plugins_instructions|skills_instructions|token_budget)\\b)',
  'i',
);

export function threads(messages: readonly Message[]): Agents | undefined {
  const agentIds = messages.map((): string | undefined => undefined);
  const branches = new Map<string, Branch>();
  const context: number[] = []; // indices of messages
  messages.forEach(({ role, raw }, index) => {
    if (role !== 'meta') {
      context.push(index);
      return;
    }
    const turns = raw instanceof JsonNode ? turnsTakenBack(raw) : 0;
    if (turns <= 0) return;
    const start = startOfLast(turns, context, messages);
    if (start === undefined) return;
    const name = `branch-${branches.size + 1}`;
    branches.set(name, { after: context[start - 1] });
    for (const dropped of context.splice(start)) agentIds[dropped] = name;
  });
  return branches.size === 0 ? undefined : { agentIds, branches };
}

function turnsTakenBack(line: JsonNode): number {
  const payload = line.get('type')?.string === 'event_msg' ? line.get('payload') : undefined;
  return payload?.get('type')?.string === 'thread_rolled_back' ? (tokens(payload, 'num_turns') ?? 0) : 0;
}

/** Where the last turns begin in the context; undefined if it holds no turn. */
function startOfLast(turns: number, context: readonly number[], messages: readonly Message[]): number | undefined {
  const at = (place: number) => messages[context[place]!]!;
  const starts = context.flatMap((_, place) => (at(place).role === 'user' && !isContextual(at(place)) ? [place] : []));
  const [first] = starts;
  if (first === undefined) return undefined;
  let start = starts[Math.max(0, starts.length - turns)]!;
  while (start > first && isContextual(at(start - 1))) start--;
  return start;
}

function isContextual({ role, parts }: Message): boolean {
  if (role !== 'user' && role !== 'system') return false;
  return parts.some((part) => part.type === 'text' && CONTEXTUAL.test(textOf(part.text)));
}
