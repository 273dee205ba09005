/**
 * OpenAI Chat Completions and compatible recordings: request bodies, fine-tuning JSONL, bare message lists, tau-bench
 * and SWE-agent trajectories. Calls are in `tool_calls` with JSON text as arguments; each result is a message of role
 * `tool`.
 * https://platform.openai.com/docs/api-reference/chat/create
 */
import type { Json } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { Keys } from '../../json/strings.js';
import { commaSet } from '../../lists.js';
import type { Recorded } from '../../transcript/types.js';
import { isCohereMessage } from '../cohere/cohere-detect.js';
import { LONGEST_NAME, lacksProperties, mediaUrl, NOT_IN_NAMES, withProperties } from '../encode.js';
import { type Description, defineFormat } from '../format.js';
import { callIn, callPaths } from '../shared/api-calls.js';
import { openaiBilling } from '../shared/billing.js';
import { callReply, messagelessCalls } from '../shared/call-reply.js';
import { chatUsage, costField, recordedOf, responseInfo, timeOf, tokens, usageOf } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import { chatTraits } from './chat-models.js';
import { isAgentRow, ROLE_NAMES, ROLE_OF, ROLES, readMessage } from './openai-chat-read.js';
import { writeMessage } from './openai-chat-write.js';
import { CHAT_PARAMETERS } from './openai-parameters.js';

const SCORE = {
  role: 0,
  content: 1,
  tool_calls: 2,
  function_call: 3,
  parts: 4,
  toolInvocations: 5,
  tool_plan: 6,
  citations: 7,
  tool_name: 8,
  object: 9,
} as const;
const SCORE_KEYS = new Keys(Object.keys(SCORE));
const RECORD = { model: 0, tools: 1, item: 2, model_parameters: 3, usage: 4, info: 5, functions: 6 } as const;
/** Keys that can identify a record, by precedence. */
const ID_KEYS = ['id', 'task_id', 'custom_id', 'instance_id', 'run_id'];
const RECORD_KEYS = new Keys([...Object.keys(RECORD), ...ID_KEYS]);
const FIRST_ID = RECORD_KEYS.names.indexOf('id');
/** Content blocks of other formats (Anthropic, Responses, Vercel, …): they rule this format out. */
const FOREIGN_BLOCKS = commaSet(`
  tool_use, tool_result, tool_call, toolCall, tool-call, tool-result, tool-approval-request, tool-approval-response,
  input_text, output_text, function_call
`);

/** The score of a message that Ollama's own API has: its other messages are the same. */
const OLLAMA_MESSAGE = 0.5;

const PATHS = callPaths({ request: ['messages'], response: 'choices[0].message' });

