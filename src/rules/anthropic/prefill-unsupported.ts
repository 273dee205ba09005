import { defineRule } from '../rule.js';
import { endingReply, withUsersEnd } from '../shared/ends.js';

export default defineRule({
  id: 'anthropic/prefill-unsupported',
  summary: 'the history ends with the model’s own words',
  severity: 'warning',
  providers: ['anthropic', 'github-copilot'],
  error: 'This model does not support assistant message prefill. The conversation must end with a user message.',
  cause: 'A trimmed or resumed history ends on a reply; models from Claude 4.6 on do not go on from there.',
  asRequest: true,
  example: {
    bad: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: '{"a":' },
      ],
    },
    repaired: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: '{"a":' },
        { role: 'user', content: 'Continue.' },
      ],
    },
  },
  reported: [
    'Coneja-Chibi/TunnelVision#5',
    'cortexkit/magic-context#511',
    'cortexkit/magic-context#512',
    'smallmain/vscode-unify-chat-provider#249',
    'NousResearch/hermes-agent#50055',
    'Tarquinen/opencode-dynamic-context-pruning#520',
    'ericc-ch/copilot-api#261',
    'vybestack/llxprt-code#3695',
  ],
  // Where the model is not known to be Claude, Anthropic's newer ones are thought of; who serves others too is not suspected.
  *check({ transcript, provider }) {
    const end = endingReply(transcript);
    if (end === undefined || end.reply.parts.at(-1)?.type === 'opaque') return; // a server's tool is still at work
    const model = end.reply.model ?? transcript.model;
    const isClaude = model !== undefined && /claude/i.test(model);
    if (isClaude ? takesPrefill(model) : provider.format !== 'anthropic-messages') return;
    yield {
      message: end.index,
      text: `the last message is the model’s${isClaude ? `, and ${model} does not go on with it` : ''}`,
    };
  },
  fix: {
    safety: 'synthetic',
    summary: 'Add a user’s message: `Continue.`',
    apply: ({ transcript }) => withUsersEnd(transcript, 'Continue.'),
  },
});

/** Up to Claude 4.5. The version stands before the family's name (`claude-3-5-sonnet`) or behind it (`claude-opus-4-1-20250805`). */
function takesPrefill(model: string): boolean {
  const [, major, minor = '0'] = /claude-(?:[a-z]+-)?v?(\d)(?:[.-](\d{1,2})(?!\d))?/i.exec(model) ?? [];
  return major !== undefined && (Number(major) < 4 || (Number(major) === 4 && Number(minor) <= 5));
}
