import { type AgentTools, VIEW_OR_EDIT, VIEW_RANGE } from '../agent-tool.js';

export default {
  source:
    'https://github.com/All-Hands-AI/OpenHands/blob/main/openhands/agenthub/codeact_agent/tools/str_replace_editor.py',
  date: '2026-11-23',
  files: [
    { tools: ['file_editor'], does: VIEW_OR_EDIT, path: ['path'], lines: [VIEW_RANGE] },
    { tools: ['edit_file'], does: 'edit', path: ['path'] },
  ],
  runs: [
    [['execute_bash', 'terminal', 'run'], ['command']],
    [['run_ipython', 'execute_ipython_cell'], ['code']],
  ],
} satisfies AgentTools;
