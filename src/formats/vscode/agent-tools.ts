import { type AgentTools, OFFSET_FROM_1, VIEW_RANGE } from '../agent-tool.js';

export default {
  source: 'https://github.com/microsoft/vscode-copilot-chat/tree/main/src/extension/tools/node',
  date: '2026-11-23',
  files: [
    {
      tools: ['read_file'],
      does: 'read',
      path: ['filePath'],
      lines: [{ from: 'startLine', to: 'endLine', first: 1 }, OFFSET_FROM_1],
    },
    {
      tools: ['replace_string_in_file', 'insert_edit_into_file', 'create_file', 'edit_notebook_file'],
      does: 'edit',
      path: ['filePath'],
    },
    { tools: ['multi_replace_string_in_file'], does: 'edit', path: ['replacements.filePath'] },
    { tools: ['view'], does: 'read', path: ['path'], lines: [VIEW_RANGE] },
    { tools: ['create'], does: 'edit', path: ['path'] },
  ],
  runs: [[['run_in_terminal'], ['command']]],
} satisfies AgentTools;
