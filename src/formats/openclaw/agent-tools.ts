import type { AgentTools } from '../agent-tool.js';

/** https://docs.openclaw.ai/tools/exec, read 2026-11-23 */
export default {
  files: [], // those of pi
  runs: [[['exec'], ['command']]],
} satisfies AgentTools;
