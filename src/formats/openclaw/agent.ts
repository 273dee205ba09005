import { defineAgent } from '../agent.js';

export default defineAgent({
  id: 'openclaw',
  title: 'OpenClaw',
  store: {
    folders: ['~/.openclaw/agents'],
    movedBy: ['OPENCLAW_DIR'],
    below: ['agents'],
    files: /^[^/]+\/sessions\/[^/]+\.jsonl$/,
  },
});
