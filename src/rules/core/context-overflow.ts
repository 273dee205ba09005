import { commaList } from '../../lists.js';
import { overflowText } from '../../tokens/context.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'core/context-overflow',
  summary: 'more tokens than the context window of the model',
  severity: 'warning',
  providers: ['any'],
  error: 'prompt is too long: 212230 tokens > 200000 maximum',
  cause: 'The history outgrew the context window; even compaction then fails with the same error.',
  asRequest: true,
  reported: commaList(`
    anthropics/claude-code#14274, anthropics/claude-code#12726, anthropics/claude-code#820,
    elidickinson/pi-claude-bridge#18, open-webui/computer#277
  `),
  *check({ contextUse }) {
    const { tokens, window, source } = contextUse();
    const text = overflowText(tokens, window, { source });
    if (text !== undefined) yield { message: undefined, text };
  },
});
