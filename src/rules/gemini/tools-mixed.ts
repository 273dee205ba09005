import type { JsonNode } from '../../json/node.js';
import { errorRule } from '../rule.js';
import { bodyOf } from '../shared/own-format.js';
import { declares } from '../shared/parameters.js';
import { bodyFix, changeOf, modelOf, valueAt } from '../shared/request.js';

/** Models that take both if the request says so. withceleste/celeste-python#197, 2026-02; cloudwego/eino-ext#761 */
const BOTH = /^gemini-(?:[3-9])/;

export default errorRule({
  id: 'gemini/tools-mixed',
  summary: 'tools of Google beside functions',
  providers: ['gemini'],
  alone: true,
  asRequest: true,
  error:
    'Tool use with function calling is unsupported | Please enable tool_config.include_server_side_tool_invocations ' +
    'to use Built-in tools with Function calling. | Built-in tools ({google_search}) and Custom tools (Function ' +
    'Calling) cannot be combined in the same request. Please choose one to continue.',
  cause: 'A search was turned on for a client that has tools of its own.',
  reported: ['googleapis/go-genai#323', 'snailyp/gemini-balance#17', 'cloudwego/eino-ext#761'],
  *check(context) {
    const body = bodyOf(context);
    if (body === undefined || !declares(body)) return;
    const builtIn = body.get('tools')!.items().find(isBuiltIn);
    const config = body.get('toolConfig') ?? body.get('tool_config');
    const says = ['includeServerSideToolInvocations', 'include_server_side_tool_invocations'];
    if (builtIn === undefined || says.some((key) => valueAt(config, key)?.boolean)) return;
    const said = { includeServerSideToolInvocations: true };
    const changes = config === undefined ? changeOf(body, { toolConfig: said }) : changeOf(config, said);
    yield {
      message: undefined,
      node: builtIn,
      text: 'a tool of Google stands beside functions',
      ...(BOTH.test(modelOf(context, body)) ? { changes } : {}),
    };
  },
  fix: bodyFix('synthetic', 'Say that both are used.'),
});

function isBuiltIn(tool: JsonNode): boolean {
  return ['googleSearch', 'google_search', 'urlContext', 'url_context', 'codeExecution', 'code_execution'].some(
    (key) => tool.get(key) !== undefined,
  );
}
