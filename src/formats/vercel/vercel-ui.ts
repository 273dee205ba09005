/**
 * UI messages of the Vercel AI SDK: `{id, role, parts}`. A call and its result are one part, `tool-<name>` or
 * `dynamic-tool`, whose `state` says how far the call got. Parts of tools that the provider runs pass through
 * unchanged: their results may not change. https://ai-sdk.dev/docs/reference/ai-sdk-core/ui-message Messages of version
 * 4 have `toolInvocations` and `content`; its later releases repeat both in `parts`.
 * https://v4.ai-sdk.dev/docs/reference/ai-sdk-ui/use-chat#messages
 */

import type { Json } from '../../json/edit.js';
import { patch, patchEach } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Part, Role } from '../../transcript/types.js';
import { defineFormat, type Row } from '../format.js';
import { hashId } from '../shared/derived-ids.js';
import { objectsIn, optionalObjects, optionalString, present } from '../shared/json-fields.js';
import { table } from '../shared/table.js';
import { mediaKind, modelIn, recordedInMetadata, recordedReply } from './ai-sdk.js';
import { roundsIn } from './ui-rounds.js';
import { readPart, readVersion4, toolOf } from './vercel-ui-read.js';
import { partsFields, unitsOf, version4Fields, writeUnit } from './vercel-ui-write.js';

const ROLES = table<Role>({ system: 'system', user: 'user', assistant: 'assistant' });
/** Types of parts that only this format has, besides tools. */
const OWN_PARTS = /^(?:step-start|source(?:-url|-document)?|data-.*|reasoning-file)$/;
/** Members that only messages of version 4 have, besides `toolInvocations`. */
const VERSION_4_MEMBERS = ['createdAt', 'annotations', 'experimental_attachments', 'revisionId'];

export default defineFormat({
  id: 'vercel-ui',
  traits: { flagsErrors: true, resultsStandInCalls: true },
  messagePaths: ['messages', 'initialMessages', 'chat.messages', 'body.messages', 'data.messages'],
  score(raw) {
    const role = raw.get('role')?.string;
    if (role === undefined || !(role in ROLES || role === 'data')) return 0;
    const parts = present(raw, 'parts');
    if (parts !== undefined) return scoreParts(parts);
    if (raw.get('toolInvocations')?.isArray) return 1;
    if (!raw.get('content')?.isString || !raw.get('id')?.isString) return 0;
    return VERSION_4_MEMBERS.some((key) => raw.get(key) !== undefined) ? 0.65 : 0.6;
  },
  read(raw) {
    const role = ROLES[optionalString(raw, 'role') ?? ''];
    if (role === undefined) return { role: 'meta', parts: [], raw };
    const list = present(raw, 'parts');
    const content =
      list === undefined
        ? readVersion4(raw)
        : objectsIn(list, 'parts').flatMap((part, index) => readPart(part, `parts[${index}]`));
    const attachments = optionalObjects(raw, 'experimental_attachments').map(
      (file): Part => ({ type: 'media', kind: mediaKind(file) ?? 'file', raw: file }),
    );
    const model = role === 'assistant' ? modelIn(raw.get('metadata')) : undefined;
    const isOpen = list?.items().some(isStreaming) === true;
    return { role, parts: [...content, ...attachments], model, raw, ...(isOpen && { cutOff: true }) };
  },
  write(message) {
    const { raw, role } = message;
    const units = unitsOf(message.parts);
    if (!(raw instanceof JsonNode)) return { role: role === 'tool' ? 'assistant' : role, parts: units.map(writeUnit) };
    if (role === 'meta') return raw;
    const list = present(raw, 'parts');
    const attachments = present(raw, 'experimental_attachments');
    const files = attachments?.items() ?? [];
    const content = units.filter(({ from }) => !files.some((file) => file.is(from)));
    const kept = patchEach(attachments, (file) => (units.some(({ from }) => file.is(from)) ? file : undefined));
    return patch(raw, {
      ...(list === undefined ? version4Fields(content, raw) : partsFields(content, list, raw)),
      ...(kept === undefined ? {} : { experimental_attachments: kept }),
    });
  },
  rounds({ parts, raw }) {
    if (!(raw instanceof JsonNode)) return [parts];
    const invocations = raw.get('toolInvocations')?.items() ?? [];
    return roundsIn(parts, present(raw, 'parts')?.items() ?? [...invocations, ...[raw.get('content') ?? []].flat()]);
  },
  describe(record) {
    const tools = record.get('tools');
    return {
      id: (present(record, 'id') ?? record.get('chatId'))?.string,
      model: modelIn(record) ?? record.get('selectedChatModel')?.string,
      tools: tools?.isArray || tools?.isObject ? tools : undefined,
      reply: recordedReply(record),
    };
  },
  recorded: (raw) =>
    raw.get('role')?.string === 'assistant'
      ? recordedInMetadata(raw.get('metadata'), { createdAt: raw.get('createdAt'), steps: stepsIn(raw) })
      : undefined,
  beforeWrite,
});

/** The number of steps in a message; each begins with a part of its own. */
function stepsIn(raw: JsonNode): number {
  const parts = raw.get('parts')?.items() ?? [];
  return parts.filter((part) => part.get('type')?.string === 'step-start').length;
}

function scoreParts(parts: JsonNode): number {
  if (!parts.isArray) return 0;
  let score = 0.9;
  for (const part of parts.items()) {
    const type = part.get('type')?.string;
    if (type === undefined) return 0;
    if (type === 'text' || type === 'reasoning') {
      // Parts of OpenTelemetry have their text in `content`.
      if (!(part.get('text') ?? part.get('reasoning'))?.isString) return -1;
    } else if (toolOf(part) !== undefined || OWN_PARTS.test(type)) score = 1;
    else if (mediaKind(part) === undefined && score < 1) score = 0.5;
  }
  return parts.length === 0 ? 0.4 : score;
}

/** Gives a message that was added the id, time and `content` that its neighbors have. */
function beforeWrite(rows: readonly Row[], before: readonly JsonNode[]): readonly Json[] {
  const hasIds = before.some((node) => node.get('id')?.isString);
  const hasContent = before.some((node) => node.get('content')?.isString);
  let neighbor = before[0];
  return rows.map(({ node, json: written }) => {
    neighbor = node ?? neighbor;
    if (node !== undefined || written instanceof JsonNode) return written;
    const { role, parts } = written as { role: string; parts: readonly { type: string; text?: string }[] };
    const text = parts.map((part) => part.text ?? '').join('');
    const id = hasIds ? { id: hashId(`${neighbor?.get('id')?.text ?? ''}\n${role}\n${text}`) } : {};
    return {
      ...id,
      ...(neighbor?.get('createdAt') === undefined ? {} : { createdAt: neighbor.get('createdAt') }),
      role,
      ...(hasContent ? { content: text } : {}),
      parts,
    };
  });
}

/** A snapshot of a stream: the SDK sends no part that is still open. */
function isStreaming(part: JsonNode): boolean {
  const state = part.get('state')?.string;
  return state === 'input-streaming' || state === 'streaming';
}
