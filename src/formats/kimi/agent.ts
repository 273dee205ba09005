/** https://github.com/MoonshotAI/kimi-cli, and since 2026 https://github.com/MoonshotAI/kimi-code (2026-11-26) */
import { defineAgent } from '../agent.js';

export default defineAgent({
  id: 'kimi',
  title: 'Kimi CLI',
  // https://moonshotai.github.io/kimi-code/en/reference/kimi-command (2026-11-26)
  resume: 'kimi --session',
  formats: ['kimi-cli'],
  stores: [
    {
      folders: ['~/.kimi/sessions'],
      movedBy: ['KIMI_DATA_DIR'],
      below: ['sessions'],
      files: /^[^/]+\/[^/]+\/context\.jsonl$/,
      id: /([^/]+)\/context\.jsonl$/,
      usage: { of: /context\.jsonl$/, is: 'wire.jsonl', format: 'kimi-cli' },
    },
    {
      folders: ['~/.kimi-code/sessions'],
      movedBy: ['KIMI_CODE_HOME'],
      below: ['sessions'],
      files: /^[^/]+\/[^/]+\/agents\/[^/]+\/wire\.jsonl$/,
      parts: /\/agents\/(?!main\/)/,
      id: /^[^/]+\/([^/]+)/,
      whole: /^[^/]+\/([^/]+)/,
    },
  ],
});
