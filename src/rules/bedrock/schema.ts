import { errorRule } from '../rule.js';
import { BEDROCK_MESSAGE, BEDROCK_TOOLS } from '../shapes/bedrock.js';
import { faultsIn } from '../shapes/shape.js';
import { converseMessage } from '../shared/bedrock.js';
import { rewireProblems } from '../shared/edits.js';
import { bodyOf, isSent } from '../shared/own-format.js';
import { problemOf, schemaFaults } from '../shared/schema.js';

/** Other names of file formats. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ['jpg', 'jpeg'],
  ['htm', 'html'],
  ['markdown', 'md'],
  ['plain', 'txt'],
  ['3gp', 'three_gp'],
]);

export default errorRule({
  id: 'bedrock/schema',
  summary: 'a message that Bedrock’s published schema rejects',
  providers: ['bedrock'],
  cleaned: true,
  error:
    "Value 'octet-stream' at 'messages.1.member.content.1.member.document.format' failed to satisfy constraint: " +
    'Member must satisfy enum value set: [docx, csv, html, txt, pdf, md, doc, xlsx, xls] | DocumentSource object at ' +
    'messages.0.content.1.document.source must set one of the following keys: bytes, s3Location.',
  cause:
    'A message was written by hand, converted from another provider’s format, or a file has a type without a name.',
  reported: ['strands-agents/harness-sdk#3019', 'maximhq/bifrost#7072'],
  /** Replies may come without a role. */
  *check(context) {
    const faults = schemaFaults(context, (message, json) => {
      const node = json && converseMessage(json);
      const isMessage = node?.get('role') !== undefined || isSent(context, message);
      return node === undefined || !isMessage ? undefined : { node, shape: BEDROCK_MESSAGE };
    });
    for (const fault of faults) yield problemOf(context, fault);
    const tools = bodyOf(context)?.get('toolConfig')?.get('tools');
    for (const { node, text } of tools === undefined ? [] : faultsIn(tools, BEDROCK_TOOLS, 'toolConfig.tools'))
      yield { message: undefined, node, text };
  },
  fix: {
    safety: 'safe',
    summary: 'Write the format of a file by the name that the API knows.',
    reaches: (_, { message, node }) => message !== undefined && node?.isString === true && FORMATS.has(node.text),
    apply: (context, problems) => rewireProblems(context, problems, ({ text }) => FORMATS.get(text)),
  },
});
