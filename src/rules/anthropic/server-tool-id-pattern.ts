import type { Part } from '../../transcript/types.js';
import { errorRule } from '../rule.js';
import { takeFree } from '../shared/call-ids.js';
import { serverTools, withServerIds } from '../shared/server-tools.js';

/** Both are from the error text. */
const PREFIX = 'srvtoolu_';
const ALLOWED = /^srvtoolu_[a-zA-Z0-9_]+$/;

export default errorRule({
  id: 'anthropic/server-tool-id-pattern',
  summary: 'a server tool id without its prefix',
  providers: ['anthropic'],
  error: "…server_tool_use.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'",
  cause: 'A proxy made the server tool blocks itself.',
  reported: ['ding113/claude-code-hub#470', 'BerriAI/litellm#31672'],
  *check(context) {
    const { uses, results } = serverTools(context);
    for (const { id, tool, part, message } of uses) {
      if (isBad(id, tool))
        yield {
          message,
          part,
          callId: id,
          text:
            `the id of the server tool ${tool} is \`${id}\`; it must be \`${PREFIX}\` followed by letters, digits ` +
            'or `_`',
        };
    }
    for (const { id, type, part, message, use } of results) {
      if (isBad(id, type) && use === undefined)
        yield {
          message,
          part,
          callId: id,
          text: `the ${type} is for \`${id}\`; that must be \`${PREFIX}\` followed by letters, digits or \`_\``,
        };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Add the prefix to the ids, in uses and results.',
    apply(context, problems) {
      const { uses, results } = serverTools(context);
      const taken = new Set([...uses, ...results].map(({ id }) => id));
      const names = new Map<string, string>();
      for (const { callId } of problems)
        if (callId !== undefined && !names.has(callId)) names.set(callId, takeFree(prefixed(callId), taken));
      const parts = new Set<Part>([...uses, ...results].map(({ part }) => part));
      return withServerIds(context.transcript, parts, names);
    },
  },
});

/** MCP tools have ids with another prefix (`mcptoolu_`). */
function isBad(id: string, name: string): boolean {
  return !ALLOWED.test(id) && !name.startsWith('mcp_');
}

function prefixed(id: string): string {
  return PREFIX + (id.replace(/^[a-z]*toolu_/, '').replace(/[^a-zA-Z0-9_]/g, '_') || '1');
}
