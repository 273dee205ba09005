import { textOf } from '../../transcript/text.js';
import { defineRule } from '../rule.js';
import { withPartsMended } from '../shared/edits.js';
import { endingReply } from '../shared/ends.js';

export default defineRule({
  id: 'anthropic/trailing-whitespace',
  summary: 'the last reply ends in white space',
  severity: 'error',
  providers: ['anthropic'],
  cleaned: true,
  error: 'messages: final assistant content cannot end with trailing whitespace',
  cause: 'A prefill, or an answer that was cut off, ends in a blank or a line break.',
  asRequest: true,
  example: {
    bad: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: 'Here is ' },
      ],
    },
    repaired: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: 'Here is' },
      ],
    },
  },
  reported: [
    'tailcallhq/forgecode#1872',
    'anomalyco/opencode#1295',
    'tghamm/Anthropic.SDK#137',
    'aaif-goose/goose#5967',
  ],
  *check({ transcript }) {
    const end = endingReply(transcript);
    const part = end?.reply.parts.at(-1);
    if (end === undefined || part?.type !== 'text') return;
    const text = textOf(part.text);
    const length = text.length - text.trimEnd().length;
    if (length > 0 && length < text.length)
      yield {
        message: end.index,
        part,
        text: `the last reply ends in ${length === 1 ? 'a character' : `${length} characters`} of white space`,
      };
  },
  fix: {
    safety: 'safe',
    summary: 'Take the white space at the end of the last reply away.',
    apply: (subject, problems) =>
      withPartsMended(subject, problems, (part) =>
        part.type === 'text' ? { ...part, text: textOf(part.text).trimEnd() } : part,
      ),
  },
});
