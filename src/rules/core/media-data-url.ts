import { patch } from '../../json/edit.js';
import { errorRule } from '../rule.js';
import { dataUrlIn } from '../shared/base64.js';
import { rewireProblems } from '../shared/edits.js';
import { dataIn } from '../shared/held-data.js';

export default errorRule({
  id: 'core/media-data-url',
  summary: 'a data URL where the API takes base64 alone',
  providers: ['anthropic', 'gemini'],
  error: {
    'anthropic vertex-claude': 'messages.0.content.1.image.source.base64: invalid base64 data',
    'gemini vertex':
      "Invalid value at 'contents[0].parts[0].inline_data.data' (TYPE_BYTES), Base64 decoding failed for " +
      '"data:image/png;base64,…"',
  },
  cause: 'The `data:` URL of a browser or of OpenAI’s format was stored as the data of the image.',
  covers: ['core/media-data'],
  reported: [
    'felixarntz/ai-services#19',
    'musistudio/claude-code-router#958',
    'CherryHQ/cherry-studio#14110',
    'openclaw/openclaw#18226',
  ],
  *check(context) {
    for (const { message, part, callId, holder, node } of dataIn(context))
      if (dataUrlIn(node.text) !== undefined)
        yield { message, part, callId, node: holder, text: `the data begins with ${node.text.split(',', 1)[0]},` };
  },
  fix: {
    safety: 'safe',
    summary: 'Keep the base64, and the media type that the URL names.',
    apply(context, problems) {
      const keyOf = new Map([...dataIn(context)].map(({ holder, typeKey }) => [holder.at, typeKey]));
      return rewireProblems(context, problems, (holder) => {
        const { type, data } = dataUrlIn(holder.get('data')!.text)!;
        return patch(holder, { ...(type === '' ? {} : { [keyOf.get(holder.at)!]: type }), data });
      });
    },
  },
});
