/**
 * Parameters of a request by format: where each API has them, and how it spells them. As of January 2026:
 * https://platform.openai.com/docs/api-reference/chat/create
 * https://platform.openai.com/docs/api-reference/responses/create
 * https://docs.anthropic.com/en/api/messages
 * https://ai.google.dev/api/generate-content#generationconfig
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InferenceConfiguration.html
 */

import type { Json } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { commaList } from '../../lists.js';
import { at, listOf, mode, oneOf, type Spelling, type ToolChoice, withoutLists, wordOrTool } from './tool-choice.js';

/** Parameters that mean the same in several APIs. */
export type Parameter =
  | 'maxTokens'
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'stop'
  | 'seed'
  | 'presencePenalty'
  | 'frequencyPenalty'
  | 'toolChoice'
  | 'responseFormat';

export interface ParameterTable {
  /** The path of each parameter in a request; of several the first that is set is read, and the first is written. */
  readonly paths: Readonly<Partial<Record<Parameter, readonly string[]>>>;
  /** Members of a request that a conversion to the same format keeps as they are. */
  readonly own: readonly string[];
  /** The greatest temperature. */
  readonly maxTemperature?: number;
  readonly toolChoice?: Spelling<ToolChoice>;
  readonly responseFormat?: Spelling<ResponseFormat>;
}

type ResponseFormat = 'json' | { readonly name: string; readonly schema: Json; readonly strict?: Json | undefined };

export type Parameters = Readonly<Partial<Record<Parameter, Json>>>;

/** Reads parameters that the other table has too, in its spelling. `lost`: the paths of those that it has not. */
export function mapParameters(
  request: JsonNode,
  from: ParameterTable,
  to: ParameterTable | undefined,
): { readonly fields: ReadonlyMap<string, Json>; readonly read: readonly string[]; readonly lost: readonly string[] } {
  const fields = new Map<string, Json>();
  const read: string[] = [];
  const lost: string[] = [];
  for (const [name, paths] of Object.entries(from.paths) as [Parameter, readonly string[]][]) {
    const found = paths.find((path) => at(request, path) !== undefined && !at(request, path)!.isNull);
    if (found === undefined) continue;
    const target = to?.paths[name]?.[0];
    const value = target === undefined ? undefined : spelled(name, at(request, found)!, from, to!);
    read.push(found);
    if (value === undefined) lost.push(found);
    else fields.set(target!, value);
  }
  return { fields, read, lost };
}

function spelled(name: Parameter, node: JsonNode, from: ParameterTable, to: ParameterTable): Json | undefined {
  if (name === 'toolChoice') return choice(node, from.toolChoice, to.toolChoice);
  if (name === 'responseFormat') return choice(node, from.responseFormat, to.responseFormat);
  if (name === 'stop') return node.isString ? [node.text] : node.isArray ? node : undefined;
  if (node.number === undefined) return undefined;
  if (name === 'temperature' && node.number > (to.maxTemperature ?? 2)) return undefined;
  return node;
}

function choice<Value>(node: JsonNode, from?: Spelling<Value>, to?: Spelling<Value>): Json | undefined {
  const value = from?.read(node);
  return value === undefined ? undefined : to?.write(value);
}

/** A JSON schema under this key of the holder: OpenAI's formats. */
function jsonSchema(inner: string | undefined): Spelling<ResponseFormat> {
  return {
    read(node) {
      const type = node.get('type')?.string;
      if (type === 'json_object') return 'json';
      const holder = inner === undefined ? node : node.get(inner);
      const schema = holder?.get('schema');
      if (type !== 'json_schema' || schema === undefined) return undefined;
      return { name: holder?.get('name')?.string ?? 'response', schema, strict: holder?.get('strict') };
    },
    write(value) {
      if (value === 'json') return { type: 'json_object' };
      const { name, schema, strict } = value;
      const held = { name, schema, strict };
      return inner === undefined ? { type: 'json_schema', ...held } : { type: 'json_schema', [inner]: held };
    },
  };
}

/** A schema alone. */
function bareSchema(
  read: (node: JsonNode) => JsonNode | undefined,
  write: (schema: Json) => Json,
): Spelling<ResponseFormat> {
  return {
    read: (node) => {
      const schema = read(node);
      return schema === undefined ? undefined : { name: 'response', schema };
    },
    write: (value) => (value === 'json' ? undefined : write(value.schema)),
  };
}

export const CHAT_PARAMETERS: ParameterTable = {
  paths: {
    maxTokens: ['max_completion_tokens', 'max_tokens'],
    temperature: ['temperature'],
    topP: ['top_p'],
    stop: ['stop'],
    seed: ['seed'],
    presencePenalty: ['presence_penalty'],
    frequencyPenalty: ['frequency_penalty'],
    toolChoice: ['tool_choice'],
    responseFormat: ['response_format'],
  },
  own: [
    ...['max_completion_tokens', 'max_tokens', 'temperature', 'top_p', 'stop', 'seed', 'presence_penalty'],
    ...['frequency_penalty', 'tool_choice', 'response_format', 'parallel_tool_calls', 'n', 'logprobs', 'top_logprobs'],
    ...['logit_bias', 'reasoning_effort', 'verbosity', 'modalities', 'prediction', 'stream', 'stream_options'],
    ...['store', 'safety_identifier', 'prompt_cache_key', 'service_tier', 'web_search_options'],
  ],
  toolChoice: wordOrTool('function', 'allowed_tools'),
  responseFormat: jsonSchema('json_schema'),
};

