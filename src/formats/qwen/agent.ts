import { defineAgent, SESSION_ID } from '../agent.js';

export default defineAgent({
  id: 'qwen-code',
  title: 'Qwen Code',
  formats: ['qwen-session'],
  stores: [
    {
      folders: ['~/.qwen/tmp', '~/.qwen/projects'],
      movedBy: ['QWEN_DATA_DIR'],
      below: ['tmp', 'projects'],
      files: /^[^/]+\/chats\/[^/]+\.jsonl?$/,
      idInside: SESSION_ID,
    },
  ],
});
