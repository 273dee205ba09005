/**
 * Tools that read and edit files, by the agents that have them: their names, and the arguments that hold paths and
 * ranges of lines. Each row names its source and when it was read.
 */

export interface FileTools {
  readonly tools: readonly string[];
  /** What the tools do; `by` an argument: its values in `reads` read, all others edit. */
  readonly does: 'read' | 'edit' | { readonly by: string; readonly reads: readonly string[] };
  /** Arguments that hold paths; of several, the first that is given. `a.b` is `b` of each element of the list `a`. */
  readonly path: readonly string[];
  readonly lines?: readonly LineArguments[];
  /** Arguments that hold a patch in the format of `apply_patch`; `''` if it is the whole input. */
  readonly patch?: readonly string[];
  /** The argument that holds the folder to which paths are relative. */
  readonly folder?: string;
  readonly source: string;
  /** When the source was read. */
  readonly date: string;
}

/** The arguments for a range of lines. The range is open at an end whose argument is not given. */
export interface LineArguments {
  readonly from?: string;
  /** How many lines. */
  readonly count?: string;
  /** The last line. */
  readonly to?: string;
  /** `[from, to]`; a last line of -1 is the end of the file. */
  readonly pair?: string;
  /** The number of the first line in `from`: lines count from 0 if it is not given. */
  readonly first?: 0 | 1;
}

const OFFSET: LineArguments = { from: 'offset', count: 'limit' };
const OFFSET_FROM_1: LineArguments = { ...OFFSET, first: 1 };
const START_TO_END: LineArguments = { from: 'start_line', to: 'end_line', first: 1 };
const VIEW_RANGE: LineArguments = { pair: 'view_range', first: 1 };

const PATCHES = ['', 'input', 'patch', 'patchText'];
const VIEW_OR_EDIT = { by: 'command', reads: ['view'] };

const CLAUDE_CODE = { source: 'https://platform.claude.com/docs/en/agent-sdk/typescript', date: '2026-11-23' };
const CLAUDE_API = {
  source: 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/text-editor-tool',
  date: '2026-11-23',
};
const CODEX = {
  source: 'https://github.com/openai/codex/blob/main/codex-rs/apply-patch/src/lib.rs',
  date: '2026-11-23',
};
const PI = {
  source: 'https://github.com/badlogic/pi-mono/tree/main/packages/coding-agent/src/core/tools',
  date: '2026-11-23',
};
const OPENCODE = {
  source: 'https://github.com/sst/opencode/tree/dev/packages/opencode/src/tool',
  date: '2026-11-23',
};
const GEMINI_CLI = {
  source: 'https://github.com/google-gemini/gemini-cli/tree/main/packages/core/src/tools',
  date: '2026-11-23',
};
const QWEN_CODE = {
  source: 'https://github.com/QwenLM/qwen-code/tree/main/packages/core/src/tools',
  date: '2026-11-23',
};
const COPILOT = {
  source: 'https://github.com/microsoft/vscode-copilot-chat/tree/main/src/extension/tools/node',
  date: '2026-11-23',
};
const OPENHANDS = {
  source:
    'https://github.com/All-Hands-AI/OpenHands/blob/main/openhands/agenthub/codeact_agent/tools/str_replace_editor.py',
  date: '2026-11-23',
};
const SWE_AGENT = { source: 'https://github.com/SWE-agent/SWE-agent/tree/main/tools', date: '2026-11-23' };
const CLINE = {
  source: 'https://github.com/cline/cline/tree/main/src/core/prompts/system-prompt/tools',
  date: '2026-11-23',
};
const CLINE_SDK = { source: 'https://github.com/cline/cline/tree/main/sdk/packages/core', date: '2026-11-23' };
const KIMI = {
  source: 'https://github.com/MoonshotAI/kimi-cli/tree/main/src/kimi_cli/tools/file',
  date: '2026-11-23',
};
const DEEP_AGENTS = { source: 'https://github.com/langchain-ai/deepagents', date: '2026-11-23' };

