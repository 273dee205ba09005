import { type AgentTools, OFFSET, START_TO_END } from '../agent-tool.js';

export default {
  source: 'https://github.com/google-gemini/gemini-cli/tree/main/packages/core/src/tools',
  date: '2026-11-23',
  files: [
    { tools: ['read_file'], does: 'read', path: ['file_path', 'absolute_path'], lines: [START_TO_END, OFFSET] },
    { tools: ['replace', 'write_file'], does: 'edit', path: ['file_path'] },
    { tools: ['read_many_files'], does: 'read', path: ['include', 'paths'] },
  ],
  runs: [
    [['run_shell_command'], ['command']],
    [['web_fetch'], ['url', 'prompt']],
  ],
  freshShells: ['run_shell_command'], // shell.ts: without `dir_path`, in the folder of the project
} satisfies AgentTools;
