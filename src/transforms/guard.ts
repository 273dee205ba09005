import { languageOf, languageOption } from '../options/language.js';
import { textOf } from '../transcript/text.js';
import type { Part } from '../transcript/types.js';
import { replaceParts } from './results.js';
import { defineTransform } from './transform.js';

export default defineTransform({
  id: 'guard',
  summary: 'answer denied calls as a policy guard would',
  description:
    'Replaces the result of each call that a policy denies with the answer of a guard in front of the tools: ' +
    '{"success": false, "error": …, "suggestion": …}. Rules about results do not apply, because a guard answers ' +
    'before the call runs; a call without a result stays open.',
  needs: ['policy'],
  options: {
    policy: {
      type: 'guard',
      reach: 'reads',
      value: 'file|name',
      summary: 'a policy file (YAML or JSON), or the built-in policy query-history',
    },
    ...languageOption,
  },
  apply(transcript, { policy, lang }) {
    if (policy === undefined) return transcript;
    const replacements = new Map<Part, Part>();
    for (const [result, text] of policy(transcript, languageOf(lang))) {
      const [first] = result.content;
      const isUnchanged = result.content.length === 1 && first?.type === 'text' && textOf(first.text) === text;
      if (!isUnchanged)
        replacements.set(result, {
          ...result,
          content: [first?.type === 'text' ? { ...first, text } : { type: 'text', text }],
        });
    }
    return replaceParts(transcript, replacements);
  },
});
