import { commaList } from '../../lists.js';
import { withMessages } from '../../transcript/edit.js';
import { joinTexts } from '../../transcript/text.js';
import type { Message, Part, Transcript } from '../../transcript/types.js';
import { errorRule } from '../rule.js';
import { bodyOf } from '../shared/own-format.js';

export default errorRule({
  id: 'anthropic/thinking-must-lead',
  summary: 'a tool round without its thinking',
  providers: ['anthropic'],
  error:
    'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When ' +
    '`thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the ' +
    'lastmost set of `tool_use` and `tool_result` blocks). …',
  cause: 'Thinking is enabled in the request, but the thinking blocks were removed or the model did not think.',
  reported: commaList(`
    OpenRouterTeam/ai-sdk-provider#162, anomalyco/opencode#3077, znlsl/Antigravity2Api#11, Kilo-Org/kilocode#5219,
    mastra-ai/mastra#7799, lbjlaq/Antigravity-Manager#139, NoeFabris/opencode-antigravity-auth#73,
    run-llama/llama_index#18834
  `),
  *check(context) {
    const message =
      bodyOf(context)?.get('thinking')?.get('type')?.string === 'enabled'
        ? turnWithoutThinking(context.transcript)
        : undefined;
    if (message === undefined) return;
    const [part] = context.transcript.messages[message]!.parts;
    yield {
      message,
      part,
      text:
        'thinking is enabled, but the current assistant turn begins with ' +
        `${part === undefined ? 'nothing' : nameOf(part)}`,
    };
  },
  fix: {
    safety: 'lossy',
    summary: 'Convert tool rounds without thinking to text: thinking cannot be restored.',
    apply({ transcript }) {
      let spelled = transcript;
      for (let at = turnWithoutThinking(spelled); at !== undefined; at = turnWithoutThinking(spelled))
        spelled = roundAsText(spelled, at);
      return spelled;
    },
  },
});

/** The first assistant message of an open tool turn after the last user message, unless it begins with thinking. */
function turnWithoutThinking({ messages }: Transcript): number | undefined {
  const last = messages.findLastIndex(({ role }) => role !== 'meta');
  if (messages[last]?.role !== 'tool') return undefined;
  const lastPrompt = messages.findLastIndex(({ role }) => role === 'user');
  const first = messages.findIndex(({ role }, index) => index > lastPrompt && role === 'assistant');
  const isThought = (message: Message) => message.parts[0]?.type === 'thinking';
  return first < 0 || isThought(messages[first]!) ? undefined : first;
}

function nameOf({ type }: Part): string {
  return type === 'call' ? 'a tool_use' : type === 'text' ? 'a text' : 'another block';
}

/** Converts the tool round that begins at `first` to text after the user's question. */
function roundAsText(transcript: Transcript, first: number): Transcript {
  const { messages } = transcript;
  const next = messages.findIndex(({ role }, index) => index > first && role !== 'tool' && role !== 'meta');
  const end = next < 0 ? messages.length : next;
  const round = messages.slice(first, end);
  const nameOfCall = new Map(
    round
      .flatMap(({ parts }) => parts)
      .flatMap((part) => (part.type === 'call' ? [[part.callId, part.tool] as const] : [])),
  );
  const results = round.flatMap(({ parts }) => parts).filter((part) => part.type === 'result');
  const spelled = round.flatMap(({ role, parts }) =>
    parts.flatMap((part) => {
      if (part.type === 'result')
        return `[${nameOfCall.get(part.callId) ?? 'tool'} returned: ${joinTexts(part.content)}]`;
      return role === 'assistant' && part.type === 'text' ? `[assistant said: ${joinTexts([part])}]` : [];
    }),
  );
  const shown = results.flatMap(({ content }) => content.filter(({ type }) => type === 'media'));
  const said = round.flatMap(({ role, parts }) =>
    role === 'tool' ? parts.filter(({ type }) => type !== 'result') : [],
  );
  const lastPrompt = messages.findLastIndex(({ role }, index) => index < first && role === 'user');
  const rest = [...messages.slice(0, first), ...round.filter(({ role }) => role === 'meta'), ...messages.slice(end)];
  const question: Message = lastPrompt < 0 ? { role: 'user', parts: [] } : rest[lastPrompt]!;
  const answered: Message = {
    ...question,
    parts: [...withText(question.parts, spelled.join('\n\n')), ...shown, ...said],
  };
  return withMessages(
    transcript,
    lastPrompt < 0 ? [...rest.slice(0, first), answered, ...rest.slice(first)] : rest.with(lastPrompt, answered),
  );
}

function withText(parts: readonly Part[], text: string): Part[] {
  const last = parts.at(-1);
  if (last?.type !== 'text') return [...parts, { type: 'text', text }];
  return [...parts.slice(0, -1), { ...last, text: `${joinTexts([last])}\n\n${text}` }];
}
