/** A made-up home folder with a session of every agent that keeps its own in files, as the agent would write it. */
import { cpSync, mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { WITH_STORE } from '../../src/formats/agents.js';

export type Env = Readonly<Record<string, string | undefined>>;

const DATA = '.config/Code/User/globalStorage';
export const CLAUDE = 'fe5e1c67-53e7-4862-81ae-d0e013e3270b';
export const CODEX = 'c61729d4-da6d-46a4-9a29-ec2c614e5e23';

/** Without its ending. */
const DROID = '.factory/sessions/-w-app/5d0c0a4e-7f0b-4c55-9a51-2f1d7c0e9b11';

/** Files in which agents keep what the requests of a session used. */
const BESIDE: readonly (readonly [path: string, rows: readonly object[]])[] = [
  [
    '.kimi/sessions/ab12/e3000000/wire.jsonl',
    [
      { type: 'metadata', protocol_version: '1.3' },
      {
        timestamp: 1763632802,
        message: {
          type: 'StatusUpdate',
          payload: { message_id: 'm1', token_usage: { input_other: 500, output: 70, input_cache_read: 9000 } },
        },
      },
    ],
  ],
  [
    `${DROID}.settings.json`,
    [
      {
        model: 'claude-opus-4-5-20251101',
        tokenUsage: { inputTokens: 1000, outputTokens: 200, cacheCreationTokens: 300, cacheReadTokens: 40_000 },
      },
    ],
  ],
  [
    `${DATA}/rooveterinaryinc.roo-cline/tasks/18/ui_messages.json`,
    [
      {
        ts: 1763632802000,
        type: 'say',
        say: 'api_req_started',
        text: '{"request": "hi", "tokensIn": 1000, "tokensOut": 200, "cacheReads": 40000, "cost": 0.0421}',
      },
    ],
  ],
];

/** A part of a session, not a session. */
const SUB_AGENT = '.claude/projects/-w-app/old/subagents/agent-a1.jsonl';

/** The state of a conversation, with the events that the agent keeps in files beside it. */
const OPENHANDS = 'openhands-sdk/hand-conversation.json';

/** Where each agent writes, and a recording that it could have written; oldest first. */
export const PLACES: readonly (readonly [agent: string, path: string, recording: string])[] = [
  ['opencode', '.local/share/opencode/storage/session/p/ses_1.json', 'opencode/agent-sessions-session.json'],
  ['cursor', '.cursor/projects/w-app/agent-transcripts/9f1c/9f1c.jsonl', 'cursor-agent/hand-session.jsonl'],
  ['gemini-cli', '.gemini/tmp/4f2a/chats/session-2025-09-20T10-11-aaaa.json', 'gemini-cli-session/hand-session.json'],
  ['qwen-code', '.qwen/tmp/77aa/chats/session-qwen.json', 'gemini-cli-session/hand-session.json'],
  ['qwen-code', '.qwen/projects/-w-app/chats/3f0b7a52.jsonl', 'qwen-session/hand-session.jsonl'],
  ['copilot', '.copilot/session-state/0b1d9c52/events.jsonl', 'copilot-cli/hand-events.jsonl'],
  ['pi', '.pi/agent/sessions/--w-app--/2025-12-01_c0ffee00.jsonl', 'pi-session/coding-agent.jsonl'],
  ['openclaw', '.openclaw/agents/main/sessions/dd00.jsonl', 'pi-session/hand-v3.jsonl'],
  ['kimi', '.kimi/sessions/ab12/e3000000/context.jsonl', 'openai-chat/hand-message-lines.jsonl'],
  ['droid', `${DROID}.jsonl`, 'droid-session/hand-session.jsonl'],
  ['amp', '.local/share/amp/threads/T-1234.json', 'amp-thread/hand-thread.json'],
  ['continue', '.continue/sessions/3566f308.json', 'continue-session/hand-cli.json'],
  [
    'cline',
    `${DATA}/saoudrizwan.claude-dev/tasks/17/api_conversation_history.json`,
    'anthropic-messages/hand-cline.json',
  ],
  [
    'roo-code',
    `${DATA}/rooveterinaryinc.roo-cline/tasks/18/api_conversation_history.json`,
    'anthropic-messages/cline-compaction.json',
  ],
  [
    'kilo-code',
    `${DATA}/kilocode.kilo-code/tasks/19/api_conversation_history.json`,
    'anthropic-messages/hand-cline.json',
  ],
  ['openhands', '.openhands/conversations/0b6d3c1e4a5f4c279d105f6e7a8b9cff/base_state.json', OPENHANDS],
  ['kimi', '.kimi-code/sessions/wd_app/session_1/agents/main/wire.jsonl', 'kimi-cli/hand-early.jsonl'],
  [
    'codex',
    `.codex/sessions/2025/10/31/rollout-2025-10-31T19-02-58-${CODEX}.jsonl`,
    'codex-rollout/vibe-coding-tracker.jsonl',
  ],
  ['claude-code', '.claude/projects/-w-app/hand-cut.jsonl', 'claude-code/hand-interrupted.jsonl'],
  ['claude-code', `.claude/projects/-w-app/${CLAUDE}.jsonl`, 'claude-code/read-again.jsonl'],
  ['claude-code', SUB_AGENT, 'claude-code/short.jsonl'],
];

/** Of the first file, in seconds since 1970; the others follow second by second. */
export const YEAR_AGO = Date.parse('2025-11-22T00:00:00Z') / 1000;

/** The agents that keep some sessions in files. */
export const WITH_FILES = WITH_STORE.filter(({ stores }) => stores.some(({ database }) => database === undefined));

/** Copies them to a folder for temporary files. `env`: of a machine whose home it is. */
export function createHome(): { readonly home: string; readonly env: Env } {
  const home = mkdtempSync(join(tmpdir(), 'ctx-trim-home-'));
  for (const [index, [, path, recording]] of PLACES.entries()) {
    const to = join(home, path);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join('fixtures/formats', recording), to);
    utimesSync(to, YEAR_AGO + index, YEAR_AGO + index);
  }
  for (const [path, rows] of BESIDE)
    writeFileSync(join(home, path), `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
  const XDG_CACHE_HOME = mkdtempSync(join(tmpdir(), 'ctx-trim-cache-'));
  const env = { HOME: home, PATH: process.env['PATH'], XDG_CACHE_HOME, TZ: 'UTC', SOURCE_DATE_EPOCH: '1795305600' };
  return { home, env };
}
