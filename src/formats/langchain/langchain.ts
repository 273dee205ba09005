/**
 * LangChain messages, in three spellings: `{lc, type: "constructor", id: […, "AIMessage"], kwargs}` (dumps, LangSmith),
 * `{type: "ai", content, …}` (model_dump, LangGraph, members of LangChain.js instances) and `{type: "ai", data}`
 * (messages_to_dict). A message may repeat each call up to five times, see langchain-calls.ts.
 * https://python.langchain.com/api_reference/core/messages.html
 */
import { type JsonFields, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { commaList } from '../../lists.js';
import type { ContentPart, Message, ResultPart, Role, ThinkingPart } from '../../transcript/types.js';
import { mediaUrl } from '../encode.js';
import { type Description, defineFormat } from '../format.js';
import { readMessage } from '../openai/openai-chat-read.js';
import { writeMessage } from '../openai/openai-chat-write.js';
import { stringIn } from '../shared/json-fields.js';
import { isContent } from '../shared/parts.js';
import { chatUsage, timeOf } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import { callsIn } from './langchain-calls.js';
import { readContent, readSummaries, reasoningBeside, summariesBeside } from './langchain-content.js';
import { contentKey, fieldsOf, isOfJs, isPlain, type Kind, kindOf } from './langchain-kinds.js';
import { stateEnvelope } from './langchain-states.js';
import { modelOf, recordedIn } from './langchain-usage.js';
import { assistantFields, constructorFields, contentFields, fresh, resultFields } from './langchain-write.js';

const ROLES: Readonly<Record<Exclude<Kind, 'chat' | 'remove'>, Role>> = {
  human: 'user',
  ai: 'assistant',
  system: 'system',
  tool: 'tool',
  function: 'tool',
};
const CHAT_ROLES = table<Role>({ assistant: 'assistant', ai: 'assistant', system: 'system', developer: 'system' });
/** Members that only messages of LangChain have. */
const OWN_MEMBERS = ['additional_kwargs', 'response_metadata', 'tool_call_id', 'usage_metadata', 'invalid_tool_calls'];
/** Members of lines of other formats' logs, whose types are the same. */
const LOG_MEMBERS = ['uuid', 'sessionId', 'timestamp'];

export default defineFormat({
  id: 'langchain',
  traits: { flagsErrors: true },
  messagePaths: commaList(`
    inputs.messages[0] > outputs.generations[0][0].message, inputs.messages[], messages, messages[]
  `),
  score(raw) {
    const kind = kindOf(raw);
    if (kind === undefined) return isPlain(raw) ? 0.2 : 0;
    if (raw.get('type')!.string === 'constructor') return 1;
    const fields = fieldsOf(raw);
    if (kind === 'remove') {
      if (!raw.get('id')?.isString) return 0;
      return raw.get('lc_namespace')?.isArray ? 1 : 0.5;
    }
    if (fields.get('content') === undefined || (kind !== 'chat' && fields.get('role') !== undefined)) return 0;
    if (LOG_MEMBERS.some((key) => raw.get(key) !== undefined)) return 0;
    if (fields !== raw || OWN_MEMBERS.some((key) => fields.get(key) !== undefined)) return 1;
    if (kind === 'human' || kind === 'ai') return 0.8;
    return kind === 'system' ? 0.5 : 0.4;
  },
  read(raw) {
    const kind = kindOf(raw);
    if (kind === undefined && isPlain(raw)) return readMessage(raw);
    if (kind === undefined || kind === 'remove') return { role: 'meta', parts: [], raw };
    const fields = fieldsOf(raw);
    const path = pathToFields(raw, fields);
    const role =
      kind === 'chat' ? (CHAT_ROLES[stringIn(fields.get('role'), `${path}role`) ?? ''] ?? 'user') : ROLES[kind];
    const key = contentKey(fields);
    const parts = readContent(fields.get(key), `${path}${key}`);
    if (role === 'tool')
      return { role, parts: [readResult(raw, fields, parts.filter(isContent), kind === 'function')], raw };
    if (role !== 'assistant') return { role, parts, raw };
    return {
      role,
      parts: [...readReasoning(fields), ...parts, ...callsIn(fields, isOfJs(raw), path).map(({ part }) => part)],
      model: modelOf(fields),
      raw,
    };
  },
  write(message, near) {
    const { raw } = message;
    if (!(raw instanceof JsonNode))
      return near !== undefined && isPlain(near) ? writeMessage(message) : fresh(message, near);
    if (message.role === 'meta') return raw;
    if (isPlain(raw)) return writeMessage(message);
    const fields = fieldsOf(raw);
    const members = fieldsToWrite(message, fields, isOfJs(raw));
    const written = patch(fields, { ...members, ...constructorFields(fields, members) });
    if (fields === raw) return written;
    return patch(raw, { [raw.get('kwargs')?.is(fields) ? 'kwargs' : 'data']: written });
  },
  describe(record): Description {
    const extra = record.get('extra');
    const parameters = extra?.get('invocation_params');
    const tools = parameters?.get('tools');
    const output = record.get('outputs')?.get('llm_output');
    const usage = chatUsage(output?.get('token_usage') ?? output?.get('tokenUsage'));
    const model = firstText(
      extra?.get('metadata')?.get('ls_model_name'),
      parameters?.get('model'),
      parameters?.get('model_name'),
      output?.get('model_name'),
    );
    return {
      id: firstText(
        record.get('id'),
        record.get('thread_id'),
        record.get('config')?.get('configurable')?.get('thread_id'),
        record.get('metadata')?.get('thread_id'),
      ),
      model,
      tools: tools?.isArray ? tools : undefined,
      reply:
        usage === undefined || repliesWithUsage(record)
          ? undefined
          : { usage, model, time: timeOf(record.get('end_time')) },
    };
  },
  recorded(raw) {
    return kindOf(raw) === 'ai' ? recordedIn(fieldsOf(raw)) : undefined;
  },
  envelope: stateEnvelope,
  encode: {
    messages: 'messages',
    media: (media) => (media.kind === 'image' ? { type: 'image_url', image_url: { url: mediaUrl(media) } } : undefined),
    acceptsNames: true,
    objectArgumentsOnly: true,
  },
});

function pathToFields(raw: JsonNode, fields: JsonNode): string {
  if (fields === raw) return '';
  return raw.get('kwargs') === undefined ? 'data.' : 'kwargs.';
}

function fieldsToWrite(message: Message, fields: JsonNode, isJs: boolean): JsonFields {
  if (message.role === 'tool') return resultFields(message, fields);
  if (message.role === 'assistant') return assistantFields(message, fields, isJs);
  return contentFields(message.parts, fields);
}

/** The first string that is not empty. */
function firstText(...nodes: (JsonNode | undefined)[]): string | undefined {
  return nodes.find((node) => node?.isString && node.byteLength > 0)?.string;
}

/** Whether the message that ends a run has its own usage. */
function repliesWithUsage(record: JsonNode): boolean {
  const reply = record.get('outputs')?.get('generations')?.items()[0]?.items()[0]?.get('message');
  return reply !== undefined && recordedIn(fieldsOf(reply))?.usage !== undefined;
}

function readReasoning(fields: JsonNode): ThinkingPart[] {
  const text = reasoningBeside(fields);
  const summaries = readSummaries(summariesBeside(fields));
  return text === undefined ? summaries : [{ type: 'thinking', text, raw: text }, ...summaries];
}

function readResult(raw: JsonNode, fields: JsonNode, content: readonly ContentPart[], legacy: boolean): ResultPart {
  const path = pathToFields(raw, fields);
  const tool = stringIn(fields.get('name'), `${path}name`) || undefined;
  if (legacy) return { type: 'result', callId: undefined, tool, content, legacy, raw };
  const callId = stringIn(fields.get('tool_call_id'), `${path}tool_call_id`) ?? '';
  return { type: 'result', callId, tool, content, isError: fields.get('status')?.string === 'error', raw };
}
