import { defineAgent, idOfFirst } from '../agent.js';

export default defineAgent({
  id: 'openclaw',
  title: 'OpenClaw',
  stores: [
    {
      folders: ['~/.openclaw/agents'],
      movedBy: ['OPENCLAW_DIR'],
      below: ['agents'],
      // one that was reset or deleted is kept under the time at which it was:
      // https://github.com/openclaw/openclaw/blob/main/src/gateway/session-utils.fs.ts (2026-11-26)
      files: /^[^/]+\/sessions\/[^/]+\.jsonl(?:\.(?:reset|deleted)\.[^/]+)?$/,
      id: /([^/]+)\.jsonl[^/]*$/,
      idInside: idOfFirst('session'),
    },
  ],
});
