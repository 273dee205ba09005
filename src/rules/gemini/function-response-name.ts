import { patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { ResultSite } from '../../transcript/pairs.js';
import type { ResultPart } from '../../transcript/types.js';
import { errorRule, type RuleContext } from '../rule.js';
import { rewireProblems } from '../shared/edits.js';

export default errorRule({
  id: 'gemini/function-response-name',
  summary: 'a function response without the name of its call',
  providers: ['gemini'],
  error:
    'GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty. | Please ensure ' +
    'that the function response name matches the function call name.',
  cause: 'The history was converted from a format whose results have the id of the call but not its name.',
  reported: [],
  *check(context) {
    for (const site of context.pairing.results) {
      const { part, message, call } = site;
      const node = responseIn(part);
      const toolName = call?.part.tool;
      if (call === undefined) continue; // reported by gemini/function-response-turn-order
      if (node === undefined || context.wire(context.transcript.messages[message]!) === undefined) continue;
      const at = { message, part, callId: part.callId, node };
      if (!part.tool) yield { ...at, text: `the result${toolName ? ` of ${toolName}` : ''} has no \`name\`` };
      else if (toolName && toolName !== part.tool)
        yield { ...at, text: `the result has the name ${part.tool}, but its call has the name ${toolName}` };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Add the name of the call to the response.',
    reaches: (context, { part }) => callNames(context).has(part),
    apply(context, problems) {
      const names = callNames(context);
      return rewireProblems(context, problems, (node, { part }) => patch(node, { name: names.get(part)! }));
    },
  },
});

/** The tool name of the call, by result; computed once for all problems. */
function callNames({ pairing }: RuleContext): ReadonlyMap<unknown, string> {
  const { results } = pairing;
  const names =
    namesOf.get(results) ??
    new Map(results.flatMap(({ part, call }) => (call?.part.tool ? [[part, call.part.tool] as const] : [])));
  namesOf.set(results, names);
  return names;
}

const namesOf = new WeakMap<readonly ResultSite[], ReadonlyMap<unknown, string>>();

function responseIn({ raw }: ResultPart): JsonNode | undefined {
  const response = raw instanceof JsonNode ? (raw.get('functionResponse') ?? raw.get('function_response')) : undefined;
  return response?.isObject ? response : undefined;
}
