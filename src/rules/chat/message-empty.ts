import { commaList } from '../../lists.js';
import { hasContent } from '../../transcript/text.js';
import type { Message, Part } from '../../transcript/types.js';
import { errorRule } from '../rule.js';
import { isUnsentReply } from '../shared/ends.js';
import { withoutMessages } from '../shared/neighbors.js';

/** By provider: the roles whose messages may not be empty. Calls are content, reasoning is none. */
const ROLES: ReadonlyMap<string, RegExp> = new Map([
  ['moonshot', /^(?:system|user|assistant)$/], // MoonshotAI/kimi-code#1985, 2026-07
  ['minimax', /^(?:system|user|assistant)$/], // the error names no role; collected 2026-11
  ['zhipu', /^(?:user|assistant)$/], // yangjian102621/geekai-plus#1, 2024-06; anomalyco/opencode#22209, 2026-04
  ['xai', /^(?:system|user)$/], // langbot-app/LangBot#1205, 2025-03; assistants: mistral/assistant-empty
  ['cohere', /^(?:user|assistant)$/], // kwaroran/Risuai#504 and #458, 2024-06
]);

export default errorRule({
  id: 'chat/message-empty',
  summary: 'a message without any content',
  providers: [...ROLES.keys()],
  covers: ['chat/content-null'],
  error: {
    moonshot: "Invalid request: the message at position 1 with role 'assistant' must not be empty",
    minimax: 'invalid params, chat content is empty (2013)',
    zhipu: 'messages:输入不能为空 (1214)',
    'xai cohere': 'An empty message was provided. Every message needs at least one non-empty content element.',
  },
  cause: 'A reply was cut off before it said anything, or the user sent an empty text.',
  reported: commaList(`
    MoonshotAI/kimi-code#1985, yangjian102621/geekai-plus#1, anomalyco/opencode#22209, langbot-app/LangBot#1205,
    kwaroran/Risuai#504
  `),
  *check(context) {
    const roles = ROLES.get(context.provider.id);
    for (const [message, found] of context.transcript.messages.entries())
      if (roles?.test(found.role) && isEmpty(found) && !isUnsentReply(context, message))
        yield { message, text: `the ${found.role} message is empty` };
  },
  fix: {
    safety: 'lossy',
    summary: 'Remove the message, and join the messages around it.',
    apply: (context, problems) => withoutMessages(context, new Set(problems.map(({ message }) => message!))),
  },
});

/** Of a reply in several pieces, one may hold only reasoning. A compaction without a summary is not sent. */
function isEmpty({ parts, group, keeps }: Message): boolean {
  const isSaid = (part: Part) => hasContent(part) || part.type === 'call' || part.type === 'result';
  return (group ?? keeps) === undefined && !parts.some(isSaid);
}
