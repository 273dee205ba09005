import type { AgentTools } from '../agent-tool.js';

export default {
  source: 'https://github.com/langchain-ai/deepagents',
  date: '2026-11-23',
  files: [{ tools: ['edit_file'], does: 'edit', path: ['file_path'] }], // of Deep Agents
} satisfies AgentTools;
