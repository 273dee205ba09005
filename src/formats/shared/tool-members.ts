/** Where definitions of tools stand in their formats. */
import type { JsonNode } from '../../json/node.js';
import { commaList } from '../../lists.js';

/** The key of the function list inside a Gemini tool. */
export function functionsKey(entry: JsonNode): string | undefined {
  return ['functionDeclarations', 'function_declarations'].find((key) => entry.get(key)?.isArray);
}

export const WRAPPERS = ['function', 'toolSpec'];

export const SCHEMAS = commaList(`
  parameters, parametersJsonSchema, parameters_json_schema, input_schema, inputSchema, parameter_definitions
`);
