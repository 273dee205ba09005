import type { AgentTools } from '../agent-tool.js';

/** https://github.com/langchain-ai/deepagents, read 2026-11-23 */
export default {
  files: [{ tools: ['edit_file'], does: 'edit', path: ['file_path'] }], // of Deep Agents
} satisfies AgentTools;
