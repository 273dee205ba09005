import { commaList } from '../../lists.js';
import { textOf } from '../../transcript/text.js';
import { errorRule } from '../rule.js';
import { mapProblemParts } from '../shared/edits.js';
import { endingReply } from '../shared/ends.js';

export default errorRule({
  id: 'anthropic/trailing-whitespace',
  summary: 'a last reply that ends in white space',
  providers: ['anthropic'],
  cleaned: true,
  error: 'messages: final assistant content cannot end with trailing whitespace',
  cause: 'A prefill, or a reply that was cut off, ends in a space or line break.',
  asRequest: true,
  reported: commaList(`
    tailcallhq/forgecode#1872, anomalyco/opencode#1295, tghamm/Anthropic.SDK#137, aaif-goose/goose#5967
  `),
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
        text: `the last reply ends in ${length} white space character${length === 1 ? '' : 's'}`,
      };
  },
  fix: {
    safety: 'safe',
    summary: 'Remove the white space at the end of the last reply.',
    apply: (context, problems) =>
      mapProblemParts(context, problems, (part) =>
        part.type === 'text' ? { ...part, text: textOf(part.text).trimEnd() } : part,
      ),
  },
});
