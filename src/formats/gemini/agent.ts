import { defineAgent } from '../agent.js';

export default defineAgent({
  id: 'gemini-cli',
  title: 'Gemini CLI',
  formats: ['gemini-cli-session'],
  store: {
    folders: ['~/.gemini/tmp'],
    movedBy: ['GEMINI_DATA_DIR'],
    below: ['tmp'],
    files: /^[^/]+\/chats\/[^/]+\.jsonl?$/,
  },
});