export default defineFormat({
  id: 'openai-chat',
  traits: {},
  byteHints: { toolCalls: ['"tool', '"func'] },
  messagePaths: [
    ...PATHS.pairs,
    'item.messages > sample.outputs',
    'messages',
    'traj',
    'history',
    'conversation',
    ...PATHS.requests,
    'data.messages',
    'input.messages',
    'item.messages',
    'runs[].messages',
    'data[].messages',
    ...PATHS.responses,
  ],
  envelope: messagelessCalls,
  score(raw) {
    const found = raw.find(SCORE_KEYS);
    const role = raw.nameAt(found[SCORE.role]!, ROLE_NAMES);
    if (raw.stringAt(found[SCORE.role]!) === undefined)
      return found[SCORE.role]! < 0 ? 0 : found[SCORE.content]! < 0 ? 0.1 : 0.6; // a slip: `read` says what is wrong
    if (found[SCORE.parts]! >= 0) return 0;
    if (raw.stringAt(found[SCORE.object]!) === 'entry') return -1; // of Mistral's Conversations
    const content = raw.nodeAt(found[SCORE.content]!);
    const calls = raw.nodeAt(found[SCORE.tool_calls]!);
    if (content?.isArray && content.items().some(isForeign)) return -1;
    if (isCohereMessage(raw.nodeAt(found[SCORE.tool_plan]!), raw.nodeAt(found[SCORE.citations]!), content)) return -1;
    if (found[SCORE.toolInvocations]! >= 0 || calls?.items(1)[0]?.get('name') !== undefined) return -1;
    if (role < 0) return otherRow(raw, content);
    if (found[SCORE.tool_name]! >= 0 || isOllamaCall(calls?.items(1)[0])) return OLLAMA_MESSAGE;
    if (ROLE_OF[role] === 'tool') return 0.9;
    if (raw.isAt(found[SCORE.tool_calls]!) || raw.isAt(found[SCORE.function_call]!)) return 0.95;
    return content === undefined ? 0.5 : 0.62;
  },
  claimsRecord: (record) => record.get('trajectory_format')?.string?.startsWith('mini-swe-agent') === true,
  read: readMessage,
  write: writeMessage,
  describe(record): Description {
    const found = record.find(RECORD_KEYS);
    const call = callIn(record);
    const { request = record.get('request'), response = record.get('response') } = call ?? {};
    const beside = [
      request,
      response,
      ...[RECORD.item, RECORD.model_parameters].map((at) => record.nodeAt(found[at]!)),
    ];
    const around = (own: number, key: string) =>
      record.nodeAt(own) ?? beside.map((node) => node?.get(key)).find((node) => node !== undefined);
    let id: JsonNode | undefined;
    for (let at = FIRST_ID; at < found.length && !isIdValue(id); at++) id = record.nodeAt(found[at]!);
    const model = around(found[RECORD.model]!, 'model')?.string;
    const tools = around(found[RECORD.tools]!, 'tools') ?? around(found[RECORD.functions]!, 'functions');
    const hasReply = response !== undefined || Math.max(found[RECORD.usage]!, found[RECORD.info]!) >= 0;
    return {
      id: call?.id ?? (isIdValue(id) ? id.text : undefined),
      model,
      tools: tools?.isArray ? tools : undefined,
      reply: hasReply ? replyIn(record) : undefined,
      ...chatTraits(model),
    };
  },
  encode: {
    messages: 'messages',
    model: 'model',
    parameters: CHAT_PARAMETERS,
    tools: (definitions, entries) => ({
      tools: [
        ...definitions.map((definition) => ({ type: 'function', function: { ...withProperties(definition) } })),
        ...entries,
      ],
    }),
    isOwnTool,
    media: (media) => {
      if (media.kind === 'image') return { type: 'image_url', image_url: { url: mediaUrl(media) } };
      if (media.base64 === undefined) return undefined;
      if (media.kind === 'audio') return audioBlock(media.base64, media.type ?? 'audio/wav');
      return { type: 'file', file: { filename: media.name ?? 'file', file_data: mediaUrl(media) } };
    },
    refusal: (text) => text,
    takesCustomCalls: true,
    customTool: ({ name, description, grammar }) => ({
      type: 'custom',
      custom: { name, description, format: grammar && { type: 'grammar', grammar } },
    }),
    acceptsThinking: true,
    acceptsNames: true,
    mediaFrom: ['user'],
    resultHasNoToolName: true,
    notInNames: NOT_IN_NAMES,
    longestName: LONGEST_NAME,
    canReuse: (raw, kind) =>
      (kind === 'thinking' && raw.isString) ||
      (kind === 'media' && isApiMedia(raw)) ||
      (kind === 'opaque' && isRefusal(raw)),
  },
  recorded(raw) {
    if (!raw.find(RECORDED).some((at) => at >= 0)) return undefined;
    const extra = raw.get('extra'); // of mini-swe-agent
    const response = extra?.get('response') ?? raw.get('raw_data');
    const usage = chatUsage(response?.get('usage') ?? raw.get('usage'), response?.get('model')?.string);
    const found = usage && responseInfo(response, usage, openaiBilling(response));
    return recordedOf({
      ...found,
      time: timeOf(raw.get('timestamp') ?? extra?.get('timestamp')) ?? found?.time,
      cost: costField(extra, 'cost') ?? costField(raw, 'cost'),
    });
  },
});

