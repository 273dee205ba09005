import { defineAgent, SESSION_ID } from '../agent.js';

export default defineAgent({
  id: 'copilot',
  title: 'GitHub Copilot CLI',
  resume: 'copilot --resume', // https://github.com/github/copilot-cli/issues/4397 (2026-11-26)
  formats: ['copilot-cli'],
  stores: [
    {
      folders: ['~/.copilot/session-state', '~/.copilot/history-session-state'],
      movedBy: ['COPILOT_HOME'],
      below: ['session-state', 'history-session-state'],
      files: /^[^/]+\/events\.jsonl$|^[^/]+\.jsonl?$/,
      id: /([^/]+)\/events\.jsonl$/,
      idInside: SESSION_ID,
    },
  ],
});
