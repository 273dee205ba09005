import { defineAgent, SESSION_ID } from '../agent.js';

export default defineAgent({
  id: 'claude-code',
  title: 'Claude Code',
  resume: 'claude --resume',
  formats: ['claude-code'],
  stores: [
    {
      folders: ['~/.claude/projects', '~/.config/claude/projects'],
      movedBy: ['CLAUDE_CONFIG_DIR'],
      below: ['projects'],
      files: /^[^/]+\/.+\.jsonl$/,
      // https://code.claude.com/docs/en/settings (2026-11-26)
      deletes: { days: 30, setting: 'cleanupPeriodDays', file: 'settings.json' },
      parts: /\/(?:subagents\/|agent-)[^/]*\.jsonl$/,
      whole: /\/([^/]+)\/subagents\//,
      idInside: SESSION_ID,
    },
  ],
});

/** Its messages, as a program gets them. */
export const claudeAgentSdk = defineAgent({
  id: 'claude-agent-sdk',
  title: 'Claude Agent SDK',
  formats: ['claude-agent-sdk'],
});
