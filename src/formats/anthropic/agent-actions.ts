import type { ToolAction } from '../agent-tool.js';

/** https://code.claude.com/docs/en/sub-agents, 2026-11-26 */
const SUB_AGENTS = {
  args: { title: 'description', prompt: 'prompt', agent: 'subagent_type' },
  agents: { general: 'general-purpose', search: 'Explore' },
} as const;

/**
 * https://platform.claude.com/docs/en/agent-sdk/typescript
 * and the tools that Claude Code 2.1.332 defined in a request (of some: in its sdk-tools.d.ts), 2026-11-26
 */
export default [
  { does: 'read', tool: 'Read', args: { path: 'file_path', from: 'offset', count: 'limit' } },
  { does: 'write', tool: 'Write', args: { path: 'file_path', content: 'content' } },
  { does: 'edit', tool: 'Edit', args: { path: 'file_path', old: 'old_string', new: 'new_string', all: 'replace_all' } },
  {
    does: 'edits',
    tool: 'MultiEdit',
    args: { path: 'file_path', edits: 'edits' },
    item: { old: 'old_string', new: 'new_string' },
    isOld: true,
  },
  { does: 'shell', tool: 'Bash', args: { command: 'command', timeout: 'timeout', why: 'description' } },
  { does: 'find', tool: 'Glob', args: { pattern: 'pattern', path: 'path' } },
  { does: 'search', tool: 'Grep', args: { pattern: 'pattern', path: 'path', include: 'glob' } },
  { does: 'list', tool: 'LS', args: { path: 'path' }, isOld: true },
  {
    does: 'todo',
    tool: 'TodoWrite',
    args: { todos: 'todos' },
    item: { text: 'content', status: 'status' },
    filled: { activeForm: '{text}' },
  },
  { does: 'fetch', tool: 'WebFetch', args: { url: 'url', prompt: 'prompt' } },
  { does: 'web', tool: 'WebSearch', args: { query: 'query' } },
  { does: 'delegate', tool: 'Agent', ...SUB_AGENTS },
  { does: 'delegate', tool: 'Task', ...SUB_AGENTS, isOld: true },
  {
    does: 'ask',
    tool: 'AskUserQuestion',
    args: { questions: 'questions' },
    item: { text: 'question', header: 'header', options: 'options', several: 'multiSelect' },
  },
  { does: 'skill', tool: 'Skill', args: { name: 'skill' } },
] satisfies readonly ToolAction[];
