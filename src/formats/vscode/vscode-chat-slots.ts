/** The messages of a request in a chat of VS Code, and where each of them stands. */
import type { JsonNode } from '../../json/node.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import { present } from '../shared/json-fields.js';
import { chatUsage, recordedOf, timeOf, tokens, usageFromTotals } from '../shared/recorded.js';
import { repliesOf } from './vscode-chat-response.js';
import { textOfResult, thinkingText } from './vscode-chat-result.js';
import type { ChatCall, ChatMessage, PromptPlace, Slot } from './vscode-chat-slot.js';

export function slotsOf(request: JsonNode): readonly Slot[] {
  const rounds = roundsOf(request);
  const replies = rounds.length > 0 ? slotsOfRounds(request, rounds) : shownReplies(request);
  return [...promptsOf(request), ...withRequest(request, replies)];
}

export function metadataOf(request: JsonNode): JsonNode | undefined {
  return request.get('result')?.get('metadata');
}

/** The rounds of a request, if they tell anything. */
export function roundsOf(request: JsonNode): readonly JsonNode[] {
  const rounds = metadataOf(request)?.get('toolCallRounds')?.items() ?? [];
  const tells = (round: JsonNode) =>
    (round.get('response')?.string ?? '') !== '' || (round.get('toolCalls')?.length ?? 0) > 0;
  return rounds.some(tells) ? rounds : [];
}

// --- prompts

function promptsOf(request: JsonNode): Slot[] {
  const time = timeOf(request.get('timestamp'));
  return [...promptTexts(request)].flatMap(([at, text]): Slot[] =>
    text === undefined || text === ''
      ? []
      : [{ message: { role: 'user', content: text }, recorded: recordedOf({ time }), place: { kind: 'prompt', at } }],
  );
}

/** What the model got; without it, what the user wrote. */
function promptTexts(request: JsonNode): readonly (readonly [PromptPlace, string | undefined])[] {
  const metadata = metadataOf(request);
  const context = ['renderedGlobalContext', renderedText(metadata?.get('renderedGlobalContext'))] as const;
  const rendered = renderedText(metadata?.get('renderedUserMessage'));
  if (rendered !== undefined && rendered !== '') return [context, ['renderedUserMessage', rendered]];
  const message = request.get('message');
  if (message === undefined) return [context, ['prompt', request.get('prompt')?.string]];
  if (message.isString) return [context, ['message', message.text]];
  const parts = message.get('parts')?.items() ?? [];
  const joined = parts.map((part) => part.get('text')?.string ?? '').join('');
  return [context, ['text', message.get('text')?.string ?? joined]];
}

/** Texts of a rendered prompt; marks for the cache have none. */
function renderedText(rendered: JsonNode | undefined): string | undefined {
  if (rendered?.isString) return rendered.text;
  return rendered?.isArray
    ? rendered
        .items()
        .map((part) => part.get('text')?.string ?? '')
        .join('')
    : undefined;
}

// --- rounds

function slotsOfRounds(request: JsonNode, rounds: readonly JsonNode[]): Slot[] {
  const results = metadataOf(request)?.get('toolCallResults');
  const seen = new Set<string>();
  return rounds.flatMap((round): Slot[] => {
    const calls = round.get('toolCalls')?.items() ?? [];
    const answers = calls.flatMap((call): Slot[] => {
      const key = call.get('id')?.string ?? '';
      const node = results && present(results, key);
      if (node === undefined || seen.has(key)) return [];
      seen.add(key);
      const message: ChatMessage = { role: 'tool', tool_call_id: key, content: textOfResult(node) };
      return [{ message, place: { kind: 'result', key, node } }];
    });
    const summary = round.get('summary')?.string ?? '';
    const summaries: Slot[] =
      summary === '' ? [] : [{ message: { role: 'user', content: summary }, place: { kind: 'summary', node: round } }];
    const message = messageOfRound(round, calls);
    const reply: Slot[] =
      message === undefined
        ? []
        : [{ message, recorded: recordedInRound(round), place: { kind: 'round', node: round } }];
    return [...reply, ...answers, ...summaries];
  });
}

function messageOfRound(round: JsonNode, calls: readonly JsonNode[]): ChatMessage | undefined {
  const content = round.get('response')?.string ?? '';
  const thinking = thinkingText(round.get('thinking')?.get('text'));
  if (content === '' && calls.length === 0 && thinking === '') return undefined;
  return {
    role: 'assistant',
    content: content === '' && calls.length > 0 ? null : content,
    reasoning_content: thinking === '' ? undefined : thinking,
    tool_calls: calls.length === 0 ? undefined : calls.map(callOf),
  };
}

function callOf(call: JsonNode): ChatCall {
  const input = call.get('arguments');
  return {
    id: call.get('id')?.string ?? '',
    type: 'function',
    function: { name: call.get('name')?.string ?? '', arguments: input?.text ?? '{}' },
  };
}

// --- replies that are only shown

function shownReplies(request: JsonNode): Slot[] {
  const key = request.get('response') === undefined ? 'completion' : 'response';
  const response = request.get(key);
  if (response?.isString)
    return response.text === ''
      ? []
      : [{ message: { role: 'assistant', content: response.text }, place: { kind: 'text', key } }];
  return repliesOf(response?.items() ?? []);
}

// --- what is recorded

/** The model's id without the name of the provider that serves it. */
export function modelIn(request: JsonNode): string | undefined {
  const stated = metadataOf(request)?.get('resolvedModel')?.string || request.get('modelId')?.string;
  return stated?.replace(/^copilot\//, '') || undefined;
}

/** The usage that VS Code records is that of the last request. */
function withRequest(request: JsonNode, replies: readonly Slot[]): readonly Slot[] {
  const last = replies.map(({ message }) => message.role).lastIndexOf('assistant');
  const inRounds = replies.some(({ recorded }) => recorded?.usage !== undefined);
  const usage = inRounds ? undefined : usageIn(request);
  return replies.map((slot, index): Slot => {
    if (slot.message.role !== 'assistant') return slot;
    const own = slot.recorded ?? {};
    const recorded = recordedOf({
      ...own,
      ...(index === last && usage !== undefined ? { requestId: request.get('requestId')?.string, usage } : {}),
      model: own.model ?? modelIn(request),
      time: own.time ?? timeOf(request.get('timestamp')),
    });
    return { ...slot, recorded };
  });
}

function recordedInRound(round: JsonNode): Recorded {
  return {
    requestId: round.get('usage') === undefined ? undefined : round.get('id')?.string,
    model: round.get('modelId')?.string,
    time: timeOf(round.get('timestamp')),
    usage: chatUsage(round.get('usage'), round.get('modelId')?.string),
  };
}

function usageIn(request: JsonNode): Usage | undefined {
  const metadata = metadataOf(request);
  const counts = [request.get('result')?.get('usage'), request.get('usage'), request, metadata];
  const found = counts.find((each) => tokens(each, 'promptTokens') !== undefined);
  const output = tokens(found, 'completionTokens') ?? tokens(found, 'outputTokens');
  return usageFromTotals(tokens(found, 'promptTokens'), output);
}
