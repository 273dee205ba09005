import { type AgentTools, COMMANDS, OFFSET, PATCHES } from '../agent-tool.js';

export default {
  source: 'https://github.com/sst/opencode/tree/dev/packages/opencode/src/tool',
  date: '2026-11-23',
  files: [
    { tools: ['read'], does: 'read', path: ['filePath'], lines: [OFFSET] },
    { tools: ['edit', 'multiedit', 'write'], does: 'edit', path: ['filePath'] },
    { tools: ['patch'], does: 'edit', path: [], patch: PATCHES },
  ],
  runs: [
    [['bash'], COMMANDS],
    [['webfetch'], ['url', 'prompt']],
  ],
} satisfies AgentTools;
