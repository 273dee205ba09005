import { type AgentTools, COMMANDS, OFFSET, PATCHES } from '../agent-tool.js';

/** https://github.com/sst/opencode/tree/dev/packages/opencode/src/tool, read 2026-11-23 */
export default {
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
