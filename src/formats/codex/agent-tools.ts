import { type AgentTools, COMMANDS, PATCHES } from '../agent-tool.js';

const SHELLS = ['shell', 'shell_command', 'exec_command', 'local_shell', 'container.exec'];

export default {
  source: 'https://github.com/openai/codex/blob/main/codex-rs/apply-patch/src/lib.rs',
  date: '2026-11-23',
  files: [
    { tools: ['apply_patch'], does: 'edit', path: [], patch: PATCHES },
    {
      tools: ['shell', 'shell_command', 'exec_command', 'container.exec'],
      does: 'edit',
      path: [],
      patch: COMMANDS,
      folder: 'workdir',
    },
  ],
  runs: [[SHELLS, COMMANDS]],
  freshShells: SHELLS, // codex-rs/core/src/tools/handlers/shell.rs: without `workdir`, in the folder of the turn
} satisfies AgentTools;
