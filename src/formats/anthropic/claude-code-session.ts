/**
 * New sessions of Claude Code: a line a message, each linked to the one before. As 2.1.332 writes and loads them
 * (2026-11-26); it counts the context itself where a reply states no usage.
 */
import type { Json, JsonFields } from '../../json/edit.js';
import type { Message } from '../../transcript/types.js';
import { isoTime, type NewMessage, type NewSession, rawOf, type SessionTarget } from '../session.js';
import tools from './agent-actions.js';
import anthropic from './anthropic-messages.js';
import { freshMessage } from './anthropic-write.js';
import claudeCode from './claude-code.js';

const VERSION = '2.1.332';

export default {
  format: claudeCode,
  encode: anthropic.encode!,
  tools,
  // getSessionInfo and listSessions of @anthropic-ai/claude-agent-sdk 0.3.332 (2026-11-26)
  takesOver: {
    path: ({ id, project }) => `${project.replace(/[^a-zA-Z0-9]/g, '-')}/${id}.jsonl`,
    resume: [['claude', '--resume', '{id}']],
  },
  sent,
  write(session) {
    const { id, title, messages } = session;
    const lines = messages.map((message, index) => lineOf(message, index, session));
    const named = title === undefined ? [] : [{ type: 'custom-title', customTitle: title, sessionId: id }];
    return { lines: [...named, ...lines] };
  },
} satisfies SessionTarget;

/** From its last boundary on, and what that keeps of before. */
function sent(messages: readonly Message[]): readonly Message[] {
  const at = messages.findLastIndex((message) => rawOf(message)?.get('subtype')?.string === 'compact_boundary');
  const data = at < 0 ? undefined : rawOf(messages[at]!)?.get('compactMetadata');
  const ids = messages.map((message) => rawOf(message)?.get('uuid')?.string);
  const listed = data?.get('preservedMessages')?.get('uuids')?.items() ?? [];
  const ends = ['headUuid', 'tailUuid'].map((key) =>
    ids.indexOf(data?.get('preservedSegment')?.get(key)?.string ?? ''),
  );
  const [head, tail] = ends as [number, number];
  const kept = new Set(listed.map((id) => id.string));
  const isKept = (index: number) => kept.has(ids[index] ?? '') || (head >= 0 && head <= index && index <= tail);
  const before = messages.filter((_, index) => index < at && isKept(index));
  const after = messages.slice(at + 1);
  const summaries = after.filter(isSummary);
  return before.length === 0 ? after : [...summaries, ...before, ...after.filter((message) => !isSummary(message))];
}

function isSummary(message: Message): boolean {
  return rawOf(message)?.get('isCompactSummary')?.boolean === true;
}

function lineOf({ message, time, model }: NewMessage, index: number, session: NewSession): Json {
  const { id, project, uuid } = session;
  return {
    parentUuid: index === 0 ? null : uuid(index - 1),
    isSidechain: false,
    userType: 'external',
    cwd: project,
    sessionId: id,
    version: VERSION,
    ...(message.role === 'assistant' ? reply(message, model, uuid(`reply ${index}`)) : said(message)),
    uuid: uuid(index),
    timestamp: isoTime(time),
  };
}

function said(message: Message): JsonFields {
  return { type: 'user', message: freshMessage(message) };
}

function reply(message: Message, model: string | undefined, uuid: string): JsonFields {
  const { role, content } = freshMessage(message) as JsonFields;
  const calls = message.parts.some(({ type }) => type === 'call');
  return {
    type: 'assistant',
    message: {
      id: `msg_${uuid.replaceAll('-', '').slice(0, 24)}`,
      type: 'message',
      role,
      model: model ?? 'unknown',
      content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
      stop_reason: calls ? 'tool_use' : 'end_turn',
      stop_sequence: null,
    },
  };
}
