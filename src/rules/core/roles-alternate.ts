import { STRICT_MODELS } from '../../formats/openai/chat-models.js';
import { commaList } from '../../lists.js';
import type { Message } from '../../transcript/types.js';
import { errorRule, type RuleContext } from '../rule.js';
import { joinsPrevious, wireRole, withJoined } from '../shared/neighbors.js';

export default errorRule({
  id: 'core/roles-alternate',
  summary: 'two messages of the same role in a row',
  providers: ['openai-compatible', 'bedrock'],
  error: 'After the optional system message, conversation roles must alternate user/assistant/user/assistant/...',
  cause: 'Reminders are sent as user messages, a failed turn was retried, or assistant turns were filtered out.',
  reported: commaList(`
    coaidev/coai#209, modelcontextprotocol/quickstart-resources#20, BerriAI/litellm#3474, FlowiseAI/Flowise#2006,
    aws-samples/bedrock-access-gateway#25, vllm-project/vllm#6862, sterlp/eclipse-peon-ai#75, infiniflow/ragflow#6880
  `),
  *check(context) {
    if (!isStrict(context)) return;
    let before: Message | undefined;
    for (const [index, message] of context.transcript.messages.entries()) {
      if (message.role === 'meta') continue;
      const role = wireRole(message, context);
      const isPiece = message.group !== undefined && message.group === before?.group;
      if (
        before !== undefined &&
        !isPiece &&
        (role === 'user' || role === 'assistant') &&
        role === wireRole(before, context) &&
        !endsOnResult(before)
      )
        yield { message: index, text: `two ${role} messages in a row` };
      before = message;
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Join the messages.',
    reaches: (context, { message }) => joinsPrevious(context, message!),
    apply: (context, problems) => withJoined(context, new Set(problems.map(({ message }) => message!))),
  },
});

/** Bedrock rejects it for all models; other servers only for such a model, or where the model is unknown. */
function isStrict({ provider, transcript: { model } }: RuleContext): boolean {
  return provider.id === 'bedrock' || model === undefined || STRICT_MODELS.test(model);
}

/** Whether the message contains its results, which are sent as separate messages. */
function endsOnResult({ role, parts }: Message): boolean {
  return role === 'assistant' && parts.some(({ type }) => type === 'result');
}
