/**
 * Where agents keep their sessions. To add an agent: an entry here. Folders and variables are those of the agents'
 * documentation and of two collections of them, as of 2026-11-20:
 * https://ccusage.com/guide/environment-variables, https://github.com/wesm/agentsview
 */

export interface AgentPlace {
  /** As in `@claude-code`. */
  readonly id: string;
  readonly title: string;
  /** The folders, with `~` for the home folder and `<data>` for the folder of VS Code's extensions. */
  readonly folders: readonly string[];
  /** Environment variables that name other folders in their place (several behind commas), and what is below these. */
  readonly movedBy?: readonly string[];
  readonly below?: readonly string[];
  /** Which files below a folder are sessions: paths with slashes. */
  readonly files: RegExp;
  /** Which of them are parts of a session, such as sub-agents. */
  readonly parts?: RegExp;
}

export const AGENTS: readonly AgentPlace[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    folders: ['~/.claude/projects', '~/.config/claude/projects'],
    movedBy: ['CLAUDE_CONFIG_DIR'],
    below: ['projects'],
    files: /^[^/]+\/.+\.jsonl$/,
    parts: /\/(?:subagents\/|agent-)[^/]*\.jsonl$/,
  },
  {
    id: 'codex',
    title: 'Codex CLI',
    folders: ['~/.codex/sessions', '~/.codex/archived_sessions'],
    movedBy: ['CODEX_HOME'],
    below: ['sessions', 'archived_sessions'],
    // packed once idle: https://github.com/openai/codex/blob/main/codex-rs/rollout/src/compression.rs (2026-11-24)
    files: /(?:^|\/)rollout-[^/]*\.jsonl(?:\.zst)?$/,
  },
  {
    id: 'gemini-cli',
    title: 'Gemini CLI',
    folders: ['~/.gemini/tmp'],
    movedBy: ['GEMINI_DATA_DIR'],
    below: ['tmp'],
    files: /^[^/]+\/chats\/[^/]+\.jsonl?$/,
  },
  {
    id: 'qwen-code',
    title: 'Qwen Code',
    folders: ['~/.qwen/tmp', '~/.qwen/projects'],
    movedBy: ['QWEN_DATA_DIR'],
    below: ['tmp', 'projects'],
    files: /^[^/]+\/chats\/[^/]+\.jsonl?$/,
  },
  {
    id: 'copilot',
    title: 'GitHub Copilot CLI',
    folders: ['~/.copilot/session-state', '~/.copilot/history-session-state'],
    movedBy: ['COPILOT_HOME'],
    below: ['session-state', 'history-session-state'],
    files: /^[^/]+\/events\.jsonl$|^[^/]+\.jsonl?$/,
  },
  {
    id: 'pi',
    title: 'pi',
    folders: ['~/.pi/agent/sessions'],
    movedBy: ['PI_AGENT_DIR', 'PI_CODING_AGENT_DIR'],
    below: ['sessions'],
    files: /^[^/]+\/[^/]+\.jsonl$/,
  },
  {
    id: 'openclaw',
    title: 'OpenClaw',
    folders: ['~/.openclaw/agents'],
    movedBy: ['OPENCLAW_DIR'],
    below: ['agents'],
    files: /^[^/]+\/sessions\/[^/]+\.jsonl$/,
  },
  {
    id: 'kimi',
    title: 'Kimi CLI',
    folders: ['~/.kimi/sessions'],
    movedBy: ['KIMI_DATA_DIR'],
    below: ['sessions'],
    files: /^[^/]+\/[^/]+\/context\.jsonl$/,
  },
  {
    id: 'droid',
    title: 'Droid',
    folders: ['~/.factory/sessions'],
    movedBy: ['DROID_SESSIONS_DIR'],
    files: /\.jsonl$/,
  },
  {
    id: 'amp',
    title: 'Amp',
    folders: ['~/.local/share/amp/threads'],
    movedBy: ['AMP_DATA_DIR'],
    below: ['threads'],
    files: /^T-[^/]+\.json$/,
  },
  {
    id: 'cline',
    title: 'Cline',
    folders: ['<data>/saoudrizwan.claude-dev/tasks'],
    files: /^[^/]+\/api_conversation_history\.json$/,
  },
  {
    id: 'roo-code',
    title: 'Roo Code',
    folders: ['<data>/rooveterinaryinc.roo-cline/tasks'],
    files: /^[^/]+\/api_conversation_history\.json$/,
  },
  {
    id: 'kilo-code',
    title: 'Kilo Code',
    folders: ['<data>/kilocode.kilo-code/tasks'],
    files: /^[^/]+\/api_conversation_history\.json$/,
  },
];

/** Stores that are no JSON files, and what makes a file of a session. */
export const OTHER_STORES: readonly { readonly title: string; readonly folder: string; readonly instead: string }[] = [
  {
    title: 'opencode',
    folder: '~/.local/share/opencode',
    instead: 'opencode export <id> > session.json', // https://opencode.ai/docs/cli/#export
  },
  {
    title: 'goose',
    folder: '~/.local/share/goose/sessions',
    instead: 'goose session export --format json', // https://block.github.io/goose/docs/guides/goose-cli-commands
  },
];
