import { errorRule } from '../rule.js';
import { blockOf, serverTools } from '../shared/server-tools.js';
import { withoutParts } from '../shared/without-parts.js';

export default errorRule({
  id: 'anthropic/search-result-encrypted',
  summary: 'a web search result without its encrypted content',
  providers: ['anthropic'],
  asRequest: true,
  error: 'messages.1.content.1: Invalid `encrypted_content` in `search_result` block',
  cause: 'A proxy made the result up, or the history was shortened or stored without it.',
  reported: ['router-for-me/CLIProxyAPI#5486'],
  *check(context) {
    for (const { type, part, message } of serverTools(context).results) {
      if (type !== 'web_search_tool_result') continue; // those of other tools hold texts
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
