/** Tools by the agents that have them: those that ask the user, and those that hold the plan. */

interface SpokenTools {
  /** Their results are words of the user. */
  readonly asks: readonly string[];
  /** Their calls hold the plan or the list of tasks. */
  readonly plans: readonly string[];
  /** How a result begins if the user refused the call, perhaps with a reason. */
  readonly refused?: readonly RegExp[];
}

const SPOKEN_TOOLS: readonly SpokenTools[] = [
  // Claude Code: https://platform.claude.com/docs/en/agent-sdk/typescript, read 2026-11-26
  {
    asks: ['AskUserQuestion', 'ExitPlanMode', 'exit_plan_mode'],
    plans: ['TodoWrite', 'TaskCreate', 'TaskUpdate'],
    refused: [/the user doesn't want to (?:proceed with this tool use|take this action)/],
  },
  // Codex: https://github.com/openai/codex/tree/main/codex-rs/core/src/tools, read 2026-11-26
  {
    asks: ['request_user_input', 'request_permissions'],
    plans: ['update_plan'],
    refused: [/(?:exec command|patch) rejected by user/],
  },
  // opencode: https://github.com/sst/opencode/tree/dev/packages/opencode/src, read 2026-11-26
  {
    asks: ['question', 'plan_exit'],
    plans: ['todowrite'],
    refused: [/the user rejected permission (?:to use this specific tool call|with feedback)/],
  },
  // Cline and Roo Code: https://github.com/cline/cline/blob/main/src/core/prompts/responses.ts, read 2026-11-26
  {
    asks: ['ask_followup_question', 'plan_mode_respond', 'attempt_completion'],
    plans: ['update_todo_list'],
    refused: [/the user denied this operation/],
  },
  // Gemini CLI and Qwen Code:
  // https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/scheduler/scheduler.ts, read 2026-11-26
  {
    asks: ['ask_user', 'ask_user_question', 'exit_plan_mode'],
    plans: ['write_todos', 'todo_write'],
    refused: [/\[operation cancelled\] reason: user/],
  },
  // VS Code and Copilot: https://code.visualstudio.com/docs/copilot/chat/chat-tools, read 2026-11-26
  {
    asks: ['vscode_askQuestions', 'ask_user'],
    plans: ['manage_todo_list', 'update_todo'],
  },
  // Kimi, Deep Agents and OpenHands:
  // https://github.com/MoonshotAI/kimi-cli/tree/main/src/kimi_cli/tools, read 2026-11-26
  {
    asks: ['AskUser', 'AskUserQuestion'],
    plans: ['SetTodoList', 'TodoList', 'write_todos', 'task_tracker'],
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

/**
 * Whether a text that begins so may say that: all refusals name the user. As it is spelled in JSON, it may hide
 * letters, and wide ones take more bytes.
 */
export function mayBeRefusal(text: string): boolean {
  return /user|\\u|[^\0-\x7f]/i.test(text);
}

/** Whether a result says that the user refused the call. */
export function isRefusal(text: string): boolean {
  return REFUSALS.test(text.slice(0, HEAD));
}
