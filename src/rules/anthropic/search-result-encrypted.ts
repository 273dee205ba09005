import { defineRule } from '../rule.js';
import { blockOf, serverTools } from '../shared/server-tools.js';
import { withoutParts } from '../shared/without-parts.js';

export default defineRule({
  id: 'anthropic/search-result-encrypted',
  summary: 'a web search result without its encrypted content',
  severity: 'error',
  providers: ['anthropic'],
  asRequest: true,
  error: 'messages.1.content.1: Invalid `encrypted_content` in `search_result` block',
  cause: 'A proxy made the result up, or the history was shortened or stored without it.',
  example: {
    bad: {
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: [
            { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } },
            {
              type: 'web_search_tool_result',
              tool_use_id: 'srvtoolu_1',
              content: [{ type: 'web_search_result', title: 't', url: 'https://example.com', encrypted_content: '' }],
            },
            { type: 'text', text: 'y' },
          ],
        },
        { role: 'user', content: 'z' },
      ],
    },
    repaired: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [{ type: 'text', text: 'y' }] },
        { role: 'user', content: 'z' },
      ],
    },
  },
  reported: ['router-for-me/CLIProxyAPI#5486'],
  *check(context) {
    for (const { part, message } of serverTools(context).results) {
      const found = blockOf(part)?.get('content');
      const bad = found?.isArray ? found.items().find((item) => !item.get('encrypted_content')?.string) : undefined;
      if (bad !== undefined) yield { message, part, node: bad, text: 'the search result has no `encrypted_content`' };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Remove the search and its results.',
    apply(context, problems) {
      const wrong = new Set(problems.map(({ part }) => part));
      const uses = serverTools(context).results.flatMap(({ part, use }) => (wrong.has(part) && use ? [use] : []));
      return withoutParts(context, [...problems, ...uses]);
    },
  },
});
