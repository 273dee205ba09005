/** Trajectories of sessions that their agents keep in databases. */
import type { Json, JsonFields } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';

export interface Step {
  readonly isUser: boolean;
  /** It is sent in place of all steps before it. */
  readonly isSummary?: boolean;
  /** Milliseconds since 1970. */
  readonly time?: number | undefined;
  readonly model?: string | undefined;
  readonly text: string;
  readonly thinking?: string;
  readonly calls?: readonly Call[];
  readonly metrics?: JsonFields | undefined;
  /** What the agent kept that is none of these: in the document, so that it is counted as unread. */
  readonly unread?: readonly JsonNode[];
}

interface Call {
  readonly id: string;
  readonly tool: string;
  readonly input: Json | undefined;
  readonly result?: string | undefined;
}

/** One that belongs to no step. */
export interface Request {
  readonly time: number | undefined;
  readonly model: string | undefined;
  readonly metrics: JsonFields;
}

interface Session {
  readonly id: string;
  readonly agent: string;
  readonly model: string | undefined;
  readonly time: number | undefined;
  readonly steps: readonly Step[];
  readonly requests?: readonly Request[];
  readonly totals: JsonFields;
}

/** A session of which no message is kept has an empty step, for its totals. */
export function trajectory({ id, agent, model, time, steps, requests = [], totals }: Session): Json {
  const listed: readonly Step[] = steps.length > 0 ? steps : [{ isUser: false, time, text: '' }];
  return {
    schema_version: 'ATIF-v1.7',
    session_id: id,
    agent: { name: agent, version: 'unknown', model_name: model },
    steps: listed.map(stepOf),
    final_metrics: totals,
    extra: requests.length === 0 ? undefined : { requests: requests.map(requestOf) },
  };
}

function requestOf({ time, model, metrics }: Request): Json {
  return { timestamp: timestampOf(time), model_name: model, metrics };
}

function timestampOf(time: number | undefined): string | undefined {
  return time === undefined || Number.isNaN(new Date(time).getTime()) ? undefined : new Date(time).toISOString();
}

function stepOf(step: Step, index: number): Json {
  const { isUser, isSummary, time, model, text, thinking, calls = [], metrics, unread = [] } = step;
  const results = calls.flatMap(({ id, result }) =>
    result === undefined ? [] : [{ source_call_id: id, content: result }],
  );
  return {
    step_id: index + 1,
    timestamp: timestampOf(time),
    source: isUser ? 'user' : 'agent',
    model_name: model,
    message: text,
    reasoning_content: thinking || undefined,
    tool_calls: calls.length === 0 ? undefined : calls.map(callOf),
    observation: results.length === 0 ? undefined : { results },
    metrics,
    extra:
      unread.length === 0 && !isSummary
        ? undefined
        : { unread: unread.length === 0 ? undefined : unread, compaction: isSummary },
  };
}

function callOf({ id, tool, input }: Call): Json {
  return { tool_call_id: id, function_name: tool, arguments: input ?? {} };
}
