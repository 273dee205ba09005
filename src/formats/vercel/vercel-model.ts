/**
 * Model messages of the Vercel AI SDK. Content is text or a list of parts. Calls are `tool-call` parts of assistant
 * messages, results are `tool-result` parts of tool messages; the SDK merges consecutive tool messages. Tools that the
 * provider runs have both parts in the assistant message; those pass through unchanged.
 * https://ai-sdk.dev/docs/reference/ai-sdk-core/model-message
 * Version 4 named the arguments `args` and put the bare value into `result`. A request to approve a call stands beside
 * the call and is removed with it; the response, in a tool message, is removed with the request.
 * https://ai-sdk.dev/docs/ai-sdk-core/tools-and-tool-calling#tool-execution-approval
 */
import { type Json, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { commaList, greatest } from '../../lists.js';
import type { Role } from '../../transcript/types.js';
import { type Media, type MediaPlace, mediaUrl } from '../encode.js';
import { defineFormat } from '../format.js';
import { optionalString, present, wrongType } from '../shared/json-fields.js';
import { joinedString } from '../shared/parts.js';
import { table } from '../shared/table.js';
import { modelIn, recordedReply } from './ai-sdk.js';
import { beforeWrite } from './vercel-model-list.js';
import { APPROVAL_REQUEST, APPROVAL_RESPONSE, readContent } from './vercel-model-read.js';
import { freshContent, writeContent } from './vercel-model-write.js';
import { INPUT_KEYS, toolNameOf, toolOf } from './vercel-ui-read.js';

const ROLES = table<Role>({ system: 'system', user: 'user', assistant: 'assistant', tool: 'tool' });

export default defineFormat({
  id: 'vercel-model',
  traits: { resultsShareMessage: true, flagsErrors: true },
  messagePaths: commaList(`
    =request.system? + request.messages, =body.system? + body.messages, =system? + messages, =instructions? + messages,
    =system? + prompt, params.prompt
  `),
  score(raw) {
    const role = raw.get('role')?.string;
    const content = raw.get('content');
    if (role === undefined || !(role in ROLES) || content === undefined || raw.get('parts') !== undefined) return 0;
    if (
      present(raw, 'tool_calls') !== undefined ||
      raw.get('tool_call_id') !== undefined ||
      raw.get('toolInvocations') !== undefined
    )
      return -1;
    if (!content.isArray) return content.isString && role !== 'tool' ? 0.51 : -1;
    const scores = content.items().map((part) => scorePart(part, role));
    if (scores.some((score) => score < 0)) return -1;
    return scores.length === 0 ? 0.4 : greatest(scores);
  },
  read(raw) {
    if (!raw.isObject) return { role: 'system', parts: readContent(raw, 'system'), raw };
    const role = ROLES[optionalString(raw, 'role') ?? wrongType(raw, 'role', 'a string')];
    if (role === undefined) return { role: 'meta', parts: [], raw };
    const parts = readContent(raw.get('content'), role);
    return role === 'tool' && parts.length === 0 && (raw.get('content')?.length ?? 0) > 0
      ? { role: 'meta', parts, raw }
      : { role, parts, raw };
  },
  write(message) {
    const { raw, parts, role } = message;
    if (!(raw instanceof JsonNode)) return { role, content: freshContent(message) };
    if (role === 'meta') return raw;
    if (!raw.isObject) return writeContent(parts, raw) ?? raw;
    const content = raw.get('content');
    return patch(raw, {
      content: role === 'system' && content?.isString ? joinedString(parts) : writeContent(parts, content),
    });
  },
  describe(record) {
    const requests = [record, record.get('request'), record.get('body'), record.get('params')].filter(
      (node) => node !== undefined,
    );
    const tools = requests.map((node) => node.get('tools')).find((found) => found?.isArray || found?.isObject);
    return {
      id: record.get('id')?.string,
      model: [...requests, record.get('response')].map(modelIn).find((found) => found !== undefined),
      tools,
      reply: recordedReply(record),
    };
  },
  beforeWrite,
  encode: {
    messages: 'messages',
    joinsTexts: ['system'],
    media: encodeMedia,
    mediaFrom: ['user', 'assistant', 'tool'],
    canReuse(raw, kind) {
      const type = raw.get('type')?.string ?? '';
      if (kind === 'thinking') return type === 'reasoning' && raw.get('text')?.isString === true;
      if (kind === 'media')
        return (
          type === 'image' || (type === 'file' && [raw.get('mediaType'), raw.get('data')].every((own) => own?.isString))
        );
      return (
        kind === 'opaque' && (type === 'tool-call' || type === 'tool-result') && raw.get('toolName')?.isString === true
      );
    },
    convertOpaque: convertServerTool,
    takesApprovals: true,
    acceptsThinking: true,
    objectArgumentsOnly: true,
    resultNeedsToolName: true,
  },
});

function scorePart(part: JsonNode, role: string): number {
  const type = part.get('type')?.string ?? '';
  if (type === 'tool-call' || type === 'tool-result') return part.get('toolCallId')?.isString ? 1 : -1;
  if (type === APPROVAL_REQUEST || type === APPROVAL_RESPONSE) return part.get('approvalId') === undefined ? -1 : 1;
  if (role === 'tool' || type === 'tool_use' || type === 'tool_result') return -1;
  if (type === 'text') return part.get('text')?.isString ? 0.51 : -1;
  if (type === 'reasoning') return part.get('text')?.isString ? 0.9 : -1;
  if (type === 'image' || type === 'file')
    return part.get('source') === undefined && part.get(type === 'image' ? 'image' : 'data') !== undefined ? 0.9 : 0;
  return 0;
}

/** A tool of a UI message that the provider ran: its call and result stand in one message. */
function convertServerTool(raw: JsonNode): Json[] | undefined {
  const tool = toolOf(raw);
  const toolName = tool && toolNameOf(tool);
  if (tool?.get('providerExecuted')?.boolean !== true || toolName === undefined) return undefined;
  const named = { toolCallId: tool.get('toolCallId'), toolName };
  const input = INPUT_KEYS.map((key) => tool.get(key)).find((found) => found !== undefined);
  const call = { type: 'tool-call', ...named, input: input ?? {}, providerExecuted: true };
  const [output, error] = [tool.get('output'), tool.get('errorText')];
  const value = output ?? error;
  if (value === undefined) return [call];
  const type = `${output === undefined ? 'error-' : ''}${value.isString ? 'text' : 'json'}`;
  return [call, { type: 'tool-result', ...named, output: { type, value } }];
}

function encodeMedia(media: Media, place: MediaPlace): Json {
  const { kind, type, base64, url } = media;
  const mediaType = type ?? (kind === 'image' ? 'image/png' : 'application/octet-stream');
  if (place === 'result')
    return base64 === undefined
      ? { type: kind === 'image' ? 'image-url' : 'file-url', url }
      : { type: 'media', data: base64, mediaType };
  if (kind === 'image' && place === 'user') return { type: 'image', image: mediaUrl(media), mediaType: type };
  return { type: 'file', data: mediaUrl(media), mediaType, filename: media.name };
}
