/**
 * New sessions of Codex: a header, the items, and beside what was said the events by which Codex lists and shows it.
 * As 0.169.0 writes and loads them (2026-11-26).
 */
import type { Json, JsonFields } from '../../json/edit.js';
import { joinTexts } from '../../transcript/text.js';
import type { ContentPart, Message } from '../../transcript/types.js';
import responses from '../openai/openai-responses.js';
import { isoTime, type NewMessage, type NewSession, rawOf, type SessionTarget, summaryOf, uuidV7 } from '../session.js';
import { providerOf } from '../shared/model-providers.js';
import tools from './agent-actions.js';
import codexRollout, { freshItem } from './codex-rollout.js';

const VERSION = '0.169.0';

export default {
  format: codexRollout,
  encode: responses.encode!,
  tools,
  isUntitled: true, // names are in a database
  // https://github.com/openai/codex/blob/main/codex-rs/rollout/src/recorder.rs (0.169.0, 2026-11-26)
  takesOver: {
    path: ({ id, started }) =>
      `${started.slice(0, 10).replaceAll('-', '/')}/rollout-${started.slice(0, 19).replaceAll(':', '-')}-${id}.jsonl`,
    resume: [['codex', 'resume', '{id}']],
  },
  newId: uuidV7,
  // `codex resume` asks for the model of the last turn_context (0.171.0, 2026-11-26)
  runs: (model) => providerOf(model) === 'openai',
  sent,
  write(session) {
    const { id, project, started, messages } = session;
    const meta = {
      id,
      session_id: id,
      timestamp: isoTime(started),
      cwd: project,
      originator: 'codex_cli_rs',
      cli_version: VERSION,
      source: 'cli',
    };
    return {
      lines: [
        { timestamp: isoTime(started), type: 'session_meta', payload: meta },
        ...messages.flatMap((message, index) => linesOf(message, messages[index - 1], session)),
      ],
    };
  },
} satisfies SessionTarget;

/** What replaced the history last, and what came after; early versions kept the user's words, and a summary. */
function sent(messages: readonly Message[]): readonly Message[] {
  const at = messages.findLastIndex((message) => rawOf(message)?.get('type')?.string === 'compacted');
  if (at < 0) return messages;
  const payload = rawOf(messages[at]!)!.get('payload');
  const history = payload?.get('replacement_history');
  const summary = summaryOf(payload?.get('message')?.string ?? '');
  const before = history?.isArray
    ? history.items().map((item) => responses.read(item))
    : [...messages.slice(0, at).filter(({ role, keeps }) => role === 'user' && keeps === undefined), summary];
  return [...before, ...messages.slice(at + 1)];
}

/** The model of a reply is in a line before it, where it changes. */
function linesOf(next: NewMessage, before: NewMessage | undefined, { project }: NewSession): Json[] {
  const { message, time, model } = next;
  const timestamp = isoTime(time);
  const context =
    model === undefined || model === before?.model
      ? []
      : [{ timestamp, type: 'turn_context', payload: { cwd: project, model, ...POLICIES } }];
  const item = { timestamp, type: 'response_item', payload: freshItem(message) };
  const event = eventOf(message);
  return [...context, item, ...(event === undefined ? [] : [{ timestamp, type: 'event_msg', payload: event }])];
}

/** Codex asks for them; the user's own settings hold when the session goes on. */
const POLICIES = { approval_policy: 'on-request', sandbox_policy: { type: 'read-only' }, summary: 'auto' };

function eventOf({ role, parts }: Message): JsonFields | undefined {
  const texts = parts.filter((part): part is ContentPart => part.type === 'text');
  if (texts.length === 0 || (role !== 'user' && role !== 'assistant')) return undefined;
  const message = joinTexts(texts);
  return role === 'user' ? { type: 'user_message', message, images: [] } : { type: 'agent_message', message };
}
