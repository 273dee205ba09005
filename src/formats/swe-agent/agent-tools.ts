import type { AgentTools } from '../agent-tool.js';

export default {
  source: 'https://github.com/SWE-agent/SWE-agent/tree/main/tools',
  date: '2026-11-23',
  files: [
    { tools: ['open'], does: 'read', path: ['path'] },
    { tools: ['create'], does: 'edit', path: ['filename'] },
  ],
} satisfies AgentTools;
