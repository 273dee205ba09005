import { readTools } from '../../formats/shared/tools.js';
import { errorRule } from '../rule.js';
import { NAME } from '../shared/calls.js';

/** `tools.18.custom.name: String should have at most 128 characters`; it was 64 before. anthropics/claude-code#96152 */
const LONGEST_DEFINED = 128;
/** `tool_use.name: String should have at most 200 characters`. openclaw/openclaw#13134 */
const LONGEST_CALLED = 200;

export default errorRule({
  id: 'anthropic/tool-name-pattern',
  summary: 'a tool name that does not match Anthropic’s pattern',
  providers: ['anthropic'],
  error: "tools.7.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'",
  cause: 'An MCP or OpenAPI name has dots, slashes or spaces, the model made the name up, or it is too long.',
  reported: ['apify/tester-mcp-client#11'],
  *check({ transcript, pairing }) {
    const { definitions } = readTools(transcript.tools?.text ?? '[]');
    for (const { name } of definitions) {
      const fault = faultOf(name, LONGEST_DEFINED);
      if (fault !== undefined) yield { message: undefined, text: `the tool \`${shown(name)}\` ${fault}` };
    }
    for (const { part, message } of pairing.calls) {
      const fault = faultOf(part.tool, LONGEST_CALLED);
      if (fault !== undefined)
        yield {
          message,
          part,
          callId: part.callId || undefined,
          text: `the tool name \`${shown(part.tool)}\` in a call ${fault}`,
        };
    }
  },
});

function faultOf(name: string, longest: number): string | undefined {
  if (name === '') return 'is empty';
  if (!NAME.test(name)) return 'has characters other than letters, digits, `_` and `-`';
  return name.length > longest ? `is ${name.length} characters long; at most ${longest} are allowed` : undefined;
}

const SHOWN = 80;

function shown(name: string): string {
  return name.length > SHOWN ? `${name.slice(0, SHOWN)}…` : name;
}
