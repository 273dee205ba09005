import { readTools } from '../../formats/shared/tools.js';
import { patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { NAME } from '../shared/calls.js';
import { rewireProblems } from '../shared/edits.js';
import { withToolSpecs } from '../shared/request.js';
import { shortened } from './tool-use-id.js';

const LONGEST = 64;

export default errorRule({
  id: 'bedrock/tool-name',
  summary: 'a tool name with invalid characters, or too long',
  providers: ['bedrock'],
  error:
    "Value 'mcp_agent.describe' at 'toolConfig.tools.43.member.toolSpec.name' failed to satisfy constraint: Member " +
    "must satisfy regular expression pattern: [a-zA-Z0-9_-]+ | Value at 'messages.73.member.content.2.member." +
    "toolUse.name' failed to satisfy constraint: Member must have length less than or equal to 64",
  cause: 'An MCP name has dots or a long prefix, or the model wrote more than a name.',
  reported: commaList(`
    openclaw/openclaw#12892, RooCodeInc/Roo-Code#10022, raphaelmansuy/edgequake-llm#66,
    aws-samples/remote-swe-agents#457, NousResearch/hermes-agent#54863
  `),
  *check({ transcript, pairing }) {
    for (const { name } of readTools(transcript.tools?.text ?? '[]').definitions)
      if (!isValid(name)) yield { message: undefined, text: `the tool ${faultOf(name)}` };
    for (const { part, message } of pairing.calls) {
      const node = part.raw instanceof JsonNode ? part.raw.get('toolUse')?.get('name') : undefined;
      if (!isValid(part.tool))
        yield { message, part, callId: part.callId, node, text: `the call of ${faultOf(part.tool)}` };
    }
  },
  fix: {
    safety: 'synthetic',
    summary: 'Replace invalid characters with `_`, and shorten long names, in calls and definitions.',
    reaches: ({ transcript }, { message, node }) =>
      message === undefined ? transcript.tools instanceof JsonNode : node !== undefined && node.text !== '',
    apply(context, problems) {
      const renamed = rewireProblems(context, problems, ({ text }) => shortened(text));
      const rename = (name: string) => (isValid(name) ? name : shortened(name));
      const change = (tool: JsonNode) => {
        const spec = tool.get('toolSpec');
        const name = spec?.get('name')?.string || undefined;
        return spec === undefined || name === undefined || isValid(name)
          ? tool
          : patch(tool, { toolSpec: patch(spec, { name: shortened(name) }) });
      };
      return withToolSpecs({ ...context, transcript: renamed }, change, rename);
    },
  },
});

function isValid(name: string): boolean {
  return NAME.test(name) && name.length <= LONGEST;
}

function faultOf(name: string): string {
  if (name.length > LONGEST) return `\`${name.slice(0, LONGEST)}…\` has a name of ${name.length} characters`;
  return name === '' ? 'a tool has an empty name' : `\`${name}\`: its name may have only letters, digits, _ and -`;
}
