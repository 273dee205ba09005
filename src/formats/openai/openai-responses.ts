/**
 * OpenAI Responses: a list of items. Messages, reasoning, calls and outputs are separate items; an output names its
 * call in `call_id`. What runs on the server (search, code, MCP) is a single item with call and result.
 * https://platform.openai.com/docs/api-reference/responses
 */
import type { JsonNode } from '../../json/node.js';
import { commaSet } from '../../lists.js';
import type { Recorded } from '../../transcript/types.js';
import { LONGEST_NAME, mediaUrl, NOT_IN_NAMES, withProperties } from '../encode.js';
import { defineFormat } from '../format.js';
import { callIn, callPaths } from '../shared/api-calls.js';
import { openaiBilling } from '../shared/billing.js';
import { callReply, messagelessCalls } from '../shared/call-reply.js';
import { optionalString } from '../shared/json-fields.js';
import { chatUsage, responseInfo, responsesUsage } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import { RESPONSES_PARAMETERS } from './openai-parameters.js';
import { itemKind, OWN_BLOCKS, otherItemRole, ROLES } from './openai-responses-items.js';
import { readBlocks, readCall, readItem, readResult } from './openai-responses-read.js';
import { writeItem } from './openai-responses-write.js';

/** Calls and outputs of this format. */
const CALL_ITEM = /^(?!tool_)[a-z_]+_call(?:_output)?$/;
const OTHER_ITEMS = commaSet(`
  tool_search_call, tool_search_output, mcp_list_tools, mcp_approval_request, mcp_approval_response, compaction,
  item_reference, additional_tools, program, program_output
`);
/** Keys of the objects that hold model and tools; '' is the record itself. */
const METADATA_KEYS = ['', 'responses_create_params', 'request', 'body', 'response', 'model_parameters'];

const PATHS = callPaths({ request: ['=instructions?', 'input'], response: 'output' });
const TEXT_PATHS = callPaths({ request: ['=instructions?', '~input'], response: 'output' });
/** Models of other APIs whose requests have a text as `input` too: embeddings, moderations, speech. */
const OTHER_MODEL = /embed|moderation|tts/i;
/** https://platform.openai.com/docs/api-reference/responses/create as of 2026-11-24. */
const REQUEST_KEYS = new Set([
  ...['model', 'input', 'instructions', 'tools', 'tool_choice', 'parallel_tool_calls', 'max_tool_calls', 'prompt'],
  ...['previous_response_id', 'conversation', 'context_management', 'include', 'reasoning', 'text', 'truncation'],
  ...['max_output_tokens', 'temperature', 'top_p', 'top_logprobs', 'stream', 'stream_options', 'store', 'background'],
  ...['metadata', 'user', 'safety_identifier', 'service_tier', 'prompt_cache_key', 'prompt_cache_retention'],
]);
/** Those that no other body with an `input` is known to have. */
const OWN_KEYS = [
  ...['instructions', 'max_output_tokens', 'max_tool_calls', 'include', 'store', 'previous_response_id'],
  ...['conversation', 'context_management', 'truncation'],
];

