import type { AgentTools } from '../agent-tool.js';

export default {
  source: 'https://github.com/MoonshotAI/kimi-cli/tree/main/src/kimi_cli/tools/file',
  date: '2026-11-23',
  files: [
    {
      tools: ['ReadFile', 'Read'],
      does: 'read',
      path: ['path'],
      lines: [{ from: 'line_offset', count: 'n_lines', first: 1 }],
    },
    { tools: ['WriteFile', 'StrReplaceFile', 'Write', 'Edit'], does: 'edit', path: ['path'] },
  ],
  runs: [[['Shell'], ['command']]],
} satisfies AgentTools;
