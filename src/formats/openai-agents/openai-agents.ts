/**
 * OpenAI Agents SDK for JavaScript: the items of sessions and histories. They are like those of OpenAI Responses, with
 * names in camelCase and results of their own types. (The SDK for Python stores items of OpenAI Responses.)
 * https://github.com/openai/openai-agents-js/blob/main/packages/agents-core/src/types/protocol.ts
 */
import type { JsonNode } from '../../json/node.js';
import { defineFormat } from '../format.js';
import { readItem } from '../openai/openai-responses-read.js';
import { CALL_OF, CALLS, itemKind, MEDIA, ROLES } from './openai-agents-items.js';
import { readCall, readResult } from './openai-agents-read.js';
import { writeItem } from './openai-agents-write.js';

/** Items that only this SDK writes. */
const OWN_ITEMS = new Set(['hosted_tool_call', 'function_call_result', 'computer_call_result']);
/** They may have the spelling of the API. */
const SEARCH = /^tool_search/;
const BLOCKS = new Set(['input_text', 'output_text', 'refusal', 'input_image', 'input_file', 'audio', 'image']);

export default defineFormat({
  id: 'openai-agents',
  traits: { piecesStandAlone: true },
  byteHints: { toolCalls: ['allId"', 'hosted_tool_call', 'tool_search'] },
  messagePaths: ['history', 'input', 'items', 'originalInput'],
  score(raw) {
    const type = raw.get('type')?.string;
    if (type !== undefined && OWN_ITEMS.has(type)) return 1;
    if (type === 'reasoning') return raw.get('content')?.isArray && raw.get('summary') === undefined ? 0.9 : 0;
    if (type !== undefined && (CALLS[type] ?? CALL_OF[type]) !== undefined)
      return raw.get('callId') === undefined ? (raw.get('call_id') !== undefined && SEARCH.test(type) ? 0.5 : 0) : 1;
    if (type === 'compaction' || type === 'unknown') return 0.5;
    if (type !== undefined && type !== 'message') return 0;
    return scoreMessage(raw);
  },
  read: (raw) =>
    readItem(raw, itemKind(raw), {
      roles: ROLES,
      media: MEDIA,
      reasoning: ['content', 'rawContent'],
      call: readCall,
      result: readResult,
      saysCall: (item) => item.get('arguments') !== undefined,
    }),
  write: writeItem,
});

/** Messages look as in OpenAI Responses, which wins where no item shows that the SDK wrote them. */
function scoreMessage(raw: JsonNode): number {
  const role = raw.get('role')?.string;
  const content = raw.get('content');
  if (role === undefined || content === undefined) return 0;
  if (ROLES[role] === undefined || raw.get('tool_calls') !== undefined) return -1;
  if (content.isString) return role === 'assistant' ? 0 : 0.5;
  return content.items().every((block) => BLOCKS.has(block.get('type')?.string ?? '')) ? 0.7 : 0;
}
