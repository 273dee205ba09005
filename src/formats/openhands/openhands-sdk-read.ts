/** Reads events of the OpenHands SDK as it makes messages of them: `to_llm_message` of each class. */
import type { JsonNode } from '../../json/node.js';
import type { CallPart, ContentPart, Message, Part, ResultPart, Role, ThinkingPart } from '../../transcript/types.js';
import { objectsIn, optionalString, present, stringIn, wrongType } from '../shared/json-fields.js';
import { readContent, readMedia, readText } from '../shared/parts.js';
import { table } from '../shared/table.js';
import { withoutHalves } from './openhands-condensation.js';

type Kind = 'system' | 'message' | 'call' | 'result' | 'summary';

/** The kinds of events that the model sees. */
export const KINDS = table<Kind>({
  SystemPromptEvent: 'system',
  MessageEvent: 'message',
  ActionEvent: 'call',
  ObservationEvent: 'result',
  UserRejectObservation: 'result',
  AgentErrorEvent: 'result',
  Condensation: 'summary',
  CondensationSummaryEvent: 'summary',
});
/** Results without an observation: the member with the text. */
export const ERROR_TEXTS = table<string>({ UserRejectObservation: 'rejection_reason', AgentErrorEvent: 'error' });
/** The members of a system prompt. */
export const PROMPTS = ['system_prompt', 'dynamic_context'] as const;
/** Early observations have other members than `content`. */
const OBSERVED = ['content', 'output', 'message'] as const;
const ROLES = table<Role>({ user: 'user', assistant: 'assistant', system: 'system' });

export function kindOf(raw: JsonNode): Kind | undefined {
  return KINDS[raw.get('kind')?.string ?? ''];
}

/** The message of an event; undefined for one that the model does not see. */
export function readEvent(raw: JsonNode): Message | undefined {
  const kind = kindOf(raw);
  if (kind === 'system') return { role: 'system', parts: readPrompts(raw), raw };
  if (kind === 'message') return readMessage(raw);
  if (kind === 'call') return readAction(raw);
  if (kind === 'result') return { role: 'tool', parts: [readResult(raw)], raw };
  return kind === 'summary' ? readSummary(raw) : undefined;
}

function readPrompts(raw: JsonNode): Part[] {
  return PROMPTS.flatMap((key) => {
    const prompt = present(raw, key);
    return prompt === undefined ? [] : [readBlock(prompt, key)];
  });
}

function readMessage(raw: JsonNode): Message {
  const message = present(raw, 'llm_message');
  if (!message?.isObject) return wrongType(message ?? raw, 'llm_message', 'an object');
  const role =
    ROLES[message.get('role')?.string ?? ''] ?? (raw.get('source')?.string === 'agent' ? 'assistant' : 'user');
  const parts: Part[] = [
    ...readThinking(message, 'llm_message.'),
    ...readContent(message.get('content'), 'llm_message.content', readBlock),
    ...readContent(raw.get('extended_content'), 'extended_content', readBlock),
  ];
  return { role, parts, raw };
}

function readAction(raw: JsonNode): Message {
  const texts = readContent(raw.get('thought'), 'thought', readBlock).filter((part) => !isEmpty(part));
  const group = optionalString(raw, 'llm_response_id');
  return { role: 'assistant', parts: [...readThinking(raw, ''), ...texts, readCall(raw)], group, raw };
}

/** The SDK writes a text without words beside calls that have none. */
function isEmpty(part: Part): boolean {
  return part.type === 'text' && typeof part.text !== 'string' && part.text.byteLength === 0;
}

/** `tool_call` is what the model wrote, and `action` what the SDK read in it. */
function readCall(raw: JsonNode): CallPart {
  const call = present(raw, 'tool_call');
  return {
    type: 'call',
    callId: optionalString(raw, 'tool_call_id') ?? '',
    tool: optionalString(raw, 'tool_name') ?? '',
    input: (call && present(call, 'arguments')) ?? present(raw, 'action') ?? '{}',
    raw,
  };
}

function readResult(raw: JsonNode): ResultPart {
  const key = ERROR_TEXTS[raw.get('kind')!.text];
  const observation = present(raw, 'observation');
  const content: ContentPart[] =
    key === undefined
      ? [
          ...readContent(observation?.get(observedKey(observation)), 'observation.content', readBlock),
          ...readContent(raw.get('extended_content'), 'extended_content', readBlock),
        ]
      : readContent(raw.get(key), key, readBlock);
  return {
    type: 'result',
    callId: optionalString(raw, 'tool_call_id') ?? '',
    tool: optionalString(raw, 'tool_name'),
    content,
    isError: key !== undefined || observation?.get('is_error')?.boolean === true,
    raw,
  };
}

/** The member of an observation that holds its texts. */
export function observedKey(observation: JsonNode): string {
  return OBSERVED.find((key) => present(observation, key) !== undefined) ?? 'content';
}

/**
 * A condensation takes the place of the events that it forgets, and its summary of theirs. A later one names an earlier
 * summary by the id of its event and `-summary`.
 */
function readSummary(raw: JsonNode): Message {
  const summary = present(raw, 'summary');
  const text = stringIn(summary, 'summary');
  const parts: Part[] = text ? [{ type: 'text', text: summary!, raw: summary }] : [];
  const role = summary === undefined ? 'meta' : 'user';
  if (raw.get('kind')!.string === 'CondensationSummaryEvent') return { role, parts, raw };
  const forgotten = new Set(
    raw
      .get('forgotten_event_ids')
      ?.items()
      .map((id) => id.text),
  );
  const isForgotten = ({ raw: event, keeps }: Message): boolean => {
    const id = (event as JsonNode | undefined)?.get('id')?.string;
    return id !== undefined && forgotten.has(keeps === undefined ? id : `${id}-summary`);
  };
  return { role, parts, raw, keeps: (sent) => withoutHalves(sent, isForgotten) };
}

function readBlock(block: JsonNode, path: string): ContentPart {
  if (!block.isObject) return wrongType(block, path, 'an object');
  const type = optionalString(block, 'type') ?? '';
  return type === 'text' ? readText(type, block, type, path) : readMedia(block, type === 'image' ? type : undefined);
}

/** Anthropic's blocks, of whose texts `reasoning_content` is a copy; else that; and an item of OpenAI's Responses. */
function readThinking(holder: JsonNode, path: string): ThinkingPart[] {
  const blocks = objectsIn(holder.get('thinking_blocks'), `${path}thinking_blocks`);
  const text = present(holder, 'reasoning_content');
  const item = reasoningItem(holder);
  return [
    ...blocks.map((block): ThinkingPart => ({ type: 'thinking', text: block.get('thinking') ?? '', raw: block })),
    ...(blocks.length === 0 && stringIn(text, `${path}reasoning_content`)
      ? [{ type: 'thinking', text: text!, raw: text } as const]
      : []),
    ...(item === undefined ? [] : [{ type: 'thinking', text: summaryOf(item), raw: item } as const]),
  ];
}

export function reasoningItem(holder: JsonNode): JsonNode | undefined {
  const item = present(holder, 'responses_reasoning_item');
  return item?.isObject ? item : undefined;
}

export function summaryOf(item: JsonNode): string {
  const texts = [...(item.get('summary')?.items() ?? []), ...(item.get('content')?.items() ?? [])];
  return texts.flatMap((text) => text.string ?? []).join('\n');
}