/** What a message may record of its request stands in one of these. */
const RECORDED = new Keys(['extra', 'raw_data', 'usage', 'timestamp', 'cost']);

/** Ollama's calls have no type, and their arguments are no text. */
function isOllamaCall(call: JsonNode | undefined): boolean {
  return call?.get('type') === undefined && call?.get('function')?.get('arguments')?.isObject === true;
}

/** A row whose role the API does not know: the agent's own, a role in capitals, or something else. */
function otherRow(raw: JsonNode, content: JsonNode | undefined): number {
  if (isAgentRow(raw)) return 0.9;
  if (content === undefined) return 0;
  return (raw.get('role')?.string ?? '').toLowerCase() in ROLES ? 0.62 : 0.3;
}

/** Whether a value can be the id of a record. */
function isIdValue(node: JsonNode | undefined): node is JsonNode {
  return node !== undefined && !node.isNull && !node.isObject && !node.isArray;
}

/** Usage of the reply in a record: a response, a line of a batch output, a call log, or SWE-agent's totals. */
function replyIn(record: JsonNode): Recorded | undefined {
  const reply = callReply(record, (response) => {
    const usage = chatUsage(response.get('usage'), response.get('model')?.string);
    return usage && responseInfo(response, usage, openaiBilling(response));
  });
  if (reply !== undefined) return { ...reply, cost: reply.cost ?? costField(record, 'cost') };
  const totals = record.get('info')?.get('model_stats');
  const [sent, received] = [tokens(totals, 'tokens_sent'), tokens(totals, 'tokens_received')];
  const running = sent || received ? usageOf({ input: sent ?? 0, output: received ?? 0 }) : undefined;
  const cost = costField(totals, 'instance_cost');
  const runningCost = Number(cost ?? 0) === 0 ? undefined : cost; // 0 where the price is not known
  return recordedOf({ running, runningCost, runningRequests: tokens(totals, 'api_calls') || undefined });
}

/** Audio formats that the API accepts, by media type. https://platform.openai.com/docs/api-reference/chat/create */
const AUDIO_FORMATS = table<string>({
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mp3': 'mp3',
  'audio/mpeg': 'mp3',
});

function audioBlock(data: string, type: string): Json | undefined {
  const format = AUDIO_FORMATS[type];
  return format === undefined ? undefined : { type: 'input_audio', input_audio: { data, format } };
}

/** Whether the API accepts a media block: compatible servers have others. */
function isApiMedia(raw: JsonNode): boolean {
  const format = raw.get('input_audio')?.get('format')?.string;
  if (raw.get('type')?.string === 'input_audio') return format === 'wav' || format === 'mp3';
  return raw.get('image_url')?.get('url')?.isString === true || raw.get('file')?.isObject === true;
}

/** What all take that copied the API; their own tools and members are not known to each other. */
const FUNCTION_KEYS = commaSet('name, description, parameters, strict');

function isOwnTool(entry: JsonNode): boolean {
  const held = entry.get('function');
  const schema = held?.get('parameters');
  if (entry.get('type')?.string === 'custom') return entry.get('custom')?.get('name')?.isString === true;
  return (
    entry.get('type')?.string === 'function' &&
    entry.members().length === 2 &&
    held?.get('name')?.isString === true &&
    held.members().every(({ key }) => FUNCTION_KEYS.has(key.text)) &&
    (schema === undefined || (schema.isObject && !lacksProperties(schema)))
  );
}

/** Whether an opaque part is a refusal: a field of the message, or a part of its content. */
function isRefusal(raw: JsonNode): boolean {
  return raw.isString || raw.get('type')?.string === 'refusal';
}

/** Whether another format has such a block; `mediaType` is the AI SDK's. */
function isForeign(block: JsonNode): boolean {
  return FOREIGN_BLOCKS.has(block.get('type')?.string ?? '') || block.get('mediaType')?.isString === true;
}
