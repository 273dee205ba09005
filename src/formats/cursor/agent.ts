/** No documentation. As programs that read them agree: `composerData:<id>` and `bubbleId:<id>:<id>` (2026-11-26) */
import { type Database, defineAgent } from '../agent.js';
import { cursorSession } from './cursor-session.js';

const COMPOSERS = `(SELECT substr(key, 14) AS id, CAST(value AS TEXT) AS data FROM cursorDiskKV
  WHERE key >= 'composerData:' AND key < 'composerData;' AND json_valid(CAST(value AS TEXT)))`;

const DATABASE: Database = {
  sessions: [
    `SELECT id, coalesce(data ->> 'lastUpdatedAt', data ->> 'createdAt') AS changed,
        data ->> '$.workspaceIdentifier.uri.fsPath' AS folder, data ->> '$.subagentInfo.parentComposerId' AS parent
      FROM ${COMPOSERS}
      WHERE coalesce(json_array_length(data, '$.fullConversationHeadersOnly'), 0)
        + coalesce(json_array_length(data, '$.conversation'), 0) > 0`,
  ],
  incomplete: `SELECT composer.id AS id, count(*) AS missing
      FROM ${COMPOSERS} AS composer, json_each(data, '$.fullConversationHeadersOnly') AS header
      WHERE NOT EXISTS (SELECT 1 FROM cursorDiskKV AS bubble WHERE bubble.value IS NOT NULL
        AND bubble.key = 'bubbleId:' || composer.id || ':' || (header.value ->> 'bubbleId'))
      GROUP BY composer.id`,
  session: cursorSession,
};

export default defineAgent({
  id: 'cursor',
  title: 'Cursor',
  formats: ['cursor-agent'],
  stores: [
    { folders: ['<data Cursor>'], files: /^state\.vscdb$/, database: DATABASE },
    { folders: ['~/.cursor/projects'], files: /^[^/]+\/agent-transcripts\/(?:[^/]+\/)?[^/]+\.jsonl$/ },
  ],
});
