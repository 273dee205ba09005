/**
 * Records of one request to an API, with its response: batch files, logs of gateways, responses alone. Each shape says
 * where a record holds the bodies, and what it states beside them. `api-calls.ts` reads them.
 *
 * A path is a list of keys with dots between them; the empty path is the record itself.
 */
import type { Tier } from '../../transcript/types.js';

export interface ApiCallShape {
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
  /** `prompt` excludes cache reads and writes. */
  readonly isUncached?: true;
}

/** What loggers of one's own call the facts beside the bodies. */
const OWN_LOGGER = {
  session: ['session_id', 'sessionId', 'session', 'conversation_id', 'conversationId', 'thread_id', 'threadId'],
  model: ['request.model', 'request.body.model', 'model'],
  time: ['timestamp', 'time', 'created_at', 'createdAt', 'start_time', 'ts'],
  cost: ['cost', 'cost_usd'],
} as const;

/**
 * Bodies that were streamed are lists of events, and long ones are stored elsewhere: then there are only the counts.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-invocation-logging.html
 */
const BEDROCK_LOG = {
  error: ['errorCode'],
  response: 'output.outputBodyJson',
  id: ['requestId'],
  model: ['modelId'],
  time: ['timestamp'],
  usage: {
    prompt: 'input.inputTokenCount',
    output: 'output.outputTokenCount',
    cacheRead: 'input.cacheReadInputTokenCount',
    cacheWrite: 'input.cacheWriteInputTokenCount',
    isUncached: true,
  },
} as const;

/** Links as of 2026-11-22. */
export const apiCallShapes: readonly ApiCallShape[] = [
  {
    // OpenAI batch output: https://platform.openai.com/docs/api-reference/batch/request-output
    has: ['custom_id', 'response', 'error'],
    response: 'response.body',
    tier: 'batch',
    id: ['custom_id'],
    error: ['error', 'response.body.error'],
    status: { path: 'response.status_code' },
  },
  {
    // OpenAI batch output of servers that omit `error`
    has: ['custom_id', 'response.body'],
    response: 'response.body',
    tier: 'batch',
    id: ['custom_id'],
    error: ['response.body.error'],
    status: { path: 'response.status_code' },
  },
  {
    // OpenAI batch input: https://platform.openai.com/docs/api-reference/batch/request-input
    has: ['custom_id', 'body'],
    request: 'body',
    tier: 'batch',
    id: ['custom_id'],
  },
  {
    // Anthropic batch result: https://docs.anthropic.com/en/api/retrieving-message-batch-results
    has: ['custom_id', 'result.type'],
    response: 'result.message',
    tier: 'batch',
    id: ['custom_id'],
    status: { path: 'result.type', success: 'succeeded' },
  },
  {
    // Anthropic batch request: https://docs.anthropic.com/en/api/creating-message-batches
    has: ['custom_id', 'params'],
    request: 'params',
    tier: 'batch',
    id: ['custom_id'],
  },
  {
    // Gemini batch output: https://ai.google.dev/gemini-api/docs/batch-api
    has: ['key', 'response.candidates'],
    response: 'response',
    tier: 'batch',
    id: ['key'],
  },
  {
    // Gemini batch error
    has: ['key', 'error.code'],
    response: 'response',
    tier: 'batch',
    id: ['key'],
    error: ['error'],
  },
  {
    // Vertex AI batch output: https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/batch-prediction-gemini
    has: ['status', 'processed_time', 'request', 'response'],
    request: 'request',
    response: 'response',
    tier: 'batch',
    time: ['processed_time'],
    status: { path: 'status', success: '' },
  },
  {
    // Bedrock batch output: https://docs.aws.amazon.com/bedrock/latest/userguide/batch-inference-results.html
    has: ['recordId', 'modelInput'],
    request: 'modelInput',
    response: 'modelOutput',
    tier: 'batch',
    id: ['recordId'],
    error: ['error'],
  },
  { ...BEDROCK_LOG, has: ['input.inputBodyJson'], request: 'input.inputBodyJson' },
  { ...BEDROCK_LOG, has: ['schemaType', 'input.inputTokenCount'] }, // the body of the request is stored elsewhere
  {
    // LiteLLM call log: https://docs.litellm.ai/docs/proxy/logging_spec
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
    // LiteLLM spend log: https://docs.litellm.ai/docs/proxy/cost_tracking
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
    // Helicone request log: https://docs.helicone.ai/rest/request/post-v1requestquery
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
    // OpenRouter generation: https://openrouter.ai/docs/api-reference/get-a-generation
    has: ['data.native_tokens_prompt', 'data.total_cost'],
    id: ['data.id'],
    model: ['data.model'],
    time: ['data.created_at'],
    cost: ['data.total_cost'],
    usage: openRouterUsage('data.'),
  },
  {
    // OpenRouter generation without its envelope
    has: ['native_tokens_prompt', 'total_cost'],
    id: ['id'],
    model: ['model'],
    time: ['created_at'],
    cost: ['total_cost'],
    usage: openRouterUsage(''),
  },
  {
    // A request and a response as proxies and recorded tests write them, with status and headers beside the bodies
    has: ['request.body', 'response.body'],
    request: 'request.body',
    response: 'response.body',
    ...OWN_LOGGER,
    status: { path: 'response.status_code' },
  },
  {
    // A request, and a response with its body in a member
    has: ['request', 'response.body'],
    request: 'request',
    response: 'response.body',
    ...OWN_LOGGER,
    status: { path: 'response.status_code' },
  },
  {
    // A request and a response
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
