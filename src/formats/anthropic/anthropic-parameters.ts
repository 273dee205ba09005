/** Parameters of a request. As of January 2026: https://docs.anthropic.com/en/api/messages */
import { bareSchema, type ParameterTable } from '../shared/parameters.js';
import { listOf, mode, oneOf } from '../shared/tool-choice.js';

export const ANTHROPIC_PARAMETERS: ParameterTable = {
  paths: {
    maxTokens: ['max_tokens'],
    temperature: ['temperature'],
    topP: ['top_p'],
    topK: ['top_k'],
    stop: ['stop_sequences'],
    toolChoice: ['tool_choice'],
    parallelCalls: ['tool_choice.disable_parallel_tool_use'],
    responseFormat: ['output_config.format', 'output_format'],
  },
  own: [
    ...['max_tokens', 'temperature', 'top_p', 'top_k', 'stop_sequences', 'tool_choice', 'output_config', 'thinking'],
    ...['service_tier', 'stream', 'container', 'mcp_servers', 'context_management', 'output_format'],
  ],
  visibleStops: true, // "each stop sequence must contain non-whitespace": github.com/BerriAI/litellm/issues/3286
  maxTemperature: 1,
  toolChoice: mode(
    (node) => node.get('type')?.string,
    (node) => listOf(node.get('type')?.string === 'tool' ? node.get('name')?.string : undefined),
    (type, tools) => (type === undefined ? oneOf(tools, (name) => ({ type: 'tool', name })) : { type }),
    { auto: 'auto', none: 'none', required: 'any' },
  ),
  oneCall: true,
  responseFormat: bareSchema(
    (node) => (node.get('type')?.string === 'json_schema' ? node.get('schema') : undefined),
    (schema) => ({ type: 'json_schema', schema }),
  ),
};
