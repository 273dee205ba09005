/**
 * AutoGen. Messages of its model clients (`SystemMessage`, `UserMessage`, `AssistantMessage`,
 * `FunctionExecutionResultMessage`) are in recorded calls `{mode, messages, response}` and in the states of agents and
 * teams. Messages and events of AgentChat (`TextMessage`, `ToolCallRequestEvent`, `ToolCallExecutionEvent`, …) are in
 * results of tasks and in the threads of teams. The content of a message with calls is the list of calls; the results
 * of these calls share one message. A `ToolCallSummaryMessage` repeats the results.
 * https://github.com/microsoft/autogen/blob/main/python/packages/autogen-core/src/autogen_core/models/_types.py
 * https://github.com/microsoft/autogen/blob/main/python/packages/autogen-agentchat/src/autogen_agentchat/messages.py
 */
import { type JsonFields, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Part, Role } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import { objectsIn, present, stringIn } from '../shared/json-fields.js';
import { joinedText, writeContent } from '../shared/parts.js';
import { chatUsage, recordedOf, timeOf } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import { isThought, readContent, readResult, writeFresh, writePart } from './autogen-content.js';
import { beforeWrite, SUMMARY, USER_SOURCE } from './autogen-list.js';
import { stateEnvelope } from './autogen-states.js';

/** Roles by type; a message of type `assistant` whose source is the user gets the role `user`. */
const ROLES = table<Role>({
  SystemMessage: 'system',
  UserMessage: 'user',
  AssistantMessage: 'assistant',
  FunctionExecutionResultMessage: 'tool',
  TextMessage: 'assistant',
  MultiModalMessage: 'assistant',
  StopMessage: 'assistant',
  HandoffMessage: 'assistant',
  ThoughtEvent: 'assistant',
  CodeGenerationEvent: 'assistant',
  ToolCallRequestEvent: 'assistant',
  ToolCallExecutionEvent: 'tool',
});
/** Types of events without a message of their own. */
const META_TYPES = new Set([
  SUMMARY,
  'CodeExecutionEvent',
  'MemoryQueryEvent',
  'ModelClientStreamingChunkEvent',
  'SelectSpeakerEvent',
  'SelectorEvent',
  'UserInputRequestedEvent',
]);
/** The members of a recorded response, which has no type. */
const RESPONSE_MEMBERS = ['content', 'finish_reason', 'usage'];

export default defineFormat({
  id: 'autogen',
  traits: { resultsShareMessage: true, flagsErrors: true },
  messagePaths: ['messages > =response?', 'llm_context.messages', 'llm_messages', 'message_thread'],
  score(raw) {
    const type = raw.get('type')?.string ?? '';
    const isKnown = type in ROLES || META_TYPES.has(type) || isStructured(type);
    return isKnown && (raw.get('content') !== undefined || raw.get('result') !== undefined) ? 1 : 0;
  },
  read(raw) {
    const type = stringIn(raw.get('type'), 'type') ?? '';
    const roleOfType = ROLES[type] ?? (isStructured(type) || isResponse(raw) ? 'assistant' : undefined);
    if (roleOfType === undefined) return { role: 'meta', parts: [], raw };
    const source = stringIn(raw.get('source'), 'source');
    const isChat = roleOfType === 'assistant' && type !== 'AssistantMessage';
    const role = isChat && source !== undefined && USER_SOURCE.test(source) ? 'user' : roleOfType;
    const thought = present(raw, 'thought');
    const content = raw.get('content');
    if (type === 'ThoughtEvent')
      return {
        role,
        parts: content?.isString ? [{ type: 'thinking', text: content, raw: content }] : [],
        ...named(source),
        raw,
      };
    const isTool = roleOfType === 'tool';
    const parts: Part[] = isTool ? objectsIn(content, 'content').map(readResult) : readContent(content);
    return {
      role,
      parts: thought?.isString ? [{ type: 'thinking', text: thought, raw: thought }, ...parts] : parts,
      ...named(isTool ? undefined : source),
      raw,
    };
  },
  write(message) {
    const { raw, parts } = message;
    if (!(raw instanceof JsonNode)) return writeFresh(message);
    if (message.role === 'meta') return raw;
    if (raw.get('type')?.string === 'ThoughtEvent')
      return patch(raw, { content: joinedText(parts.filter(({ type }) => type === 'thinking')) });
    const thoughts = parts.filter(isThought(parts));
    const contents = parts.filter((part) => !thoughts.includes(part));
    return patch(raw, {
      content: writeContent(contents, raw.get('content'), writePart),
      ...thoughtField(thoughts, raw),
    });
  },
  describe(record) {
    return { id: record.get('id')?.string };
  },
  recorded(raw) {
    return recordedOf({
      time: timeOf(raw.get('created_at')),
      // A reply from AutoGen's own cache used nothing.
      usage: raw.get('cached')?.boolean === true ? undefined : chatUsage(raw.get('usage') ?? raw.get('models_usage')),
    });
  },
  beforeWrite,
  envelope: stateEnvelope,
});

/** Whether a type is `StructuredMessage[Answer]`, whose content is a value of that model. */
function isStructured(type: string): boolean {
  return type.startsWith('StructuredMessage');
}

function isResponse(raw: JsonNode): boolean {
  return raw.get('type') === undefined && RESPONSE_MEMBERS.every((key) => raw.get(key) !== undefined);
}

function thoughtField(thoughts: readonly Part[], raw: JsonNode): JsonFields {
  if (thoughts.length > 0) return { thought: joinedText(thoughts) };
  return present(raw, 'thought')?.isString ? { thought: null } : {};
}

function named(source: string | undefined): { readonly name?: string } {
  return source === undefined ? {} : { name: source };
}
