import type { Message } from '../../transcript/types.js';
import { defineRule, type RuleContext } from '../rule.js';
import { sideOf, withJoined } from '../shared/neighbours.js';

/** Models whose chat templates insist on it, by their names: others take what comes. */
const INSISTENT = /gemma|mi[sx]tral|llama-?2|zephyr|vicuna/i;

export default defineRule({
  id: 'core/roles-alternate',
  summary: 'two messages of one role in a row',
  severity: 'error',
  providers: ['openai-compatible', 'bedrock'],
  error: 'After the optional system message, conversation roles must alternate user/assistant/user/assistant/...',
  cause:
    'Reminders are sent as messages of the user, a failed turn was tried again, or the assistant’s turns were filtered out.',
  example: {
    bad: {
      messages: [
        { role: 'user', content: 'a' },
        { role: 'user', content: 'b' },
        { role: 'assistant', content: 'c' },
      ],
    },
    repaired: {
      messages: [
        { role: 'user', content: 'a\n\nb' },
        { role: 'assistant', content: 'c' },
      ],
    },
  },
  reported: [
    'coaidev/coai#209',
    'modelcontextprotocol/quickstart-resources#20',
    'BerriAI/litellm#3474',
    'FlowiseAI/Flowise#2006',
    'aws-samples/bedrock-access-gateway#25',
    'vllm-project/vllm#6862',
    'sterlp/eclipse-peon-ai#75',
    'infiniflow/ragflow#6880',
  ],
  *check(subject) {
    if (!insists(subject)) return;
    let before: Message | undefined;
    for (const [message, said] of subject.transcript.messages.entries()) {
      if (said.role === 'meta') continue;
      const role = sideOf(said, subject);
      const isPiece = said.group !== undefined && said.group === before?.group;
      if (
        before !== undefined &&
        !isPiece &&
        (role === 'user' || role === 'assistant') &&
        role === sideOf(before, subject) &&
        !endsOnResult(before)
      )
        yield { message, text: `two messages of the ${role} stand in a row` };
      before = said;
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Join the messages.',
    apply: (subject, problems) => withJoined(subject, new Set(problems.map(({ message }) => message!))),
  },
});

/** Bedrock insists for all models; of other servers only those that run such a model, or do not say which. */
function insists({ provider, transcript: { model } }: RuleContext): boolean {
  return provider.id === 'bedrock' || model === undefined || INSISTENT.test(model);
}

/** Its results stand in it, and become messages of their own. */
function endsOnResult({ role, parts }: Message): boolean {
  return role === 'assistant' && parts.some(({ type }) => type === 'result');
}
