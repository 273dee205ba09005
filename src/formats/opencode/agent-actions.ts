import type { ToolAction } from '../agent-tool.js';

/**
 * https://github.com/sst/opencode/tree/dev/packages/opencode/src/tool
 * and what 1.18.33 defined in a request, 2026-11-26
 */
export default [
  { does: 'read', tool: 'read', args: { path: 'filePath', from: 'offset', count: 'limit' } },
  { does: 'write', tool: 'write', args: { path: 'filePath', content: 'content' } },
  { does: 'edit', tool: 'edit', args: { path: 'filePath', old: 'oldString', new: 'newString', all: 'replaceAll' } },
  {
    does: 'edits',
    tool: 'multiedit',
    args: { path: 'filePath', edits: 'edits' },
    item: { old: 'oldString', new: 'newString' },
    isOld: true,
  },
  { does: 'patch', tool: 'apply_patch', args: { patch: 'patchText' } },
  { does: 'patch', tool: 'patch', args: { patch: 'patchText' }, isOld: true },
  {
    does: 'shell',
    tool: 'bash',
    args: { command: 'command', folder: 'workdir', timeout: 'timeout', why: 'description' },
  },
  { does: 'find', tool: 'glob', args: { pattern: 'pattern', path: 'path' } },
  { does: 'search', tool: 'grep', args: { pattern: 'pattern', path: 'path', include: 'include' } },
  { does: 'list', tool: 'list', args: { path: 'path' }, isOld: true },
  {
    does: 'todo',
    tool: 'todowrite',
    args: { todos: 'todos' },
    item: { text: 'content', status: 'status' },
    filled: { priority: 'medium' },
  },
  { does: 'fetch', tool: 'webfetch', args: { url: 'url' } },
  { does: 'web', tool: 'websearch', args: { query: 'query' } },
  {
    does: 'delegate',
    tool: 'task',
    args: { title: 'description', prompt: 'prompt', agent: 'subagent_type' },
    agents: { general: 'general', search: 'explore' },
  },
  {
    does: 'ask',
    tool: 'question',
    args: { questions: 'questions' },
    item: { text: 'question', header: 'header', options: 'options', several: 'multiple' },
  },
  { does: 'skill', tool: 'skill', args: { name: 'name' } },
] satisfies readonly ToolAction[];
