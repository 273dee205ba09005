import { languageOf, languageOption } from '../options/language.js';
import { textOf } from '../transcript/text.js';
import type { Part } from '../transcript/types.js';
import { replaceParts } from './results.js';
import { defineTransform } from './transform.js';

export default defineTransform({
  id: 'guard',
  summary: 'answer calls that a policy denies as a guard would have',
  description:
    'Puts, in the place of the result of each call that a policy denies, what a guard in front of the tools would have answered: {"success": false, "error": …, "suggestion": …}. Rules about results do not count, as a guard answers before the call is made; a call without a result stays open.',
  needs: ['policy'],
  options: {
    policy: {
      type: 'guard',
      reach: 'reads',
      value: 'file|name',
      summary: 'a policy file (YAML or JSON), or query-history, which is built in',
    },
    ...languageOption,
  },
  apply(transcript, { policy, lang }) {
    if (policy === undefined) return transcript;
    const became = new Map<Part, Part>();
    for (const [result, text] of policy(transcript, languageOf(lang))) {
      const [first] = result.content;
      const isSaid = result.content.length === 1 && first?.type === 'text' && textOf(first.text) === text;
      if (!isSaid)
        became.set(result, {
          ...result,
          content: [first?.type === 'text' ? { ...first, text } : { type: 'text', text }],
        });
    }
    return replaceParts(transcript, became);
  },
});
