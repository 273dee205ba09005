/** The files of opencode's storage: a session, a message without its parts, or a part. */
import type { JsonNode } from '../../json/node.js';
import type { Role } from '../../transcript/types.js';
import { table } from '../shared/table.js';

export const ROLES = table<Role>({ user: 'user', assistant: 'assistant' });
/** Types of parts that only record what happened. */
const INTERNAL_TYPES = new Set(['step-start', 'step-finish', 'snapshot', 'patch', 'retry']);
const PART_TYPES = new Set(['text', 'reasoning', 'tool', 'file', 'agent', 'subtask', 'compaction', ...INTERNAL_TYPES]);
/** Media types of attached files that opencode sends as texts beside them. */
const SENT_AS_TEXT = new Set(['text/plain', 'application/x-directory']);

/** Whether the model never sees a part: it records what happened, or opencode leaves it out of the user's message. */
export function isUnseen(part: JsonNode, role: Role): boolean {
  const type = part.get('type')?.string ?? '';
  if (INTERNAL_TYPES.has(type)) return true;
  if (role !== 'user') return false;
  return type === 'text'
    ? part.get('ignored')?.boolean === true
    : type === 'file' && SENT_AS_TEXT.has(part.get('mime')?.string ?? '');
}

/** Whether a value is the file of a session. */
export function isSession(raw: JsonNode): boolean {
  return (
    ['id', 'projectID', 'directory'].every((key) => raw.get(key)?.isString) &&
    raw.get('time')?.get('created')?.number !== undefined
  );
}

/** Whether a value is the file of a message, which has no parts. */
export function isMessageFile(raw: JsonNode): boolean {
  return (
    (raw.get('role')?.string ?? '') in ROLES &&
    ['id', 'sessionID'].every((key) => raw.get(key)?.isString) &&
    raw.get('time')?.get('created')?.number !== undefined &&
    raw.get('content') === undefined &&
    raw.get('parts') === undefined
  );
}

/** Whether a value is the file of a part. Early parts do not name their message. */
export function isPartFile(raw: JsonNode): boolean {
  if (!raw.get('id')?.isString || !PART_TYPES.has(raw.get('type')?.string ?? '')) return false;
  return (
    ['sessionID', 'messageID'].every((key) => raw.get(key)?.isString) ||
    raw.get('time')?.get('start')?.number !== undefined ||
    isToolPart(raw)
  );
}

/** Whether a value is a part with a call. */
export function isToolPart(raw: JsonNode): boolean {
  return raw.get('type')?.string === 'tool' && raw.get('callID') !== undefined && raw.get('state')?.isObject === true;
}
