import { defineAgent, SESSION_ID } from '../agent.js';

export default defineAgent({
  id: 'qwen-code',
  title: 'Qwen Code',
  // https://www.mintlify.com/QwenLM/qwen-code/cli/options/resume (2026-11-26)
  resume: 'qwen --resume',
  formats: ['qwen-session'],
  stores: [
    {
      folders: ['~/.qwen/tmp', '~/.qwen/projects'],
      movedBy: ['QWEN_DATA_DIR'],
      below: ['tmp', 'projects'],
      files: /^[^/]+\/(?:chats(?:\/archive)?|subagents\/[^/]+)\/[^/.]+\.jsonl?$/,
      parts: /\/subagents\//,
      idInside: SESSION_ID,
    },
  ],
});
