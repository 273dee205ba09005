import { type AgentTools, COMMANDS, OFFSET_FROM_1, VIEW_OR_EDIT, VIEW_RANGE } from '../agent-tool.js';

export default {
  source: 'https://platform.claude.com/docs/en/agent-sdk/typescript',
  date: '2026-11-23',
  files: [
    { tools: ['Read'], does: 'read', path: ['file_path'], lines: [OFFSET_FROM_1] },
    { tools: ['Edit', 'MultiEdit', 'Write'], does: 'edit', path: ['file_path'] },
    { tools: ['NotebookRead'], does: 'read', path: ['notebook_path'] },
    { tools: ['NotebookEdit'], does: 'edit', path: ['notebook_path'] },
    // https://platform.claude.com/docs/en/agents-and-tools/tool-use/text-editor-tool
    {
      tools: ['str_replace_based_edit_tool', 'str_replace_editor'],
      does: VIEW_OR_EDIT,
      path: ['path'],
      lines: [VIEW_RANGE],
    },
  ],
  runs: [
    [['Bash', 'bash'], COMMANDS],
    [['WebFetch'], ['url', 'prompt']],
  ],
} satisfies AgentTools;
