/**
 * Records of one request to an API, with its response: batch files, logs of gateways, responses alone. Each shape says
 * where a record holds the bodies, and what it states beside them. `api-calls.ts` reads them.
 *
 * A path is a list of keys with dots between them; the empty path is the record itself.
 */
import type { Tier } from '../../transcript/types.js';

export interface ApiCallShape {
  readonly name: string;
  /** Paths that every record of this shape has, and no record of another shape has all of. */
  readonly has: readonly string[];
  /** The path to the body of the request. */
  readonly request?: string;
  /** The path to the body of the response. */
  readonly response?: string;
  /** What a request of this shape is billed as, unless its response states another tier. */
  readonly tier?: Tier;
  /** The paths to facts that the record states. The first path with a value is used. */
  readonly id?: readonly string[];
  readonly session?: readonly string[];
  readonly model?: readonly string[];
  readonly time?: readonly string[];
  /** In US dollars. */
  readonly cost?: readonly string[];
  /** The paths to token counts, for records without the body of the response. */
  readonly usage?: UsagePaths;
  /** The request failed if one of these paths has a value. */
  readonly error?: readonly string[];
  /** The request failed if a path has a text other than this one, or a number from 400 on. */
  readonly status?: { readonly path: string; readonly success?: string };
}

/** Paths to token counts. `prompt` includes cache reads and writes; `output` includes `reasoning`. */
export interface UsagePaths {
  readonly prompt: string;
  readonly output: string;
  readonly cacheRead?: string;
  readonly cacheWrite?: string;
  readonly reasoning?: string;
}

/** What loggers of one's own call the facts beside the bodies. */
const OWN_LOGGER = {
  session: ['session_id', 'sessionId', 'session', 'conversation_id', 'conversationId', 'thread_id', 'threadId'],
  model: ['request.model', 'request.body.model', 'model'],
  time: ['timestamp', 'time', 'created_at', 'createdAt', 'start_time', 'ts'],
  cost: ['cost', 'cost_usd'],
} as const;