export default defineFormat({
  id: 'openai-responses',
  traits: { piecesStandAlone: true },
  byteHints: { toolCalls: ['_call'] },
  messagePaths: [
    '=responses_create_params.instructions? + responses_create_params.input > response.output',
    ...PATHS.pairs,
    ...TEXT_PATHS.pairs,
    'messages > response.output',
    '=instructions? + input > output',
    '=instructions? + input',
    '=instructions? + ~input > output',
    '=instructions? + ~input',
    ...PATHS.requests,
    ...TEXT_PATHS.requests,
    ...PATHS.responses,
    'items',
    'data',
  ],
  envelope: messagelessCalls,
  claimsRecord: (record) => METADATA_KEYS.some((key) => isTextRequest(key === '' ? record : record.get(key))),
  claimsBody(body, isNamed) {
    if (body.get('input')?.isArray !== true || !body.members().every(({ key }) => REQUEST_KEYS.has(key.text)))
      return false;
    return isNamed || OWN_KEYS.some((key) => body.get(key) !== undefined) || isFlat(body.get('tools'));
  },
  score(raw) {
    const type = raw.get('type')?.string;
    const role = raw.get('role')?.string;
    // items of the Agents SDK
    if (type === 'hosted_tool_call' || (type !== undefined && raw.get('callId') !== undefined)) return -1;
    if (type === 'reasoning') return raw.get('summary')?.isArray ? 1 : 0;
    if (type === 'function_call' || type === 'function_call_output') return raw.get('call_id') !== undefined ? 1 : 0;
    if (type !== undefined && type !== 'message')
      return isOwnItem(type) && (raw.get('id') ?? raw.get('call_id') ?? raw.get('role')) !== undefined ? 0.9 : 0;
    if (role === undefined || raw.get('content') === undefined) return 0;
    return !(role in ROLES) || raw.get('tool_calls') !== undefined || raw.get('stop_reason') !== undefined
      ? -1
      : scoreContent(raw.get('content')!, type);
  },
  read(raw, isBeside) {
    if (!raw.isObject)
      return { role: isBeside === false ? 'user' : 'system', parts: readBlocks(raw, 'instructions'), raw };
    return readItem(raw, itemKind(raw), {
      roles: ROLES,
      reasoning: ['summary', 'content'],
      otherRole: otherItemRole(raw),
      call: readCall,
      result: readResult,
      saysCall: (item) => item.get('name') !== undefined,
    });
  },
  write: writeItem,
  describe(record) {
    const call = callIn(record);
    const held = METADATA_KEYS.map((key) => (key === '' ? record : record.get(key)));
    const around = [...held, call?.request, call?.response].filter((node) => node !== undefined);
    const first = (key: string, fits: (node: JsonNode) => boolean) =>
      around.map((node) => node.get(key)).find((found) => found !== undefined && fits(found));
    const others = simulatedRequests(record);
    const id = ['id', 'task_id', 'instance_id', 'custom_id']
      .map((key) => record.get(key))
      .find((node) => node?.isString);
    return {
      id: call?.id ?? id?.text,
      model: first('model', (node) => node.isString)?.text,
      tools: first('tools', (node) => node.length > 0),
      reply: replyIn(record),
      ...(others.length === 0 ? {} : { others }),
    };
  },
  encode: {
    mediaFrom: ['user', 'tool'],
    notInNames: NOT_IN_NAMES,
    longestName: LONGEST_NAME,
    messages: 'input',
    model: 'model',
    parameters: RESPONSES_PARAMETERS,
    system: { key: 'instructions', write: (text) => text },
    // strict by default, other than in the other APIs: https://platform.openai.com/docs/guides/migrate-to-responses
    tools: (definitions, entries) => ({
      tools: [
        ...definitions.map((definition) => ({ type: 'function', strict: false, ...withProperties(definition) })),
        ...entries,
      ],
    }),
    isOwnTool(entry) {
      const type = entry.get('type')?.string;
      return type === 'function' || type === 'custom' ? entry.get('name')?.isString === true : type !== undefined;
    },
    media: (media) => {
      if (media.kind === 'image') return { type: 'input_image', detail: 'auto', image_url: mediaUrl(media) };
      if (media.kind === 'file')
        return media.base64 === undefined
          ? { type: 'input_file', file_url: media.url }
          : { type: 'input_file', filename: media.name ?? 'file', file_data: mediaUrl(media) };
      return undefined;
    },
    refusal: (text) => ({ type: 'refusal', refusal: text }),
    takesCustomCalls: true,
    customTool: ({ name, description, grammar }) => ({
      type: 'custom',
      name,
      description,
      format: grammar && { type: 'grammar', ...grammar },
    }),
    canReuse: (raw, kind) => kind === 'item' && isAccepted(raw),
  },
});

/**
 * Required string fields by item type. Items that ran on the server require an id.
 * https://platform.openai.com/docs/api-reference/responses/create
 */
const REQUIRED = table<readonly string[]>({
  reasoning: [],
  function_call: ['call_id', 'name', 'arguments'],
  custom_tool_call: ['call_id', 'name', 'input'],
  function_call_output: ['call_id'],
  custom_tool_call_output: ['call_id'],
});
const OUTPUT_BLOCKS = new Set(['output_text', 'refusal']);
const INPUT_BLOCKS = new Set(['input_text', 'input_image', 'input_file']);

