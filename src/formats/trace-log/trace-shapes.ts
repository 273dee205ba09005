/**
 * Where the records of observability platforms hold their spans, and what each span states. A path is a list of keys;
 * values on it may be JSON in strings. Links as of 2026-11-29.
 */
import { nested } from '../../json/nested.js';
import type { JsonNode } from '../../json/node.js';
import { commaSet } from '../../lists.js';

export type Path = readonly string[];

export interface TraceShape {
  readonly name: string;
  /** The lists of spans that a record may hold instead of being one. */
  readonly lists?: readonly Path[];
  /** Spans alone are read by the formats of their bodies. */
  readonly isList?: true;
  /** Every span has one of each of these. */
  readonly has: readonly (readonly Path[])[];
  /** The first path with a value is used. Spans without a trace are traces of their own. */
  readonly trace: readonly Path[];
  readonly input: Path;
  readonly output: Path;
  /** Whether a span is one request to a model; without it all are. Spans around requests repeat their messages. */
  isRequest?(span: JsonNode): boolean;
  readonly model?: readonly Path[];
  readonly time: readonly Path[];
  /** In US dollars. */
  readonly cost?: readonly Path[];
  readonly error?: readonly Path[];
  readonly tools?: readonly Path[];
  /** For spans whose output is no response of an API. */
  readonly usage: UsageShape;
}

/** The keys of token counts. */
export interface UsageShape {
  readonly at: Path;
  readonly input: string;
  readonly output: string;
  readonly cacheRead?: string;
  readonly cacheWrite?: string;
  readonly reasoning?: string;
}

/** https://github.com/mlflow/mlflow/blob/master/mlflow/entities/span.py */
const MODEL_SPANS = commaSet('LLM, CHAT_MODEL');

const MLFLOW_USAGE: UsageShape = {
  at: ['attributes', 'mlflow.chat.tokenUsage'],
  input: 'input_tokens',
  output: 'output_tokens',
  cacheRead: 'cache_read_input_tokens',
  cacheWrite: 'cache_creation_input_tokens',
};

/** The value at a path, out of all strings around it. */
export function valueAt(node: JsonNode, path: Path): JsonNode | undefined {
  return path.reduce<JsonNode | undefined>((holder, key) => {
    const value = holder?.get(key);
    return value?.isString ? nested(value).value : value;
  }, node);
}

/** The value at the first path that has one. */
export function firstAt(node: JsonNode, paths: readonly Path[] = []): JsonNode | undefined {
  return paths
    .map((path) => valueAt(node, path))
    .find((value) => value !== undefined && !value.isNull && value.string !== '');
}

/** The value at a path, with the strings around it. */
export function memberAt(node: JsonNode, path: Path): JsonNode | undefined {
  return path.reduce<JsonNode | undefined>((holder, key) => holder?.get(key), node);
}

export const TRACE_SHAPES: readonly TraceShape[] = [
  {
    // https://docs.wandb.ai/weave/guides/tracking/call-schema-reference
    // The usage in `summary` includes that of calls inside a call, so only responses tell which call is a request.
    name: 'Weave',
    has: [[['op_name']], [['inputs']], [['trace_id']]],
    trace: [['trace_id']],
    input: ['inputs'],
    output: ['output'],
    isRequest: (span) => ['usage', 'usageMetadata', 'usage_metadata'].some((key) => span.get('output')?.get(key)),
    time: [['started_at']],
    error: [['exception']],
    usage: { at: ['output', 'usage'], input: 'prompt_tokens', output: 'completion_tokens' },
  },
  {
    // https://www.braintrust.dev/docs/api-reference/logs/fetch-project-logs-post-form
    // https://github.com/braintrustdata/braintrust-sdk
    name: 'Braintrust',
    lists: [['events']],
    has: [
      [['root_span_id'], ['created']],
      [['input'], ['output']],
      [['metrics'], ['span_attributes']],
    ],
    trace: [['root_span_id']],
    input: ['input'],
    output: ['output'],
    isRequest: (span) => {
      const type = span.get('span_attributes')?.get('type')?.string;
      return type === undefined ? span.get('metrics')?.get('prompt_tokens') !== undefined : type === 'llm';
    },
    model: [['metadata', 'model']],
    time: [['metrics', 'start'], ['created']],
    cost: [['metrics', 'estimated_cost']],
    error: [['error']],
    tools: [['metadata', 'tools']],
    usage: {
      at: ['metrics'],
      input: 'prompt_tokens',
      output: 'completion_tokens',
      cacheRead: 'prompt_cached_tokens',
      cacheWrite: 'prompt_cache_creation_tokens',
      reasoning: 'completion_reasoning_tokens',
    },
  },
  {
    // https://mlflow.org/docs/latest/genai/concepts/trace/
    name: 'MLflow',
    lists: [['data', 'spans'], ['spans']],
    has: [
      [
        ['attributes', 'mlflow.spanInputs'],
        ['attributes', 'mlflow.spanOutputs'],
      ],
    ],
    trace: [['attributes', 'mlflow.traceRequestId'], ['trace_id'], ['context', 'trace_id']],
    input: ['attributes', 'mlflow.spanInputs'],
    output: ['attributes', 'mlflow.spanOutputs'],
    isRequest: (span) => MODEL_SPANS.has(valueAt(span, ['attributes', 'mlflow.spanType'])?.string ?? ''),
    model: [['attributes', 'mlflow.llm.model']],
    time: [['start_time_unix_nano'], ['start_time']],
    tools: [['attributes', 'mlflow.chat.tools']],
    usage: MLFLOW_USAGE,
  },
  {
    // https://docs.helicone.ai/rest/request/post-v1requestquery
    name: 'Helicone',
    lists: [['data']],
    isList: true,
    has: [[['request_body']], [['response_body'], ['response_status']]],
    trace: [['request_id']],
    input: ['request_body'],
    output: ['response_body'],
    model: [['response_model'], ['request_model'], ['model']],
    time: [['request_created_at']],
    cost: [['costUSD'], ['cost_usd'], ['cost']],
    usage: { at: [], input: 'prompt_tokens', output: 'completion_tokens' },
  },
];
