import { table } from '../../formats/shared/table.js';
import type { JsonNode } from '../../json/node.js';
import { errorRule } from '../rule.js';
import { bodyOf } from '../shared/own-format.js';
import { bodyFix, valueAt } from '../shared/request.js';
import {
  ANTHROPIC_STRICT,
  type Dialect,
  GEMINI,
  OPENAI_STRICT,
  schemaFaultsIn,
  VERTEX,
} from '../shared/schema-dialects.js';

/** Where each provider's requests hold the schema of the answer. `inside`: what holds name and schema there. */
interface Output {
  readonly dialect: Dialect;
  readonly path: string;
  /** The schema counts only if this says so; its name has a pattern. */
  readonly isNamed?: boolean;
}
const CHAT: Output = { dialect: OPENAI_STRICT, path: 'response_format.json_schema', isNamed: true };
const OUTPUTS = table<Output>({
  'openai-chat': CHAT,
  azure: CHAT,
  'openai-responses': { dialect: OPENAI_STRICT, path: 'text.format', isNamed: true },
  anthropic: { dialect: ANTHROPIC_STRICT, path: 'output_config.format.schema' },
  'vertex-claude': { dialect: ANTHROPIC_STRICT, path: 'output_config.format.schema' },
  gemini: { dialect: GEMINI, path: 'generationConfig.responseSchema' },
  vertex: { dialect: VERTEX, path: 'generationConfig.responseSchema' },
});
/** https://platform.openai.com/docs/api-reference/chat/create, 2026-11 */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export default errorRule({
  id: 'request/output-schema',
  summary: 'a schema of the answer that the API rejects',
  providers: Object.keys(OUTPUTS),
  alone: true,
  asRequest: true,
  error: {
    'openai-chat azure openai-responses':
      "Invalid schema for response_format 'x': In context=(), 'additionalProperties' is required to be supplied and " +
      'to be false. | ' +
      "Invalid schema for response_format 'x': In context=(), 'required' is required to be supplied and to be an " +
      'array including every key in properties.',
    'openai-chat azure':
      "Missing required parameter: 'response_format.json_schema'. | " +
      "Invalid 'response_format.json_schema.name': string does not match pattern.",
    'anthropic vertex-claude':
      "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false | " +
      "output_config.format.schema: For 'array' type, property 'maxItems' is not supported | " +
      "output_config.format.schema: For 'integer' type, properties maximum, minimum are not supported | " +
      "output_config.format.schema: Invalid JSON Schema in output format: {'type': 'OBJECT', 'properties': {...}} is " +
      'not valid under any of the given schemas',
  },
  cause: 'The schema comes from a generator that leaves optional members out, or it was written for another API.',
  reported: [
    'moeru-ai/xsai#202',
    'dottxt-ai/outlines#844',
    'ax-llm/ax#458',
    'agentjido/req_llm#707',
    'hugomossberg/Babel#13',
  ],
  *check(context) {
    const body = bodyOf(context);
    const output = OUTPUTS[context.provider.id];
    if (body === undefined || output === undefined) return;
    const { path, dialect, isNamed } = output;
    const holder = valueAt(body, path);
    for (const { node, text } of isNamed ? namedFaults(body, holder, path) : [])
      yield { message: undefined, node, text };
    const isJudged = holder !== undefined && (!isNamed || holder.get('strict')?.boolean === true);
    const schema = isNamed ? holder?.get('schema') : holder;
    if (!isJudged || schema === undefined || schema.isNull) return;
    for (const { node, text, changes } of schemaFaultsIn(schema, dialect, isNamed ? `${path}.schema` : path))
      yield { message: undefined, node, text, ...(changes === undefined ? {} : { changes }) };
  },
  fix: bodyFix('lossy', 'Rewrite or remove what the API rejects.'),
});

function* namedFaults(body: JsonNode, holder: JsonNode | undefined, path: string) {
  const format = valueAt(body, path.split('.')[0] === 'text' ? path : 'response_format');
  if (format?.get('type')?.string !== 'json_schema') return;
  const name = holder?.get('name');
  if (name?.string === undefined) yield { node: format, text: `\`${path}.name\` is missing` };
  else if (!NAME.test(name.text))
    yield { node: name, text: `\`${path}.name\` is \`${name.text}\`, not 1 to 64 letters, digits, \`_\` and \`-\`` };
  if (holder?.get('schema') === undefined) yield { node: format, text: `\`${path}.schema\` is missing` };
}
