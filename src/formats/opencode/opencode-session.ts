/**
 * New sessions of opencode, as `opencode export` writes and `opencode import` takes them (1.18.33, 2026-11-26): its
 * database is its own.
 */
import type { Json, JsonFields } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import type { Message } from '../../transcript/types.js';
import { type Encode, mediaUrl } from '../encode.js';
import { type NewMessage, type NewSession, rawOf, type SessionTarget } from '../session.js';
import { fieldsOf } from '../shared/fields.js';
import { providerOf } from '../shared/model-providers.js';
import tools from './agent-actions.js';
import opencode from './opencode.js';

const VERSION = '1.18.33';

const encode: Encode = {
  messages: 'messages',
  mediaFrom: ['user', 'tool'],
  objectArgumentsOnly: true,
  resultNeedsToolName: true,
  joinsTexts: ['result'],
  media: (media) =>
    media.kind === 'audio'
      ? undefined
      : { type: 'file', mime: media.type ?? 'image/png', filename: media.name, url: mediaUrl(media) },
};

export default {
  format: opencode,
  encode,
  tools,
  takesOver: {
    resume: [
      ['opencode', 'import', '{file}'],
      ['opencode', '--session', '{id}'],
    ],
    remove: ['opencode', 'session', 'delete', '{id}'],
  },
  sent,
  newId: (uuid) => idOf('ses', 0, uuid),
  write(session) {
    const { id, project, title, started, messages, uuid } = session;
    const ids = messages.map((_, index) => idOf('msg', index, uuid(index)));
    const written: Json[] = [];
    let asked: string | undefined;
    for (const [index, message] of messages.entries()) {
      if (message.message.role !== 'assistant') asked = ids[index]!;
      written.push(messageOf(message, { id: ids[index]!, asked: asked ?? ids[0]!, index, session }));
    }
    const time = { created: started, updated: messages.at(-1)?.time ?? started };
    const info = { id, slug: id, projectID: 'global', directory: project, title: title ?? 'Session of another agent' };
    return { document: { info: { ...info, version: VERSION, time }, messages: written } };
  },
} satisfies SessionTarget;

/** The summary, what it left uncompacted, and what came after. */
function sent(messages: readonly Message[]): readonly Message[] {
  const at = messages.findLastIndex((message, index) => {
    const reply = messages[index + 1] && rawOf(messages[index + 1]!)?.get('info');
    return compactionIn(message) !== undefined && reply?.get('summary')?.boolean === true;
  });
  if (at < 0) return messages;
  const tail = compactionIn(messages[at]!)!.get('tail_start_id')?.string;
  const first = messages.findIndex((message) => rawOf(message)?.get('info')?.get('id')?.string === tail);
  const kept = first < 0 ? [] : messages.slice(first, at);
  const asked = messages[at]!.parts.map((part) =>
    part.type === 'opaque' ? { type: 'text' as const, text: ASKED } : part,
  );
  return [{ ...messages[at]!, parts: asked }, messages[at + 1]!, ...kept, ...messages.slice(at + 2)];
}

/** What opencode sends in place of a compaction. */
const ASKED = 'What did we do so far?';

function compactionIn(message: Message): JsonNode | undefined {
  const parts = rawOf(message)?.get('parts')?.items() ?? [];
  return parts.find((part) => part.get('type')?.string === 'compaction');
}

/** opencode sorts by id what is of one time, and takes a greater id for a later one. Its own begin with a time. */
function idOf(kind: string, index: number, uuid: string): string {
  return `${kind}_${index.toString(16).padStart(12, '0')}${uuid.replaceAll('-', '').slice(0, 14)}`;
}

interface Place {
  readonly id: string;
  /** The message of the user that it answers. */
  readonly asked: string;
  readonly index: number;
  readonly session: NewSession;
}

function messageOf({ message, time, model }: NewMessage, { id, asked, index, session }: Place): Json {
  const { project, uuid, id: sessionID } = session;
  const { parts } = opencode.write({ ...message, model: undefined }) as { parts: readonly Json[] };
  const partId = (name: string) => ({
    id: idOf('prt', index, uuid(`part ${index} ${name}`)),
    sessionID,
    messageID: id,
  });
  const calls = message.parts.some(({ type }) => type === 'call');
  const named = { providerID: providerOf(model), modelID: model ?? 'unknown' };
  const info =
    message.role === 'assistant'
      ? {
          ...{
            role: 'assistant',
            parentID: asked,
            mode: 'build',
            agent: 'build',
            path: { cwd: project, root: project },
          },
          ...{ cost: 0, tokens: NO_TOKENS, ...named, finish: calls ? 'tool-calls' : 'stop' },
          time: { created: time, completed: time },
        }
      : { role: 'user', time: { created: time }, agent: 'build', model: named };
  return {
    info: { ...info, id, sessionID },
    parts: parts.map((part, at) => ({
      ...withTimes(fieldsOf(part), time, (file) => partId(`${at} ${file}`)),
      ...partAt(at, partId),
    })),
  };
}

/** The usage stays with the session that it was paid in. */
const NO_TOKENS = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };

/** Ids of parts sort as they stand. */
function partAt(at: number, partId: (name: string) => JsonFields & { readonly id: string }): JsonFields {
  const own = partId(String(at));
  return { ...own, id: `${own.id.slice(0, 16)}${at.toString(16).padStart(4, '0')}${own.id.slice(20)}` };
}

function withTimes(part: JsonFields, time: number, fileId: (at: number) => JsonFields): JsonFields {
  const state = part['state'] as JsonFields | undefined;
  if (state === undefined) return part;
  const files = state['attachments'] as readonly Json[] | undefined;
  const attachments = files?.map((file, at) => ({ ...fieldsOf(file), ...fileId(at) }));
  const shown = state['status'] === 'completed' ? {} : { metadata: {} };
  return { ...part, state: { ...state, ...shown, time: { start: time, end: time }, ...(files && { attachments }) } };
}
