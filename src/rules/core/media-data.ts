import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { base64Fault } from '../shared/base64.js';
import { dataIn } from '../shared/held-data.js';
import { withImagesReplaced } from '../shared/images.js';

export default errorRule({
  id: 'core/media-data',
  summary: 'an image or a file whose data is empty or no base64',
  providers: ['anthropic', 'gemini'],
  asRequest: true,
  error: {
    'anthropic vertex-claude':
      'messages.118.content.4.image.source.base64: image cannot be empty | ' +
      'messages.116.content.1.image.source.base64: invalid base64 data',
    'gemini vertex': "Invalid value at 'contents[0].parts[0].inline_data.data' (TYPE_BYTES), Base64 decoding failed",
  },
  cause: 'An upload or a screenshot failed, a log was cut, or a placeholder took the place of the data.',
  reported: commaList(`
    anthropics/claude-code#12750, openclaw/openclaw#18219, musistudio/claude-code-router#960, QuantumNous/new-api#1786
  `),
  /** In requests alone: recordings have placeholders for data that was sent. */
  *check(context) {
    for (const { message, part, callId, node } of dataIn(context)) {
      const fault = base64Fault(node.text);
      if (fault !== undefined) yield { message, part, callId, node, text: `the data ${fault}` };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Replace it with a note.',
    apply: ({ transcript }, problems) =>
      withImagesReplaced(transcript, new Map(problems.map(({ part }) => [part!, NOTE] as const))),
  },
});

const NOTE = '[image removed: it could not be read]';