/** If a name is in several rows, the first row of which a path argument is given tells what the call does. */
export const FILE_TOOLS: readonly FileTools[] = [
  { tools: ['Read'], does: 'read', path: ['file_path'], lines: [OFFSET_FROM_1], ...CLAUDE_CODE },
  { tools: ['Edit', 'MultiEdit', 'Write'], does: 'edit', path: ['file_path'], ...CLAUDE_CODE },
  { tools: ['NotebookRead'], does: 'read', path: ['notebook_path'], ...CLAUDE_CODE },
  { tools: ['NotebookEdit'], does: 'edit', path: ['notebook_path'], ...CLAUDE_CODE },
  {
    tools: ['str_replace_based_edit_tool', 'str_replace_editor'],
    does: VIEW_OR_EDIT,
    path: ['path'],
    lines: [VIEW_RANGE],
    ...CLAUDE_API,
  },

  { tools: ['apply_patch'], does: 'edit', path: [], patch: PATCHES, ...CODEX },
  {
    tools: ['shell', 'shell_command', 'exec_command', 'container.exec'],
    does: 'edit',
    path: [],
    patch: ['command', 'cmd'],
    folder: 'workdir',
    ...CODEX,
  },

  { tools: ['read'], does: 'read', path: ['path'], lines: [OFFSET_FROM_1], ...PI },
  { tools: ['edit', 'write'], does: 'edit', path: ['path'], ...PI },

  { tools: ['read'], does: 'read', path: ['filePath'], lines: [OFFSET], ...OPENCODE },
  { tools: ['edit', 'multiedit', 'write'], does: 'edit', path: ['filePath'], ...OPENCODE },
  { tools: ['patch'], does: 'edit', path: [], patch: PATCHES, ...OPENCODE },

  {
    tools: ['read_file'],
    does: 'read',
    path: ['file_path', 'absolute_path'],
    lines: [START_TO_END, OFFSET],
    ...GEMINI_CLI,
  },
  { tools: ['replace', 'write_file'], does: 'edit', path: ['file_path'], ...GEMINI_CLI },
  { tools: ['read_many_files'], does: 'read', path: ['include', 'paths'], ...GEMINI_CLI },
  { tools: ['edit'], does: 'edit', path: ['file_path'], ...QWEN_CODE },

  {
    tools: ['read_file'],
    does: 'read',
    path: ['filePath'],
    lines: [{ from: 'startLine', to: 'endLine', first: 1 }, OFFSET_FROM_1],
    ...COPILOT,
  },
  {
    tools: ['replace_string_in_file', 'insert_edit_into_file', 'create_file', 'edit_notebook_file'],
    does: 'edit',
    path: ['filePath'],
    ...COPILOT,
  },
  { tools: ['multi_replace_string_in_file'], does: 'edit', path: ['replacements.filePath'], ...COPILOT },
  { tools: ['view'], does: 'read', path: ['path'], lines: [VIEW_RANGE], ...COPILOT },
  { tools: ['create'], does: 'edit', path: ['path'], ...COPILOT },

  { tools: ['file_editor'], does: VIEW_OR_EDIT, path: ['path'], lines: [VIEW_RANGE], ...OPENHANDS },
  { tools: ['edit_file'], does: 'edit', path: ['path'], ...OPENHANDS },
  { tools: ['open'], does: 'read', path: ['path'], ...SWE_AGENT },
  { tools: ['create'], does: 'edit', path: ['filename'], ...SWE_AGENT },

  { tools: ['read_file'], does: 'read', path: ['path'], lines: [START_TO_END], ...CLINE },
  { tools: ['write_to_file', 'replace_in_file'], does: 'edit', path: ['path'], ...CLINE },
  { tools: ['read_files'], does: 'read', path: ['files.path'], ...CLINE_SDK },
  { tools: ['editor'], does: 'edit', path: ['path'], ...CLINE_SDK },

  {
    tools: ['ReadFile', 'Read'],
    does: 'read',
    path: ['path'],
    lines: [{ from: 'line_offset', count: 'n_lines', first: 1 }],
    ...KIMI,
  },
  { tools: ['WriteFile', 'StrReplaceFile', 'Write', 'Edit'], does: 'edit', path: ['path'], ...KIMI },

  { tools: ['edit_file'], does: 'edit', path: ['file_path'], ...DEEP_AGENTS },
];

/** Arguments of reads that say why, not what: a later read may have others. */
export const ASIDES: ReadonlySet<string> = new Set([
  'description',
  'explanation',
  'security_risk',
  'safety_risk',
  'task_progress',
]);

/**
 * How agents say that a file is as an earlier result shows it, in place of its content: such a read supersedes
 * nothing. https://github.com/anthropics/claude-code/issues/46749, read 2026-11-23
 */
export const UNCHANGED = 'File unchanged since last read';