/** Whether it is the body of a request whose `input` is a text. */
function isTextRequest(body: JsonNode | undefined): boolean {
  const model = body?.get('model')?.string;
  if (body === undefined || model === undefined || OTHER_MODEL.test(model)) return false;
  return body.get('input')?.isString === true && body.members().every(({ key }) => REQUEST_KEYS.has(key.text));
}

/** Whether tools have their name beside their type; in Chat Completions it stands in `function`. */
function isFlat(tools: JsonNode | undefined): boolean {
  return tools?.items().some((tool) => tool.get('type')?.string === 'function' && tool.get('name')?.isString) === true;
}

/** Whether only this format has items of this type. */
function isOwnItem(type: string): boolean {
  return CALL_ITEM.test(type) || OTHER_ITEMS.has(type);
}

/** Whether the API accepts an item unchanged as input. */
function isAccepted(raw: JsonNode): boolean {
  const kind = itemKind(raw);
  const type = optionalString(raw, 'type') ?? 'message';
  const isServerItem = kind !== 'message' && REQUIRED[type] === undefined; // these can have null members
  if (!isServerItem && raw.members().some(({ value }) => value.isNull)) return false;
  const isTyped = (list: JsonNode | undefined, types: ReadonlySet<string>) =>
    list?.isString === true ||
    (list?.isArray === true &&
      list
        .items()
        .every(
          (block) => types.has(block.get('type')?.string ?? '') && block.members().every(({ value }) => !value.isNull),
        ));
  if (kind === 'message')
    return isTyped(raw.get('content'), raw.get('role')?.string === 'assistant' ? OUTPUT_BLOCKS : INPUT_BLOCKS);
  if (kind === 'reasoning') return raw.get('summary')?.isArray === true;
  const required = REQUIRED[type] ?? (isOwnItem(type) ? ['id'] : ['']);
  const execution = raw.get('execution')?.string;
  return (
    required.every((key) => raw.get(key)?.isString) &&
    (isServerItem || kind !== 'result' || isTyped(raw.get('output'), INPUT_BLOCKS)) &&
    raw.get('error')?.isString !== true &&
    (execution === undefined || execution === 'server' || execution === 'client')
  );
}

/** Usage of the response in a record. A NeMo Gym rollout states the sum of its responses. */
function replyIn(record: JsonNode): Recorded | undefined {
  const reply = callReply(record, (response) => {
    const usage = responsesUsage(response.get('usage'));
    return usage && responseInfo(response, usage, openaiBilling(response));
  });
  if (reply === undefined || record.get('responses_create_params') === undefined) return reply;
  const runningRequests = repliesIn(record.get('response')?.get('output')) || undefined;
  const { usage: running, ...rest } = reply;
  return { ...rest, responseId: undefined, requestId: undefined, running, runningRequests };
}

/** The requests of a simulation in a NeMo Gym rollout of tau2, whose response states no usage. */
function simulatedRequests(record: JsonNode): Recorded[] {
  const messages = record.get('responses_create_params') && record.get('result')?.get('messages')?.items();
  return (messages ?? []).flatMap((message) => {
    const data = message.get('raw_data');
    const request = responseInfo(data, chatUsage(data?.get('usage'), data?.get('model')?.string), openaiBilling(data));
    const agent = message.get('role')?.string === 'user' ? 'user' : undefined;
    return request === undefined ? [] : [{ ...request, agent }];
  });
}

/** The number of responses in a list of items: a response ends before the outputs of its calls. */
function repliesIn(output: JsonNode | undefined): number {
  const isWritten = (output?.items() ?? []).map(
    (item) => itemKind(item) !== 'result' && (item.get('role')?.string ?? 'assistant') === 'assistant',
  );
  return isWritten.filter((is, index) => is && !isWritten[index - 1]).length;
}

function scoreContent(content: JsonNode, type: string | undefined): number {
  if (content.isString) return type === undefined ? 0.52 : 0.75; // without a type it may be a chat message
  const types = content.items().map((block) => block.get('type')?.string ?? '');
  if (types.length === 0) return content.isArray ? 0.3 : 0;
  if (types.every((known) => OWN_BLOCKS.has(known))) return 1;
  return types.some((known) => OWN_BLOCKS.has(known)) ? 0.8 : -1;
}
