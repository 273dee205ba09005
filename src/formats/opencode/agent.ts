/** https://github.com/anomalyco/opencode/tree/dev/packages/opencode/src/storage, and `session.sql.ts` (2026-11-26) */
import { type Json, patch } from '../../json/edit.js';
import { parse } from '../../json/node.js';
import { type Database, defineAgent, type Spread } from '../agent.js';

/** Since version 1.2. `data` is a message or a part, without the ids in the other columns. */
const DATABASE: Database = {
  sessions: [
    'SELECT id, time_updated AS changed, directory AS folder, parent_id AS parent FROM session',
    'SELECT id, time_updated AS changed, directory AS folder FROM session',
  ],
  session(id, select) {
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
  },
  instead: 'opencode export <id> > session.json', // https://opencode.ai/docs/cli/#export
};

function withIds(data: unknown, ids: Readonly<Record<string, string>>): Json {
  return patch(parse(String(data)), ids);
}

/** Before: a file for the session, each of its messages, and each part of these. */
const SPREAD: Spread = {
  of: /(?<=\/storage\/)session\/[^/]+\/[^/]+\.json$/,
  session(own, filesIn) {
    const messages = filesIn(`message/${own.get('id')?.string}`);
    if (messages.length === 0) return undefined;
    return {
      info: own,
      messages: messages.map((info) => ({ info, parts: filesIn(`part/${info.get('id')?.string}`) })),
    };
  },
};

export default defineAgent({
  id: 'opencode',
  title: 'opencode',
  resume: 'opencode -s', // https://opencode.ai/docs/cli (2026-11-26)
  formats: ['opencode'],
  stores: [
    {
      folders: ['~/.local/share/opencode'],
      movedBy: ['OPENCODE_DATA_DIR'],
      files: /^opencode[^/]*\.db$/,
      database: DATABASE,
    },
    {
      folders: ['~/.local/share/opencode/storage/session'],
      movedBy: ['OPENCODE_DATA_DIR'],
      below: ['storage/session'],
      files: /^[^/]+\/[^/]+\.json$/,
      spread: SPREAD,
    },
  ],
});
