/** Tools by the agents that have them: those that ask the user, and those that hold the plan. */
import type { Saying } from '../transcript/text.js';

interface SpokenTools {
  readonly agent: string;
  /** Their results are words of the user. */
  readonly asks: readonly string[];
  /** Their calls hold the plan or the list of tasks. */
  readonly plans: readonly string[];
  /** How a result begins if the user refused the call, perhaps with a reason. */
  readonly refused?: readonly RegExp[];
  readonly source: string;
  /** When the source was read. */
  readonly date: string;
}

const SPOKEN_TOOLS: readonly SpokenTools[] = [
  {
    agent: 'Claude Code',
    asks: ['AskUserQuestion', 'ExitPlanMode', 'exit_plan_mode'],
    plans: ['TodoWrite', 'TaskCreate', 'TaskUpdate'],
    refused: [/the user doesn't want to (?:proceed with this tool use|take this action)/],
    source: 'https://platform.claude.com/docs/en/agent-sdk/typescript',
    date: '2026-11-26',
  },
  {
    agent: 'Codex',
    asks: ['request_user_input', 'request_permissions'],
    plans: ['update_plan'],
    refused: [/(?:exec command|patch) rejected by user/],
    source: 'https://github.com/openai/codex/tree/main/codex-rs/core/src/tools',
    date: '2026-11-26',
  },
  {
    agent: 'opencode',
    asks: ['question', 'plan_exit'],
    plans: ['todowrite'],
    refused: [/the user rejected permission (?:to use this specific tool call|with feedback)/],
    source: 'https://github.com/sst/opencode/tree/dev/packages/opencode/src',
    date: '2026-11-26',
  },
  {
    agent: 'Cline and Roo Code',
    asks: ['ask_followup_question', 'plan_mode_respond', 'attempt_completion'],
    plans: ['update_todo_list'],
    refused: [/the user denied this operation/],
    source: 'https://github.com/cline/cline/blob/main/src/core/prompts/responses.ts',
    date: '2026-11-26',
  },
  {
    agent: 'Gemini CLI and Qwen Code',
    asks: ['ask_user', 'ask_user_question', 'exit_plan_mode'],
    plans: ['write_todos', 'todo_write'],
    refused: [/\[operation cancelled\] reason: user/],
    source: 'https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/scheduler/scheduler.ts',
    date: '2026-11-26',
  },
  {
    agent: 'VS Code and Copilot',
    asks: ['vscode_askQuestions', 'ask_user'],
    plans: ['manage_todo_list', 'update_todo'],
    source: 'https://code.visualstudio.com/docs/copilot/chat/chat-tools',
    date: '2026-11-26',
  },
  {
    agent: 'Kimi, Deep Agents and OpenHands',
    asks: ['AskUser', 'AskUserQuestion'],
    plans: ['SetTodoList', 'TodoList', 'write_todos', 'task_tracker'],
    source: 'https://github.com/MoonshotAI/kimi-cli/tree/main/src/kimi_cli/tools',
    date: '2026-11-26',
  },
];

/** Tools whose results are words of the user. */
export const ASKING: ReadonlySet<string> = new Set(SPOKEN_TOOLS.flatMap(({ asks }) => asks));
/** Tools that write the plan. */
export const PLANNING: ReadonlySet<string> = new Set(SPOKEN_TOOLS.flatMap(({ plans }) => plans));
/** How results begin that say that the user refused the call. */
const REFUSALS = new RegExp(
  SPOKEN_TOOLS.flatMap(({ refused = [] }) => refused.map(({ source }) => source)).join('|'),
  'i',
);
/** Agents say at the beginning of a result that the user refused the call. */
const HEAD = 300;

/** UTF-8 takes three of them for a character, JSON two for one of ASCII. */
const BYTES = 3 * HEAD;

/** Whether a result says that the user refused the call. All refusals name the user; JSON may hide letters. */
export const REFUSAL_SAYING: Saying = {
  bytes: BYTES,
  characters: HEAD,
  may: (ends) => /user|\\u/i.test(ends),
  says: (text) => REFUSALS.test(text.slice(0, HEAD)),
};