/** Links as of 2026-11-22. */
export const apiCallShapes: readonly ApiCallShape[] = [
  {
    // https://platform.openai.com/docs/api-reference/batch/request-output
    name: 'OpenAI batch output',
    has: ['custom_id', 'response', 'error'],
    response: 'response.body',
    tier: 'batch',
    id: ['custom_id'],
    error: ['error', 'response.body.error'],
    status: { path: 'response.status_code' },
  },
  {
    // The same file from servers that omit `error`.
    name: 'OpenAI batch output alone',
    has: ['custom_id', 'response.body'],
    response: 'response.body',
    tier: 'batch',
    id: ['custom_id'],
    error: ['response.body.error'],
    status: { path: 'response.status_code' },
  },
  {
    // https://platform.openai.com/docs/api-reference/batch/request-input
    name: 'OpenAI batch input',
    has: ['custom_id', 'body'],
    request: 'body',
    tier: 'batch',
    id: ['custom_id'],
  },
  {
    // https://docs.anthropic.com/en/api/retrieving-message-batch-results
    name: 'Anthropic batch result',
    has: ['custom_id', 'result.type'],
    response: 'result.message',
    tier: 'batch',
    id: ['custom_id'],
    status: { path: 'result.type', success: 'succeeded' },
  },
  {
    // https://docs.anthropic.com/en/api/creating-message-batches
    name: 'Anthropic batch request',
    has: ['custom_id', 'params'],
    request: 'params',
    tier: 'batch',
    id: ['custom_id'],
  },
  {
    // https://ai.google.dev/gemini-api/docs/batch-api
    name: 'Gemini batch output',
    has: ['key', 'response.candidates'],
    response: 'response',
    tier: 'batch',
    id: ['key'],
  },
  {
    name: 'Gemini batch error',
    has: ['key', 'error.code'],
    response: 'response',
    tier: 'batch',
    id: ['key'],
    error: ['error'],
  },
  {
    // https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/batch-prediction-gemini
    name: 'Vertex AI batch output',
    has: ['status', 'processed_time', 'request', 'response'],
    request: 'request',
    response: 'response',
    tier: 'batch',
    time: ['processed_time'],
    status: { path: 'status', success: '' },
  },
  {
    // https://docs.aws.amazon.com/bedrock/latest/userguide/batch-inference-results.html
    name: 'Bedrock batch output',
    has: ['recordId', 'modelInput'],
    request: 'modelInput',
    response: 'modelOutput',
    tier: 'batch',
    id: ['recordId'],
    error: ['error'],
  },
  {
    // https://docs.aws.amazon.com/bedrock/latest/userguide/model-invocation-logging.html
    name: 'Bedrock',
    has: ['input.inputBodyJson'],
    request: 'input.inputBodyJson',
    response: 'output.outputBodyJson',
    id: ['requestId'],
    model: ['modelId'],
    time: ['timestamp'],
  },
  {
    // https://docs.litellm.ai/docs/proxy/logging_spec
    name: 'LiteLLM call log',
    has: ['call_type', 'startTime', 'response_cost'],
    request: '',
    response: 'response',
    id: ['id'],
    session: ['trace_id'],
    model: ['model'],
    time: ['startTime'],
    cost: ['response_cost'],
    usage: litellmUsage('metadata.usage_object.'),
    error: ['error_str'],
    status: { path: 'status', success: 'success' },
  },
  {
    // https://docs.litellm.ai/docs/proxy/cost_tracking
    name: 'LiteLLM spend log',
    has: ['call_type', 'startTime', 'spend'],
    request: '',
    response: 'response',
    id: ['request_id'],
    session: ['session_id'],
    model: ['model'],
    time: ['startTime'],
    cost: ['spend'],
    usage: litellmUsage('metadata.usage_object.'),
    status: { path: 'status', success: 'success' },
  },
  {
    // https://docs.helicone.ai/rest/request/post-v1requestquery
    name: 'Helicone request log',
    has: ['request_body', 'response_body', 'request_created_at'],
    request: 'request_body',
    response: 'response_body',
    id: ['request_id'],
    session: ['request_properties.Helicone-Session-Id'],
    model: ['response_model', 'request_model'],
    time: ['request_created_at'],
    cost: ['costUSD', 'cost'],
    usage: { prompt: 'prompt_tokens', output: 'completion_tokens' },
    error: ['response_body.error'],
    status: { path: 'response_status' },
  },
  {
    // https://openrouter.ai/docs/api-reference/get-a-generation
    name: 'OpenRouter generation',
    has: ['data.native_tokens_prompt', 'data.total_cost'],
    id: ['data.id'],
    model: ['data.model'],
    time: ['data.created_at'],
    cost: ['data.total_cost'],
    usage: openRouterUsage('data.'),
  },
  {
    name: 'OpenRouter generation alone',
    has: ['native_tokens_prompt', 'total_cost'],
    id: ['id'],
    model: ['model'],
    time: ['created_at'],
    cost: ['total_cost'],
    usage: openRouterUsage(''),
  },
  {
    // As proxies and recorded tests write them, with status and headers beside the bodies.
    name: 'request and response with bodies',
    has: ['request.body', 'response.body'],
    request: 'request.body',
    response: 'response.body',
    ...OWN_LOGGER,
    status: { path: 'response.status_code' },
  },
  {
    name: 'request, and response with a body',
    has: ['request', 'response.body'],
    request: 'request',
    response: 'response.body',
    ...OWN_LOGGER,
    status: { path: 'response.status_code' },
  },
  {
    name: 'request and response',
    has: ['request', 'response'],
    request: 'request',
    response: 'response',
    ...OWN_LOGGER,
    error: ['response.error'],
  },
];

/** LiteLLM repeats the usage of the response in OpenAI's terms. */
function litellmUsage(at: string): UsagePaths {
  return {
    prompt: 'prompt_tokens',
    output: 'completion_tokens',
    cacheRead: `${at}prompt_tokens_details.cached_tokens`,
    cacheWrite: `${at}cache_creation_input_tokens`,
    reasoning: `${at}completion_tokens_details.reasoning_tokens`,
  };
}

/** `native_tokens_completion` includes reasoning: https://openrouter.ai/docs/use-cases/usage-accounting */
function openRouterUsage(at: string): UsagePaths {
  return {
    prompt: `${at}native_tokens_prompt`,
    output: `${at}native_tokens_completion`,
    cacheRead: `${at}native_tokens_cached`,
    reasoning: `${at}native_tokens_reasoning`,
  };
}
