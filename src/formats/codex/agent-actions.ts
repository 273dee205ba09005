import type { ToolAction } from '../agent-tool.js';

/** https://github.com/openai/codex/tree/main/codex-rs/core/src/tools, and what 0.169.0 defined, 2026-11-26 */
export default [
  { does: 'shell', tool: 'exec_command', args: { command: 'cmd', folder: 'workdir', why: 'justification' } },
  {
    does: 'shell',
    tool: 'shell_command',
    args: { command: 'command', folder: 'workdir', timeout: 'timeout_ms' },
    isOld: true,
  },
  { does: 'shell', tool: 'shell', args: { command: 'command', folder: 'workdir', timeout: 'timeout_ms' }, isOld: true },
  { does: 'patch', tool: 'apply_patch', args: { patch: 'input' }, isOld: true },
  { does: 'patch', tool: 'apply_patch', args: { patch: '' } },
  {
    does: 'todo',
    tool: 'update_plan',
    args: { todos: 'plan', why: 'explanation' },
    item: { text: 'step', status: 'status' },
  },
] satisfies readonly ToolAction[];
