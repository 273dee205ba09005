/** What the context of each request consists of: its tokens by role, calls and results. */

import { joinTexts } from '../../transcript/text.js';
import type { Message, Transcript } from '../../transcript/types.js';
import type { Counting } from '../stats/counting.js';
import type { Requests } from './requests.js';

/** `unrecorded`: tokens of the prompt that the recording does not hold, such as the system prompt of the agent. */
export const CONTEXT_KINDS = ['unrecorded', 'tools', 'system', 'user', 'assistant', 'calls', 'results'] as const;
export type ContextKind = (typeof CONTEXT_KINDS)[number];

/** Whole tokens; their sum is the prompt. */
export type ContextTokens = Readonly<Record<ContextKind, number>>;

const KINDS_OF_MESSAGES = ['system', 'user', 'assistant', 'calls', 'results'] as const;
type MessageTokens = Readonly<Record<(typeof KINDS_OF_MESSAGES)[number], number>>;

/** `prompts`: the tokens of each request's prompt, recorded or simulated. */
export function contextTokens(
  transcript: Transcript,
  counting: Counting,
  { requests, unseen, tokensOf }: Requests,
  prompts: readonly number[],
): ContextTokens[] {
  const before = sumsBefore(transcript.messages, counting, tokensOf);
  const definitions = counting.definitions(transcript);
  return requests.map(({ start, head = [], message, thread }, index) => {
    const tools = Math.min(definitions, unseen[thread]!);
    const own = KINDS_OF_MESSAGES.map((kind) =>
      head.reduce(
        (sum, at) => sum + before[at + 1]![kind] - before[at]![kind],
        before[message]![kind] - before[start]![kind],
      ),
    );
    return fittedTo(prompts[index]!, tools, own);
  });
}

/** The rest of the prompt is unrecorded; a prompt that is shorter than its messages makes all of them smaller. */
function fittedTo(prompt: number, tools: number, own: readonly number[]): ContextTokens {
  const known = tools + own.reduce((sum, tokens) => sum + tokens, 0);
  const scale = known > prompt ? prompt / known : 1;
  const [toolTokens = 0, ...messages] = [tools, ...own].map((tokens) => Math.floor(tokens * scale));
  const [system = 0, user = 0, assistant = 0, calls = 0, results = 0] = messages;
  const unrecorded = prompt - toolTokens - system - user - assistant - calls - results;
  return { unrecorded, tools: toolTokens, system, user, assistant, calls, results };
}

function sumsBefore(messages: readonly Message[], counting: Counting, tokensOf: Requests['tokensOf']): MessageTokens[] {
  let sums: MessageTokens = { system: 0, user: 0, assistant: 0, calls: 0, results: 0 };
  return [
    sums,
    ...messages.map((message) => {
      sums = added(sums, message, message.role === 'meta' ? 0 : tokensOf(message), counting);
      return sums;
    }),
  ];
}

/** A message of the model is split by the counted tokens of its calls and of results that stand in it. */
function added(sums: MessageTokens, message: Message, tokens: number, counting: Counting): MessageTokens {
  const { role, parts } = message;
  if (role === 'meta') return sums;
  if (role === 'tool') return { ...sums, results: sums.results + tokens };
  let calls = 0;
  let results = 0;
  for (const part of parts)
    if (part.type === 'call') calls += counting.call(part);
    else if (part.type === 'result') results += counting.text(joinTexts(part.content));
  if (calls + results === 0) return { ...sums, [role]: sums[role] + tokens };
  const scale = tokens / Math.max(counting.message(message), calls + results);
  return {
    ...sums,
    [role]: sums[role] + tokens - (calls + results) * scale,
    calls: sums.calls + calls * scale,
    results: sums.results + results * scale,
  };
}
