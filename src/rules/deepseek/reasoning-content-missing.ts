import { patch } from '../../json/edit.js';
import { commaList } from '../../lists.js';
import { errorRule, type RuleContext } from '../rule.js';
import { mapProblemMessages } from '../shared/edits.js';
import { settingOf } from '../shared/own-format.js';

/**
 * Models that think only on request, or never. https://api-docs.deepseek.com/guides/thinking_mode
 * https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model (2026-11)
 */
const PLAIN = /deepseek-(?:chat|coder|v[23])|moonshot-v|kimi-(?:latest|k2-(?!thinking))/i;

export default errorRule({
  id: 'deepseek/reasoning-content-missing',
  summary: 'a tool call message without its reasoning',
  providers: ['deepseek', 'moonshot'],
  error: {
    deepseek:
      'Missing `reasoning_content` field in the assistant message at message index 2. For more information, please ' +
      'refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls',
    moonshot: 'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
  },
  cause: 'The client stored an assistant message of thinking mode without `reasoning_content`.',
  asRequest: true,
  reported: commaList(`
    abhigyanpatwari/GitNexus#43, continuedev/continue#11285, continuedev/continue#10193, continuedev/continue#9913,
    continuedev/continue#9720, continuedev/continue#9606, continuedev/continue#9940, continuedev/continue#10498,
    farion1231/cc-switch#2365, mastra-ai/mastra#12592, MoonshotAI/kimi-agent-sdk#169
  `),
  *check(context) {
    const { transcript, wire } = context;
    if (!mayThink(context)) return;
    const keeps = transcript.messages.some(({ parts }) => parts.some(({ type }) => type === 'thinking'));
    for (const [index, message] of transcript.messages.entries()) {
      const call = message.parts.find((part) => part.type === 'call');
      const reasoning = wire(message)?.get('reasoning_content');
      if (
        call === undefined ||
        reasoning?.isString ||
        (wire(message) === undefined && keeps) // in another format reasoning may stand beside the message
      )
        continue;
      yield {
        message: index,
        part: call,
        callId: call.callId,
        text: `the message that calls ${call.tool || 'a tool'} has no reasoning`,
      };
    }
  },
  fix: {
    safety: 'synthetic',
    summary: 'Add the reasoning from the field `reasoning`, or an empty one.',
    reaches: ({ transcript, wire }, { message }) => wire(transcript.messages[message!]!) !== undefined,
    apply(context, problems) {
      const { wire, rewire } = context;
      return mapProblemMessages(context, problems, (message) => {
        const json = wire(message);
        return json === undefined
          ? message
          : rewire(message, patch(json, { reasoning_content: json.get('reasoning')?.string ?? '' }));
      });
    },
  },
});

/** Whether thinking mode is possible. */
function mayThink(context: RuleContext): boolean {
  const thinking = settingOf(context, 'thinking')?.get('type')?.string;
  const { model = context.provider.id === 'moonshot' ? 'kimi-latest' : '' } = context.transcript;
  return thinking === undefined ? !PLAIN.test(model) : thinking !== 'disabled';
}
