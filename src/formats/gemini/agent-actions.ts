import type { ToolAction } from '../agent-tool.js';

/**
 * https://github.com/google-gemini/gemini-cli/tree/main/packages/core/src/tools
 * and what 0.61.0 defined in a request, 2026-11-26
 */
export default [
  { does: 'read', tool: 'read_file', args: { path: 'file_path', from: 'start_line', to: 'end_line' } },
  { does: 'read', tool: 'read_file', args: { path: 'absolute_path', from: 'offset', count: 'limit' }, isOld: true },
  { does: 'write', tool: 'write_file', args: { path: 'file_path', content: 'content' } },
  {
    does: 'edit',
    tool: 'replace',
    args: { path: 'file_path', old: 'old_string', new: 'new_string', all: 'allow_multiple', why: 'instruction' },
  },
  { does: 'shell', tool: 'run_shell_command', args: { command: 'command', folder: 'dir_path', why: 'description' } },
  { does: 'find', tool: 'glob', args: { pattern: 'pattern', path: 'dir_path' } },
  { does: 'search', tool: 'grep_search', args: { pattern: 'pattern', path: 'dir_path', include: 'include_pattern' } },
  {
    does: 'search',
    tool: 'search_file_content',
    args: { pattern: 'pattern', path: 'dir_path', include: 'include' },
    isOld: true,
  },
  { does: 'list', tool: 'list_directory', args: { path: 'dir_path' } },
  { does: 'list', tool: 'list_directory', args: { path: 'path' }, isOld: true },
  { does: 'todo', tool: 'write_todos', args: { todos: 'todos' }, item: { text: 'description', status: 'status' } },
  { does: 'web', tool: 'google_web_search', args: { query: 'query' } },
  {
    does: 'delegate',
    tool: 'invoke_agent',
    args: { agent: 'agent_name', prompt: 'prompt' },
    agents: { general: 'generalist', search: 'codebase_investigator' },
  },
  {
    does: 'ask',
    tool: 'ask_user',
    args: { questions: 'questions' },
    item: { text: 'question', header: 'header', options: 'options', several: 'multiSelect' },
    filled: { type: 'choice' },
  },
  { does: 'skill', tool: 'activate_skill', args: { name: 'name' } },
] satisfies readonly ToolAction[];
