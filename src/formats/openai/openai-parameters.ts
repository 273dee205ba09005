/**
 * Parameters of a request. As of January 2026:
 * https://platform.openai.com/docs/api-reference/chat/create
 * https://platform.openai.com/docs/api-reference/responses/create
 */
import { commaList } from '../../lists.js';
import type { ParameterTable, ResponseFormat } from '../shared/parameters.js';
import { type Spelling, withoutLists, wordOrTool } from '../shared/tool-choice.js';

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

export const CHAT_PARAMETERS: ParameterTable = {
  paths: {
    maxTokens: ['max_completion_tokens', 'max_tokens'],
    temperature: ['temperature'],
    topP: ['top_p'],
    stop: ['stop'],
    seed: ['seed'],
    presencePenalty: ['presence_penalty'],
    frequencyPenalty: ['frequency_penalty'],
    toolChoice: ['tool_choice', 'function_call'], // the second is its deprecated name
    parallelCalls: ['parallel_tool_calls'],
    responseFormat: ['response_format'],
  },
  own: [
    ...['max_completion_tokens', 'max_tokens', 'temperature', 'top_p', 'stop', 'seed', 'presence_penalty'],
    ...['frequency_penalty', 'tool_choice', 'response_format', 'parallel_tool_calls', 'n', 'logprobs', 'top_logprobs'],
    ...['logit_bias', 'reasoning_effort', 'verbosity', 'modalities', 'prediction', 'stream', 'stream_options'],
    ...['store', 'safety_identifier', 'prompt_cache_key', 'service_tier', 'web_search_options'],
  ],
  toolChoice: wordOrTool('function', 'allowed_tools'),
  oneCall: false,
  responseFormat: jsonSchema('json_schema'),
};

const { parallelCalls: _, ...COMMON_PATHS } = CHAT_PARAMETERS.paths;

/** Of APIs that copied OpenAI's: none is known to take a list of allowed tools, and few take one call at a time. */
export const COMPATIBLE_PARAMETERS: ParameterTable = {
  ...CHAT_PARAMETERS,
  paths: COMMON_PATHS,
  own: CHAT_PARAMETERS.own.filter((key) => key !== 'tool_choice'),
  toolChoice: withoutLists(CHAT_PARAMETERS.toolChoice!),
};

/** groq-sdk 1.6.0, 2026-11. */
export const GROQ_PARAMETERS: ParameterTable = { ...COMPATIBLE_PARAMETERS, paths: CHAT_PARAMETERS.paths };

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
    parallelCalls: ['parallel_tool_calls'],
    responseFormat: ['text.format'],
  },
  own: commaList(`
    max_output_tokens, temperature, top_p, tool_choice, text, parallel_tool_calls, reasoning, store, include,
    safety_identifier, prompt_cache_key, service_tier, stream, truncation, previous_response_id, conversation,
    max_tool_calls, top_logprobs, background
  `),
  toolChoice: wordOrTool(undefined, undefined),
  oneCall: false,
  responseFormat: jsonSchema(undefined),
};