/** Of APIs that copied OpenAI's: none is known to take a list of allowed tools. */
export const COMPATIBLE_PARAMETERS: ParameterTable = {
  ...CHAT_PARAMETERS,
  own: CHAT_PARAMETERS.own.filter((key) => key !== 'tool_choice'),
  toolChoice: withoutLists(CHAT_PARAMETERS.toolChoice!),
};

/** Mistral refuses members that it does not have: https://www.npmjs.com/package/@mistralai/mistralai (2.7.0), 2026-11. */
export const MISTRAL_PARAMETERS: ParameterTable = {
  ...COMPATIBLE_PARAMETERS,
  paths: {
    ...CHAT_PARAMETERS.paths,
    maxTokens: ['max_tokens', 'max_completion_tokens'],
    seed: ['random_seed', 'seed'],
  },
  own: [
    ...['max_tokens', 'temperature', 'top_p', 'stop', 'random_seed', 'presence_penalty', 'frequency_penalty'],
    ...['response_format', 'parallel_tool_calls', 'n', 'reasoning_effort', 'prediction', 'stream'],
    ...['prompt_cache_key', 'service_tier', 'metadata', 'prompt_mode', 'safe_prompt', 'guardrails'],
  ],
};

export const RESPONSES_PARAMETERS: ParameterTable = {
  paths: {
    maxTokens: ['max_output_tokens'],
    temperature: ['temperature'],
    topP: ['top_p'],
    toolChoice: ['tool_choice'],
    responseFormat: ['text.format'],
  },
  own: commaList(`
    max_output_tokens, temperature, top_p, tool_choice, text, parallel_tool_calls, reasoning, store, include,
    safety_identifier, prompt_cache_key, service_tier, stream, truncation, previous_response_id, conversation,
    max_tool_calls, top_logprobs, background
  `),
  toolChoice: wordOrTool(undefined, undefined),
  responseFormat: jsonSchema(undefined),
};

export const ANTHROPIC_PARAMETERS: ParameterTable = {
  paths: {
    maxTokens: ['max_tokens'],
    temperature: ['temperature'],
    topP: ['top_p'],
    topK: ['top_k'],
    stop: ['stop_sequences'],
    toolChoice: ['tool_choice'],
    responseFormat: ['output_config.format', 'output_format'],
  },
  own: [
    ...['max_tokens', 'temperature', 'top_p', 'top_k', 'stop_sequences', 'tool_choice', 'output_config', 'thinking'],
    ...['service_tier', 'stream', 'container', 'mcp_servers', 'context_management', 'output_format'],
  ],
  maxTemperature: 1,
  toolChoice: mode(
    (node) => node.get('type')?.string,
    (node) => listOf(node.get('type')?.string === 'tool' ? node.get('name')?.string : undefined),
    (type, tools) => (type === undefined ? oneOf(tools, (name) => ({ type: 'tool', name })) : { type }),
    { auto: 'auto', none: 'none', required: 'any' },
  ),
  responseFormat: bareSchema(
    (node) => (node.get('type')?.string === 'json_schema' ? node.get('schema') : undefined),
    (schema) => ({ type: 'json_schema', schema }),
  ),
};

export const GEMINI_PARAMETERS: ParameterTable = {
  paths: {
    maxTokens: ['generationConfig.maxOutputTokens'],
    temperature: ['generationConfig.temperature'],
    topP: ['generationConfig.topP'],
    topK: ['generationConfig.topK'],
    stop: ['generationConfig.stopSequences'],
    seed: ['generationConfig.seed'],
    presencePenalty: ['generationConfig.presencePenalty'],
    frequencyPenalty: ['generationConfig.frequencyPenalty'],
    toolChoice: ['toolConfig.functionCallingConfig'],
    responseFormat: ['generationConfig.responseJsonSchema'],
  },
  own: ['generationConfig', 'toolConfig', 'safetySettings', 'cachedContent'],
  toolChoice: mode(
    (node) => node.get('mode')?.string,
    (node) => {
      const allowed = node.get('mode')?.string === 'ANY' ? (node.get('allowedFunctionNames')?.items() ?? []) : [];
      return allowed.flatMap(({ string }) => string ?? []);
    },
    (word, tools) => (word === undefined ? { mode: 'ANY', allowedFunctionNames: tools } : { mode: word }),
    { auto: 'AUTO', none: 'NONE', required: 'ANY' },
  ),
  responseFormat: bareSchema(
    (node) => (node.isObject ? node : undefined),
    (schema) => schema,
  ),
};

export const BEDROCK_PARAMETERS: ParameterTable = {
  paths: {
    maxTokens: ['inferenceConfig.maxTokens'],
    temperature: ['inferenceConfig.temperature'],
    topP: ['inferenceConfig.topP'],
    stop: ['inferenceConfig.stopSequences'],
    toolChoice: ['toolConfig.toolChoice'],
  },
  own: [
    ...['inferenceConfig', 'additionalModelRequestFields', 'additionalModelResponseFieldPaths', 'guardrailConfig'],
    ...['performanceConfig', 'promptVariables', 'requestMetadata', 'serviceTier'],
  ],
  maxTemperature: 1,
  toolChoice: mode(
    (node) => node.members()[0]?.key.text,
    (node) => listOf(node.get('tool')?.get('name')?.string),
    (word, tools) => (word === undefined ? oneOf(tools, (name) => ({ tool: { name } })) : { [word]: {} }),
    { auto: 'auto', required: 'any' },
  ),
};
