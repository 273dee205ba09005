import type { Part } from '../../transcript/types.js';
import { defineRule } from '../rule.js';
import { takeFree } from '../shared/call-ids.js';
import { serverTools, withServerIds } from '../shared/server-tools.js';

/** Both from the error's text. */
const PREFIX = 'srvtoolu_';
const ALLOWED = /^srvtoolu_[a-zA-Z0-9_]+$/;

export default defineRule({
  id: 'anthropic/server-tool-id-pattern',
  summary: 'a server tool’s id without its prefix',
  severity: 'error',
  providers: ['anthropic'],
  error: "…server_tool_use.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'",
  cause: 'A proxy made the blocks of a server tool itself.',
  example: {
    bad: {
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: [
            { type: 'server_tool_use', id: 'toolu_1', name: 'web_search', input: { query: 'q' } },
            { type: 'web_search_tool_result', tool_use_id: 'toolu_1', content: [] },
            { type: 'text', text: 'y' },
          ],
        },
      ],
    },
    repaired: {
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: [
            { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } },
            { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
            { type: 'text', text: 'y' },
          ],
        },
      ],
    },
  },
  reported: ['ding113/claude-code-hub#470', 'BerriAI/litellm#31672'],
  *check(subject) {
    const { uses, results } = serverTools(subject);
    for (const { id, tool, part, message } of uses) {
      if (isBad(id, tool))
        yield {
          message,
          part,
          callId: id,
          text: `the id of the server tool ${tool} is \`${id}\`; it has to be \`${PREFIX}\` and letters, digits or \`_\``,
        };
    }
    for (const { id, type, part, message, use } of results) {
      if (isBad(id, type) && use === undefined)
        yield {
          message,
          part,
          callId: id,
          text: `the ${type} is for \`${id}\`; that has to be \`${PREFIX}\` and letters, digits or \`_\``,
        };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Give the ids their prefix, on both sides.',
    apply(subject, problems) {
      const { uses, results } = serverTools(subject);
      const taken = new Set([...uses, ...results].map(({ id }) => id));
      const names = new Map<string, string>();
      for (const { callId } of problems)
        if (callId !== undefined && !names.has(callId)) names.set(callId, takeFree(prefixed(callId), taken));
      const parts = new Set<Part>([...uses, ...results].map(({ part }) => part));
      return withServerIds(subject.transcript, parts, names);
    },
  },
});

/** Tools of MCP servers have ids of their own kind (`mcptoolu_`). */
function isBad(id: string, name: string): boolean {
  return !ALLOWED.test(id) && !name.startsWith('mcp_');
}

function prefixed(id: string): string {
  return PREFIX + (id.replace(/^[a-z]*toolu_/, '').replace(/[^a-zA-Z0-9_]/g, '_') || '1');
}
