import type { AgentTools } from '../agent-tool.js';

/** https://github.com/QwenLM/qwen-code/tree/main/packages/core/src/tools, read 2026-11-23 */
export default {
  files: [{ tools: ['edit'], does: 'edit', path: ['file_path'] }], // and those of Gemini CLI
} satisfies AgentTools;
