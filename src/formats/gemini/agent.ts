import { defineAgent, SESSION_ID } from '../agent.js';

export default defineAgent({
  id: 'gemini-cli',
  title: 'Gemini CLI',
  resume: 'gemini --resume',
  formats: ['gemini-cli-session'],
  stores: [
    {
      folders: ['~/.gemini/tmp'],
      movedBy: ['GEMINI_DATA_DIR'],
      below: ['tmp'],
      // a sub-agent's is below the id of the session
      files: /^[^/]+\/chats\/(?:[^/]+\/)?[^/]+\.jsonl?$/,
      parts: /\/chats\/[^/]+\//,
      whole: /\/chats\/([^/]+)\//,
      idInside: SESSION_ID,
    },
  ],
});
