import { type AgentTools, COMMANDS, START_TO_END } from '../agent-tool.js';

export default {
  source: 'https://github.com/continuedev/continue (extensions/cli/src/tools, core/tools/definitions)',
  date: '2026-11-30',
  files: [
    { tools: ['Read', 'read_file'], does: 'read', path: ['filepath'] },
    {
      tools: ['read_file_range'],
      does: 'read',
      path: ['filepath'],
      lines: [{ ...START_TO_END, from: 'startLine', to: 'endLine' }],
    },
    {
      tools: ['Write', 'create_new_file', 'edit_existing_file', 'single_find_and_replace', 'multi_edit'],
      does: 'edit',
      path: ['filepath'],
    },
  ],
  runs: [[['run_terminal_command'], COMMANDS]],
} satisfies AgentTools;
