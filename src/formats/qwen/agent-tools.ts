import type { AgentTools } from '../agent-tool.js';

export default {
  source: 'https://github.com/QwenLM/qwen-code/tree/main/packages/core/src/tools',
  date: '2026-11-23',
  files: [{ tools: ['edit'], does: 'edit', path: ['file_path'] }], // and those of Gemini CLI
} satisfies AgentTools;
