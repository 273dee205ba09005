/** https://github.com/block/goose/blob/main/crates/goose/src/session/session_manager.rs (2026-11-26) */
import { type Database, defineAgent } from '../agent.js';
import { gooseSession } from './goose-session.js';

const DATABASE: Database = {
  sessions: [
    `SELECT id, strftime('%s', updated_at) * 1000 AS changed, working_dir AS folder, parent_session_id AS parent
      FROM sessions`,
    `SELECT id, strftime('%s', updated_at) * 1000 AS changed, working_dir AS folder FROM sessions`,
    `SELECT id, strftime('%s', created_at) * 1000 AS changed FROM sessions`,
  ],
  session: gooseSession,
  instead: 'goose session export --format json', // https://block.github.io/goose/docs/guides/goose-cli-commands
};

export default defineAgent({
  id: 'goose',
  title: 'goose',
  // https://block.github.io/goose/docs/guides/goose-cli-commands (2026-11-26)
  resume: 'goose session --resume --session-id',
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
