import { type AgentTools, COMMANDS, OFFSET_FROM_1 } from '../agent-tool.js';

export default {
  source: 'https://github.com/badlogic/pi-mono/tree/main/packages/coding-agent/src/core/tools',
  date: '2026-11-23',
  files: [
    { tools: ['read'], does: 'read', path: ['path'], lines: [OFFSET_FROM_1] },
    { tools: ['edit', 'write'], does: 'edit', path: ['path'] },
  ],
  runs: [[['bash'], COMMANDS]],
} satisfies AgentTools;
