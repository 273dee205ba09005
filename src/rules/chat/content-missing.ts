import { patch } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { mapProblemMessages } from '../shared/edits.js';
import { isUnsentReply } from '../shared/ends.js';

/** By provider: which content of a message with calls counts as missing. Others take all of them. */
const MISSING: ReadonlyMap<string, (content: JsonNode | undefined, model: string) => boolean> = new Map([
  // langchain-ai/langchain#34140, 2025-11: an empty text is taken, null is not; AstrBotDevs/AstrBot#6447, 2026-03
  ['xai', (content) => content === undefined || content.isNull || (content.isArray && content.length === 0)],
  // QwenLM/qwen-code#5265, 2026-06: null is taken
  ['dashscope', (content) => content === undefined],
  // NVIDIA NIM takes null: XiaomiMiMo/MiMo-Code#407, CherryHQ/cherry-studio#16155, 2026-06; ogx-ai/ogx#1751, 2025-03
  ['openai-compatible', (content, model) => content?.string === '' && /diffusiongemma/.test(model)],
]);

export default errorRule({
  id: 'chat/content-missing',
  summary: 'calls without a `content` beside them',
  providers: [...MISSING.keys()],
  error: {
    xai: 'Invalid request content: Each message must have at least one content element.',
    dashscope: '<400> InternalError.Algo.InvalidParameter: The content field is a required field.',
    'openai-compatible': 'Value error, Empty content is not allowed for assistant messages',
  },
  cause: 'The model called a tool and said nothing, and the client left the content out, as OpenAI allows.',
  reported: commaList(`
    langchain-ai/langchain#34140, charmbracelet/crush#964, AstrBotDevs/AstrBot#6447, QwenLM/qwen-code#5265,
    CherryHQ/cherry-studio#16155, jd-opensource/joyagent-jdgenie#99
  `),
  *check(context) {
    const isMissing = MISSING.get(context.provider.id);
    for (const [message, found] of context.transcript.messages.entries()) {
      const json = context.wire(found);
      const calls = json?.get('tool_calls')?.items() ?? [];
      if (
        calls.length > 0 &&
        isMissing?.(json!.get('content'), context.transcript.model ?? '') &&
        !isUnsentReply(context, message)
      )
        yield { message, node: json!.get('content'), text: 'a message with calls has no content' };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Set an empty text, or null where that is refused.',
    apply: (context, problems) =>
      mapProblemMessages(context, problems, (message) =>
        context.rewire(
          message,
          patch(context.wire(message)!, { content: context.provider.id === 'openai-compatible' ? null : '' }),
        ),
      ),
  },
});
