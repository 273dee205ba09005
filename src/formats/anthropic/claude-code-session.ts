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
import { boundaryIn } from './claude-code-boundary.js';
import { keptAcross } from './claude-code-compaction.js';

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

/** From its last boundary on, and what that keeps of before: behind the summary, unless it hangs on the boundary. */
function sent(messages: readonly Message[]): readonly Message[] {
  const at = messages.findLastIndex((message) => rawOf(message)?.get('subtype')?.string === 'compact_boundary');
  if (at < 0) return messages;
  const boundary = rawOf(messages[at]!)!;
  const before = keptAcross(boundary, messages.slice(0, at));
  const after = messages.slice(at + 1);
  if (boundaryIn(boundary)?.anchor === boundary.get('uuid')?.string) return [...before, ...after];
  return [...after.filter(isSummary), ...before, ...after.filter((message) => !isSummary(message))];
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
