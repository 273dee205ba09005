/** The registry of agents' tools. To add those of an agent: `agent-tools.ts` in its folder, and a line here. */
import type { AgentTools } from './agent-tool.js';
import anthropic from './anthropic/agent-tools.js';
import cline from './cline/agent-tools.js';
import codex from './codex/agent-tools.js';
import continueDev from './continue/agent-tools.js';
import gemini from './gemini/agent-tools.js';
import kimi from './kimi/agent-tools.js';
import langchain from './langchain/agent-tools.js';
import openclaw from './openclaw/agent-tools.js';
import opencode from './opencode/agent-tools.js';
import openhands from './openhands/agent-tools.js';
import pi from './pi/agent-tools.js';
import qwen from './qwen/agent-tools.js';
import sweAgent from './swe-agent/agent-tools.js';
import vscode from './vscode/agent-tools.js';

export const AGENT_TOOLS: readonly AgentTools[] = [
  ...[anthropic, codex, pi, opencode, gemini, qwen, vscode, openhands],
  ...[sweAgent, cline, kimi, openclaw, langchain, continueDev],
];
