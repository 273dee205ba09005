import { type AgentTools, START_TO_END } from '../agent-tool.js';

export default {
  source: 'https://github.com/cline/cline/tree/main/src/core/prompts/system-prompt/tools',
  date: '2026-11-23',
  files: [
    { tools: ['read_file'], does: 'read', path: ['path'], lines: [START_TO_END] },
    { tools: ['write_to_file', 'replace_in_file'], does: 'edit', path: ['path'] },
    // https://github.com/cline/cline/tree/main/sdk/packages/core
    { tools: ['read_files'], does: 'read', path: ['files.path'] },
    { tools: ['editor'], does: 'edit', path: ['path'] },
  ],
  runs: [
    [['execute_command'], ['command']],
    [['run_commands'], ['commands']], // of its command line, 3.0.65
  ],
} satisfies AgentTools;
