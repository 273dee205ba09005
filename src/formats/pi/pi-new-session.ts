/** New sessions of pi: a header, then entries, each linked to the one before. As 0.73.1 loads them (2026-11-26). */
import type { Json, JsonFields } from '../../json/edit.js';
import type { Message } from '../../transcript/types.js';
import type { Encode } from '../encode.js';
import { isoTime, type NewMessage, type NewSession, rawOf, type SessionTarget, summaryOf, uuidV7 } from '../session.js';
import { providerOf } from '../shared/model-providers.js';
import tools from './agent-actions.js';
import piSession from './pi-session.js';

const encode: Encode = {
  messages: 'messages',
  mediaFrom: ['user', 'tool'],
  objectArgumentsOnly: true,
  resultNeedsToolName: true,
  media: ({ kind, type, base64 }) =>
    kind === 'image' && base64 !== undefined
      ? { type: 'image', data: base64, mimeType: type ?? 'image/png' }
      : undefined,
  signedThinking: (proof) =>
    'redacted' in proof
      ? { type: 'thinking', thinking: '', thinkingSignature: proof.redacted, redacted: true }
      : { type: 'thinking', thinking: proof.text, thinkingSignature: proof.signature },
};

export default {
  format: piSession,
  encode,
  tools,
  // core/session-manager.js of @mariozechner/pi-coding-agent 0.73.1 (2026-11-26)
  takesOver: {
    path: ({ id, project, started }) =>
      `--${project.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--/${started.replace(/[:.]/g, '-')}_${id}.jsonl`,
    resume: [['pi', '--session', '{id}']],
  },
  newId: uuidV7,
  sent,
  write(session) {
    const { id, project, title, started, messages } = session;
    const ids = messages.map((_, index) => entryId(session, index));
    const entries = messages.map((message, index): Json => {
      const place = {
        type: 'message',
        id: ids[index]!,
        parentId: ids[index - 1] ?? null,
        timestamp: isoTime(message.time),
      };
      return { ...place, message: messageOf(message) };
    });
    const head = { type: 'session', version: 3, id, timestamp: isoTime(started), cwd: project };
    const last = messages.at(-1)?.time ?? started;
    const named = {
      ...{ type: 'session_info', id: entryId(session, 'title'), parentId: ids.at(-1) ?? null },
      ...{ timestamp: isoTime(last), name: title },
    };
    return { lines: [head, ...entries, ...(title === undefined ? [] : [named])] };
  },
} satisfies SessionTarget;

/** The last summary, and the entries from the first that it kept, without earlier summaries. */
function sent(messages: readonly Message[]): readonly Message[] {
  const at = messages.findLastIndex(isCompaction);
  if (at < 0) return messages;
  const compaction = rawOf(messages[at]!)!;
  const id = compaction.get('firstKeptEntryId')?.string;
  const kept = messages.findIndex((message) => id !== undefined && rawOf(message)?.get('id')?.string === id);
  const first = kept < 0 ? (compaction.get('firstKeptEntryIndex')?.number ?? at) : kept;
  return [
    summaryOf(compaction.get('summary')?.string ?? ''),
    ...messages.slice(Math.min(first, at), at).filter((message) => !isCompaction(message)),
    ...messages.slice(at + 1),
  ];
}

function isCompaction(message: Message): boolean {
  return rawOf(message)?.get('type')?.string === 'compaction';
}

/** Entries have ids of eight digits. */
function entryId({ uuid }: NewSession, name: string | number): string {
  return uuid(`entry ${name}`).slice(0, 8);
}

function messageOf({ message, time, model }: NewMessage): Json {
  const { message: fresh } = piSession.write({ ...message, model: undefined }) as { message: JsonFields };
  if (message.role !== 'assistant') return { ...fresh, timestamp: time };
  const calls = message.parts.some(({ type }) => type === 'call');
  return { ...fresh, ...apiOf(model), usage: NOTHING_USED, stopReason: calls ? 'toolUse' : 'stop', timestamp: time };
}

/** The usage stays with the session that it was paid in. */
const NOTHING_USED = {
  ...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

const APIS = { anthropic: 'anthropic-messages', google: 'google-generative-ai', openai: 'openai-responses' } as const;

/** The API of a model, by its name: pi keeps signed thoughts for the model that signed them. */
function apiOf(model = 'unknown'): JsonFields {
  const provider = providerOf(model);
  return { api: APIS[provider], provider, model };
}
