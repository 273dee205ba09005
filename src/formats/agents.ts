/** The registry of agents. To add one: `agent.ts` in its folder (see agent.ts for the contract), and a line here. */
import type { Agent, Store } from './agent.js';
import amp from './amp/agent.js';
import claudeCode, { claudeAgentSdk } from './anthropic/agent.js';
import cline from './cline/agent.js';
import codex from './codex/agent.js';
import continueDev from './continue/agent.js';
import copilot from './copilot/agent.js';
import cursor from './cursor/agent.js';
import droid from './droid/agent.js';
import geminiCli from './gemini/agent.js';
import goose from './goose/agent.js';
import happy from './happy/agent.js';
import kiloCode from './kilo-code/agent.js';
import kimi from './kimi/agent.js';
import openclaw from './openclaw/agent.js';
import opencode from './opencode/agent.js';
import openhands from './openhands/agent.js';
import pi from './pi/agent.js';
import qwenCode from './qwen/agent.js';
import rooCode from './roo-code/agent.js';
import sweAgent from './swe-agent/agent.js';

/** In the order in which they are offered. */
export const AGENTS: readonly Agent[] = [
  claudeCode,
  codex,
  geminiCli,
  qwenCode,
  copilot,
  pi,
  openclaw,
  kimi,
  droid,
  amp,
  cline,
  rooCode,
  kiloCode,
  opencode,
  goose,
  cursor,
  continueDev,
  claudeAgentSdk,
  happy,
  openhands,
  sweAgent,
];

/** Those whose sessions are files. */
export const WITH_STORE = AGENTS.filter(
  (agent): agent is Agent & { readonly stores: readonly Store[] } => 'stores' in agent,
);

const BY_FORMAT = new Map(AGENTS.flatMap(({ id, formats = [] }) => formats.map((format) => [format, id] as const)));

const BY_FOLDER = WITH_STORE.flatMap(({ id, stores }) =>
  stores.flatMap(({ folders }) => folders.map((folder) => [`${below(folder)}/`, id] as const)),
);

/** What a path has of the folder on each machine. */
function below(folder: string): string {
  const path = folder.replace(/^<data (.*)>/, '/$1/User/globalStorage');
  return path.slice(path.indexOf('/'));
}

const OF_FILES = new Map<string, string | undefined>(); // a look-up takes longer than all else of a request

/** A file in the store of an agent. */
export interface StoredFile {
  readonly agent: string;
  /** The session that it is, or is a part of. */
  readonly session: string;
  /** Its folder below that of the agent, where the agent names it by the project. */
  readonly folder: string;
}

const STORED = new Map<string, StoredFile>();

/** Whoever walks the stores says what lies where: a folder may be moved, and rows may name another session. */
export function rememberFile(path: string, file: StoredFile): void {
  STORED.set(path, file);
}

export function storedFile(path: string): StoredFile | undefined {
  return STORED.get(path);
}

/** The agent program that wrote a file, by its folder, else by its format; undefined if any may have written it. */
export function agentOf(format: string, file: string): string | undefined {
  if (!OF_FILES.has(file)) {
    const path = file.replaceAll('\\', '/');
    OF_FILES.set(file, STORED.get(file)?.agent ?? BY_FOLDER.find(([folder]) => path.includes(folder))?.[1]);
  }
  return OF_FILES.get(file) ?? BY_FORMAT.get(format);
}
