import type { AgentTools } from '../agent-tool.js';

export default {
  source: 'https://docs.openclaw.ai/tools/exec',
  date: '2026-11-23',
  files: [], // those of pi
  runs: [[['exec'], ['command']]],
} satisfies AgentTools;
