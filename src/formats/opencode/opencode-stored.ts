/** A session of opencode as a document: what its database holds of it, or before version 1.2 its files. */
import { type Json, patch } from '../../json/edit.js';
import { type JsonNode, parse } from '../../json/node.js';
import type { Select } from '../agent.js';

export function sessionRow(id: string, select: Select): Json | undefined {
  const [session] = select('SELECT * FROM session WHERE id = ?', id);
  if (session === undefined) return undefined;
  const messages = select('SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id', id);
  const column = (name: string) => (session[name] ?? undefined) as Json | undefined;
  const json = (name: string) => (session[name] == null ? undefined : parse(String(session[name])));
  return {
    info: {
      id,
      slug: column('slug'), // `opencode import` asks for it (1.18.33, 2026-11-26)
      version: column('version'),
      projectID: column('project_id'),
      directory: column('directory'),
      parentID: column('parent_id'),
      title: column('title'),
      agent: column('agent'),
      model: json('model'),
      permission: json('permission'),
      time: { created: column('time_created'), updated: column('time_updated') },
    },
    messages: messages.map(({ id: message, data }) => ({
      info: withIds(data, { id: String(message), sessionID: id }),
      parts: select('SELECT id, data FROM part WHERE message_id = ? ORDER BY id', String(message)).map((part) =>
        withIds(part['data'], { id: String(part['id']), sessionID: id, messageID: String(message) }),
      ),
    })),
  };
}

function withIds(data: unknown, ids: Readonly<Record<string, string>>): Json {
  return patch(parse(String(data)), ids);
}

export function sessionOf(own: JsonNode, filesIn: (folder: string) => readonly JsonNode[]): Json | undefined {
  const messages = filesIn(`message/${own.get('id')?.string}`);
  if (messages.length === 0) return undefined;
  return {
    info: own,
    messages: messages.map((info) => ({ info, parts: filesIn(`part/${info.get('id')?.string}`) })),
  };
}
