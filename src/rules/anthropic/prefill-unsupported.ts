import { takesPrefill } from '../../formats/anthropic/prefill.js';
import { commaList } from '../../lists.js';
import { defineRule } from '../rule.js';
import { canAddUser, endingReply, withUserAtEnd } from '../shared/ends.js';

export default defineRule({
  id: 'anthropic/prefill-unsupported',
  summary: 'a history that ends with the assistant',
  severity: 'warning',
  providers: ['anthropic', 'github-copilot'],
  error: 'This model does not support assistant message prefill. The conversation must end with a user message.',
  cause: 'A trimmed or resumed history ends with a reply; Claude 4.6 and later do not continue a reply.',
  asRequest: true,
  reported: commaList(`
    Coneja-Chibi/TunnelVision#5, cortexkit/magic-context#511, cortexkit/magic-context#512,
    smallmain/vscode-unify-chat-provider#249, NousResearch/hermes-agent#50055,
    Tarquinen/opencode-dynamic-context-pruning#520, ericc-ch/copilot-api#261, vybestack/llxprt-code#3695
  `),
  // An unknown model counts as a newer Claude model, except on providers that serve other models too.
  *check({ transcript, provider }) {
    const end = endingReply(transcript);
    if (end === undefined || end.reply.parts.at(-1)?.type === 'opaque') return; // a server tool is still running
    const model = end.reply.model ?? transcript.model;
    const isClaude = model !== undefined && /claude/i.test(model);
    if (isClaude ? takesPrefill(model) : provider.format !== 'anthropic-messages') return;
    yield {
      message: end.index,
      text: `the last message is from the assistant${isClaude ? `, and ${model} does not continue it` : ''}`,
    };
  },
  fix: {
    safety: 'synthetic',
    summary: 'Add the user message `Continue.`',
    reaches: canAddUser,
    apply: ({ transcript }) => withUserAtEnd(transcript, 'Continue.'),
  },
});
