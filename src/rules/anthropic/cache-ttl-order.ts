import { patch } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { errorRule, type Problem } from '../rule.js';
import { automaticMark, cacheMarks, toolMarks } from '../shared/cache-marks.js';
import { rewireProblems } from '../shared/edits.js';
import { changeOf, withChanges } from '../shared/request.js';

export default errorRule({
  id: 'anthropic/cache-ttl-order',
  summary: 'a cache breakpoint of an hour after one of five minutes',
  providers: ['anthropic'],
  asRequest: true,
  error:
    "messages.0.content.4.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' " +
    'cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.',
  cause: 'Two programs set breakpoints: a client and a proxy, or one for tools and one for the system prompt.',
  reported: [
    'vellum-ai/vellum-assistant#22191',
    'headroomlabs-ai/headroom#2939',
    'cnighswonger/claude-code-cache-fix#44',
  ],
  *check(context) {
    const inBody = (node: JsonNode): Mark => ({ message: undefined, node });
    const inTools = toolMarks(context).map(({ mark }) => inBody(mark));
    const last = [automaticMark(context)].filter((mark) => mark !== undefined).map(inBody);
    const { messages } = context.transcript;
    const inMessages = [...cacheMarks(context)].map(({ message, part, mark }): Mark => ({ message, part, node: mark }));
    const isSystem = ({ message }: Mark) => messages[message!]!.role === 'system';
    const inSystem = inMessages.filter(isSystem);
    let isShort = false;
    for (const mark of [...inTools, ...inSystem, ...inMessages.filter((one) => !isSystem(one)), ...last]) {
      const isLong = mark.node.get('ttl')?.string === '1h';
      if (isLong && isShort)
        yield {
          ...mark,
          text: 'a cache breakpoint of 1h stands after one of 5m; tools come first, then the system prompt',
          ...(mark.message === undefined ? { changes: changeOf(mark.node, { ttl: undefined }) } : {}),
        };
      isShort ||= !isLong;
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Let the later breakpoint last five minutes, too.',
    reaches: ({ transcript: { body } }, { message }) => message !== undefined || body !== undefined,
    apply(context, problems) {
      const transcript = withChanges(context, problems);
      return rewireProblems({ ...context, transcript }, problems, (mark) => patch(mark, { ttl: undefined }));
    },
  },
});

type Mark = Pick<Problem, 'message' | 'part'> & { readonly node: JsonNode };
