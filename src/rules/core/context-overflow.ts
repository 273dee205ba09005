import { commaList } from '../../lists.js';
import { overflowText } from '../../tokens/context.js';
import { defineRule } from '../rule.js';
import { contextErrors } from '../shared/long-errors.js';

export default defineRule({
  id: 'core/context-overflow',
  summary: 'more tokens than the context window of the model',
  severity: 'warning',
  providers: ['any'],
  get error() {
    return contextErrors();
  },
  cause: 'The history outgrew the context window; even compaction then fails with the same error.',
  asRequest: true,
  reported: commaList(`
    anthropics/claude-code#14274, anthropics/claude-code#12726, anthropics/claude-code#820,
    elidickinson/pi-claude-bridge#18, open-webui/computer#277, jefferson-calmon/codocx#6, dyad-sh/dyad#1672,
    google-gemini/gemini-cli#6678, googleapis/python-genai#2050, aws-samples/bedrock-chat#95,
    RooCodeInc/Roo-Code#1767, vllm-project/vllm#20409, BigPizzaV3/CodexPlusPlus#1803, QwenLM/qwen-code#98,
    earendil-works/pi#6061, opencode-ai/opencode#305, refly-ai/refly#1177
  `),
  *check({ contextUse }) {
    const { tokens, window, source } = contextUse();
    const text = overflowText(tokens, window, '', source === 'exact' ? '' : undefined);
    if (text !== undefined) yield { message: undefined, text };
  },
});
