import { JsonNode } from '../../json/node.js';
import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { base64Fault } from '../shared/base64.js';
import { rewireProblems } from '../shared/edits.js';
import { isOwn } from '../shared/own-format.js';

export default errorRule({
  id: 'gemini/thought-signature-base64',
  summary: 'a thought signature that is not base64',
  providers: ['gemini'],
  asRequest: true,
  error: 'Invalid value at \'contents[1].parts[0].thought_signature\' (TYPE_BYTES), Base64 decoding failed for "…"',
  cause: 'The signature was cut by a compaction, two were joined in a stream, or it is that of another provider.',
  reported: commaList(`
    google-gemini/gemini-cli#8011, crmne/ruby_llm#521, openclaw/openclaw#82995, MayDay-wpf/snow-cli#84
  `),
  *check(context) {
    for (const [message, found] of context.transcript.messages.entries()) {
      if (!isOwn(context, found)) continue;
      for (const part of found.parts) {
        const node = part.raw instanceof JsonNode && part.raw.isObject ? signatureIn(part.raw) : undefined;
        const fault = node?.isString ? base64Fault(node.text) : undefined;
        if (fault !== undefined && node!.text !== '')
          yield { message, part, node: node!, text: `the thought signature ${fault}` };
      }
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Remove the signature.',
    apply: (context, problems) => rewireProblems(context, problems, () => undefined),
  },
});

function signatureIn(part: JsonNode): JsonNode | undefined {
  return part.get('thoughtSignature') ?? part.get('thought_signature');
}
