/** https://github.com/block/goose/blob/main/crates/goose/src/session/session_manager.rs (2026-11-26) */
import { type Database, defineAgent } from '../agent.js';
import { gooseSession } from './goose-database.js';

const sessions = (time: string, more = '') =>
  `SELECT id, strftime('%s', ${time}) * 1000 AS changed${more} FROM sessions`;

const DATABASE: Database = {
  sessions: [
    sessions('updated_at', ', working_dir AS folder, parent_session_id AS parent'),
    sessions('updated_at', ', working_dir AS folder'),
    sessions('created_at'),
  ],
  session: gooseSession,
  instead: 'goose session export --format json', // https://block.github.io/goose/docs/guides/goose-cli-commands
};

export default defineAgent({
  id: 'goose',
  title: 'goose',
  // https://block.github.io/goose/docs/guides/goose-cli-commands (2026-11-26)
  resume: 'goose session --resume --session-id',
  formats: ['goose-session'],
  stores: [
    {
      folders: ['~/.local/share/goose/sessions'],
      movedBy: ['GOOSE_PATH_ROOT'],
      below: ['data/sessions'],
      files: /^sessions\.db$/,
      database: DATABASE,
    },
  ],
});
