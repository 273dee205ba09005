import { JsonNode } from '../../json/node.js';
import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { otherServer } from '../shared/other-servers.js';
import { isOwn } from '../shared/own-format.js';
import { withoutParts } from '../shared/without-parts.js';

export default errorRule({
  id: 'anthropic/thinking-signature',
  summary: 'thinking without a signature',
  providers: ['anthropic'],
  error:
    'messages.1.content.0: Invalid `signature` in `thinking` block (2026-09 variant: "The block is bound to a ' +
    'different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to ' +
    '"drop_block" … The `system` prompt differs …")',
  cause: 'The signature was not stored, the block was made up or edited, or it comes from another provider’s model.',
  reported: commaList(`
    lbjlaq/Antigravity-Manager#498, ding113/claude-code-hub#518, anomalyco/opencode#48637, kaitranntt/ccs#415,
    anthropics/anthropic-sdk-csharp#126, openclaw/openclaw#70054, code-yeongyu/oh-my-openagent#2775,
    NoeFabris/opencode-antigravity-auth#73
  `),
  *check(context) {
    const isOther = otherServer(context);
    for (const [index, message] of context.transcript.messages.entries()) {
      if (!isOwn(context, message) || isOther(message)) continue;
      for (const part of message.parts) {
        if (part.type !== 'thinking' || !(part.raw instanceof JsonNode) || part.raw.get('type')?.string !== 'thinking')
          continue;
        const signature = part.raw.get('signature');
        if (signature?.string === undefined || signature.string === '')
          yield {
            message: index,
            part,
            node: signature ?? part.raw,
            text: `the thinking block has ${signature === undefined ? 'no signature' : 'an empty signature'}`,
          };
      }
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Remove thinking blocks without a signature.',
    apply: (context, problems) => withoutParts(context, problems),
  },
});
