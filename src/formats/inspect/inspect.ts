/**
 * Inspect AI logs: one object `{version, status, eval, …, samples}`, each sample with `messages`; or a single sample,
 * as `.eval` archives hold them. A call has the tool's name in `function` and its arguments as a value. A result names
 * its call and tool; the text of its `error`, if any, is what the model reads. Texts and images may be
 * `attachment://<hash>`. https://inspect.aisi.org.uk/reference/inspect_ai.model.html#messages
 */
import { type Json, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { commaSet } from '../../lists.js';
import type { Part, Role } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import { json, optionalObjects, optionalString } from '../shared/json-fields.js';
import { idField, isContent, isResult, readContent } from '../shared/parts.js';
import { table } from '../shared/table.js';
import { fresh, readBlock, readCall, readResult, writeBlocks, writeCalls, writeResult } from './inspect-content.js';
import { updateCopies } from './inspect-events.js';
import { describe, recorded, sampleOf } from './inspect-requests.js';

const ROLES = table<Role>({ system: 'system', user: 'user', assistant: 'assistant', tool: 'tool' });
/** Types of blocks that only other formats have. */
const FOREIGN_BLOCKS = commaSet(`
  tool_result, tool_call, toolCall, tool-call, image_url, input_text, output_text, thinking, function_call
`);
/** Ids that Inspect makes: 22 characters of a base 57 alphabet. */
const OWN_ID = /^[2-9A-HJ-NP-Za-km-z]{22}$/;
/** Values of `source`, which says where a message comes from. */
const SOURCES = new Set(['input', 'generate']);

export default defineFormat({
  id: 'inspect',
  traits: { flagsErrors: true },
  messagePaths: ['samples[].messages', 'messages'],
  score(raw) {
    const role = raw.get('role')?.string;
    const content = raw.get('content');
    if (role === undefined || !(role in ROLES) || raw.get('parts') !== undefined) return 0;
    if (content?.items().some((block) => FOREIGN_BLOCKS.has(block.get('type')?.string ?? ''))) return -1;
    const call = raw.get('tool_calls')?.items()[0];
    if (call !== undefined) return call.get('function')?.isString ? 1 : -1;
    if (role === 'tool') return scoreResult(raw);
    if (content === undefined || content.isNull) return 0;
    if (SOURCES.has(raw.get('source')?.string ?? '') || OWN_ID.test(raw.get('id')?.string ?? '')) return 0.9;
    return raw.get('id') === undefined ? 0.52 : 0.3;
  },
  read(raw) {
    const role = ROLES[optionalString(raw, 'role') ?? ''];
    if (role === undefined) return { role: 'meta', parts: [], raw };
    const parts = readContent(raw.get('content'), 'content', readBlock);
    if (role === 'tool') return { role, parts: [readResult(raw, parts.filter(isContent))], raw };
    if (role !== 'assistant') return { role, parts, raw };
    const reasoning = raw.get('reasoning');
    const thoughts: Part[] =
      reasoning?.isString && reasoning.byteLength > 0 ? [{ type: 'thinking', text: reasoning, raw: reasoning }] : [];
    return {
      role,
      parts: [...thoughts, ...parts, ...optionalObjects(raw, 'tool_calls').map(readCall)],
      model: optionalString(raw, 'model'),
      raw,
    };
  },
  write(message) {
    const { raw } = message;
    if (!(raw instanceof JsonNode)) return fresh(message);
    if (message.role === 'meta') return raw;
    const result = message.parts.find(isResult);
    if (result !== undefined) return patch(raw, { ...idField('tool_call_id', result), ...writeResult(result, raw) });
    const fields: Record<string, Json | undefined> = {
      content: writeBlocks(message.parts.filter(isInContent(raw)), raw.get('content')),
      ...writeCalls(message.parts, raw),
    };
    const reasoning = raw.get('reasoning');
    if (reasoning?.isString && reasoning.byteLength > 0) {
      const thought = message.parts.find((part) => part.type === 'thinking' && reasoning.is(part.raw));
      fields['reasoning'] = thought?.type === 'thinking' ? json(thought.text) : undefined;
    }
    return patch(raw, fields);
  },
  describe,
  recorded,
  syncDuplicates(record, changes) {
    const sample = sampleOf(record, changes[0]?.before.raw as JsonNode);
    return sample === undefined ? [] : updateCopies(sample, changes);
  },
});

function scoreResult(raw: JsonNode): number {
  if (raw.get('tool_call_id') === undefined || raw.get('name') !== undefined) return -1;
  return raw.get('function')?.isString ? 1 : 0.1;
}

/** Which parts of a message are in its `content`. */
function isInContent(raw: JsonNode): (part: Part) => boolean {
  return (part) => part.type !== 'call' && part.type !== 'result' && !raw.get('reasoning')?.is(part.raw);
}
