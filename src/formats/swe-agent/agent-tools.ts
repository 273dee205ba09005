import type { AgentTools } from '../agent-tool.js';

/** https://github.com/SWE-agent/SWE-agent/tree/main/tools, read 2026-11-23 */
export default {
  files: [
    { tools: ['open'], does: 'read', path: ['path'] },
    { tools: ['create'], does: 'edit', path: ['filename'] },
  ],
} satisfies AgentTools;
