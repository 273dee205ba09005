import type { ToolAction } from '../agent-tool.js';

/**
 * https://github.com/badlogic/pi-mono/tree/main/packages/coding-agent/src/core/tools
 * and what 0.73.1 defined in a request, 2026-11-26; find, grep and ls are off by default
 */
export default [
  { does: 'read', tool: 'read', args: { path: 'path', from: 'offset', count: 'limit' } },
  { does: 'write', tool: 'write', args: { path: 'path', content: 'content' } },
  { does: 'edits', tool: 'edit', args: { path: 'path', edits: 'edits' }, item: { old: 'oldText', new: 'newText' } },
  { does: 'edit', tool: 'edit', args: { path: 'path', old: 'oldText', new: 'newText' }, isOld: true },
  { does: 'shell', tool: 'bash', args: { command: 'command' } },
  { does: 'find', tool: 'find', args: { pattern: 'pattern', path: 'path' } },
  { does: 'search', tool: 'grep', args: { pattern: 'pattern', path: 'path', include: 'glob' } },
  { does: 'list', tool: 'ls', args: { path: 'path' } },
] satisfies readonly ToolAction[];
