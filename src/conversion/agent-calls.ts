/** Calls of one agent as calls of another. What it has no tool for becomes text. */
import type { ToolAction } from '../formats/agent-tool.js';
import { CUSTOM } from '../formats/shared/custom-calls.js';
import { addAll } from '../lists.js';
import { type CallSite, pair } from '../transcript/pairs.js';
import { textOf } from '../transcript/text.js';
import type { CallPart, ContentPart, Message, Part } from '../transcript/types.js';
import { callFor, doingOf } from './actions.js';
import type { Notes } from './findings.js';

export interface Agents {
  /** The tools of the agent that called, if it is known. */
  readonly from: readonly ToolAction[] | undefined;
  readonly to: readonly ToolAction[];
  /** The target, for people. */
  readonly title: string;
  readonly project: string;
}

/** Plain messages in which each call is one of the target's. */
export function withAgentCalls(messages: readonly Message[], agents: Agents, notes: Notes): readonly Message[] {
  if (agents.from === agents.to) return messages;
  const { calls } = pair(messages);
  const names = new Map<string, string>();
  const changed = new Map<Part, Part | undefined>(); // undefined: it becomes text
  for (const site of calls) {
    const call = callOf(site.part, agents, notes);
    if (call !== undefined) names.set(site.part.tool, call.tool);
    else notes.note(`a tool that ${agents.title} does not have: \`${site.part.tool}\` becomes text`, site.message);
    changed.set(site.part, call);
    for (const { part } of site.results) changed.set(part, call && { ...part, tool: call.tool, kind: call.kind });
  }
  const renamed = [...names].map(([from, to]) => `\`${from}\` becomes \`${to}\``);
  if (renamed.length > 0) notes.note(`names of tools: ${renamed.join(', ')}`);
  return rewritten(messages, changed, new Map(calls.map((site) => [site.part, site])));
}

function callOf(call: CallPart, { from, to, title, project }: Agents, notes: Notes): CallPart | undefined {
  const doing = doingOf(call.tool, textOf(call.input), from);
  const made = doing && callFor(doing, to, project);
  if (made === undefined) return undefined;
  for (const lost of made.lost) notes.note(`what ${title} cannot be told with a call of \`${call.tool}\`: ${lost}`);
  const kind = made.isFreeText ? CUSTOM : undefined;
  return { type: 'call', callId: call.callId, tool: made.tool, input: made.input, kind };
}

/** The text of a call follows the results of its message, as the user's: the model did not say it. */
function rewritten(
  messages: readonly Message[],
  changed: ReadonlyMap<Part, Part | undefined>,
  sites: ReadonlyMap<Part, CallSite>,
): readonly Message[] {
  const output: Message[] = [];
  let waiting: Message[] = [];
  const flush = () => {
    addAll(output, waiting);
    waiting = [];
  };
  for (const message of messages) {
    if (message.role !== 'tool') flush();
    const parts = message.parts.flatMap((part) => (changed.has(part) ? (changed.get(part) ?? []) : [part]));
    if (parts.length > 0 || message.parts.length === 0) output.push({ ...message, parts });
    for (const part of message.parts)
      if (part.type === 'call' && changed.get(part) === undefined)
        waiting.push({ role: 'user', from: message.from, parts: asText(sites.get(part)!) });
  }
  flush();
  return output;
}

/** What was done, and what came out. */
function asText({ part, results }: CallSite): Part[] {
  const head = `[Tool call, made by another agent] ${part.tool} ${textOf(part.input)}`;
  const [result] = results;
  if (result === undefined) return [{ type: 'text', text: `${head}\n[It has no result]` }];
  const { content, isError } = result.part;
  const texts = content.filter((block) => block.type === 'text').map(({ text }) => textOf(text));
  const others = content.filter((block): block is ContentPart => block.type !== 'text');
  return [{ type: 'text', text: `${head}\n[${isError ? 'It failed' : 'Result'}]\n${texts.join('\n')}` }, ...others];
}
