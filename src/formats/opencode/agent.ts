/** https://github.com/anomalyco/opencode/tree/dev/packages/opencode/src/storage, and `session.sql.ts` (2026-11-26) */
import { type Database, defineAgent, type Spread } from '../agent.js';
import { sessionOf, sessionRow } from './opencode-stored.js';

/** Since version 1.2. `data` is a message or a part, without the ids in the other columns. */
const DATABASE: Database = {
  sessions: [
    'SELECT id, time_updated AS changed, directory AS folder, parent_id AS parent FROM session',
    'SELECT id, time_updated AS changed, directory AS folder FROM session',
  ],
  session: sessionRow,
  instead: 'opencode export <id> > session.json', // https://opencode.ai/docs/cli/#export
};

/** Before: a file for the session, each of its messages, and each part of these. */
const SPREAD: Spread = {
  of: /(?<=\/storage\/)session\/[^/]+\/[^/]+\.json$/,
  session: sessionOf,
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
