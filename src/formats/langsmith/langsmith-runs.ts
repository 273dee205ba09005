/** The runs in records of LangSmith: where they stand, what they hold, and what they record of their request. */
import type { JsonNode } from '../../json/node.js';
import { listIn } from '../../lists.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import { langchainUsage, recordedIn as recordedInMessage } from '../langchain/langchain-usage.js';
import { anthropicBilling, openaiBilling } from '../shared/billing.js';
import { findMessages } from '../shared/conversation.js';
import {
  anthropicUsage,
  chatUsage,
  costText,
  recordedOf,
  responsesUsage,
  timeOf,
  usageFromTotals,
} from '../shared/recorded.js';
import type { Run } from '../shared/run-bundle.js';

/** Members of a batch that list runs. */
const BATCH_KEYS = ['post', 'patch'];

export function runsIn(records: readonly JsonNode[]): Run[] {
  const byId = new Map<string, JsonNode[]>();
  for (const node of records.flatMap(runNodesIn)) listIn(byId, idOf(node) ?? `#${byId.size}`).push(node);
  return [...byId.values()].map(runOf);
}

function runNodesIn(record: JsonNode): JsonNode[] {
  const own = isBatch(record) ? BATCH_KEYS.flatMap((key) => record.get(key)?.items() ?? []) : [record].filter(isRun);
  return own.flatMap(withChildren);
}

function isBatch(record: JsonNode): boolean {
  const runs = BATCH_KEYS.flatMap((key) => record.get(key)?.items() ?? []);
  return runs.length > 0 && runs.every((run) => ['dotted_order', 'trace_id', 'run_type'].some((key) => run.get(key)));
}

function isRun(record: JsonNode): boolean {
  const hasLink = ['dotted_order', 'trace_id', 'session_name'].some((key) => record.get(key) !== undefined);
  return hasLink && record.get('run_type')?.isString === true && record.get('inputs')?.isObject === true;
}

/** Runs of LangSmith's JavaScript SDK may hold those inside them. */
function withChildren(run: JsonNode): JsonNode[] {
  return [run, ...(run.get('child_runs')?.items() ?? []).flatMap(withChildren)];
}

/** A patch of LangSmith's JavaScript SDK has no id, but a place in its trace that ends with it. */
function idOf(run: JsonNode): string | undefined {
  return run.get('id')?.string ?? /Z([^.Z]+)$/.exec(run.get('dotted_order')?.string ?? '')?.[1];
}

/** A run: what was posted when it began, and patched when it ended. */
function runOf(nodes: readonly JsonNode[]): Run {
  const stated = (key: string) => nodes.map((node) => node.get(key)).findLast((value) => value && !isNothing(value));
  const isRequest = stated('run_type')?.string === 'llm';
  const [input, output] = [stated('inputs'), stated('outputs')];
  return {
    trace: stated('trace_id')?.string ?? stated('dotted_order')?.string?.split('.')[0] ?? idOf(nodes[0]!) ?? '',
    nodes,
    input,
    output,
    exchange: {
      input: findMessages(input, 'user'),
      output: findMessages(output, 'assistant'),
      isRequest,
      request: isRequest ? recordedIn(stated, input, output) : undefined,
    },
  };
}

function isNothing(value: JsonNode): boolean {
  return value.isNull || (value.isObject && value.members().length === 0);
}

/** https://docs.langchain.com/langsmith/log-llm-trace as of 2026-11-24. */
function recordedIn(
  stated: (key: string) => JsonNode | undefined,
  input: JsonNode | undefined,
  output: JsonNode | undefined,
): Recorded | undefined {
  const extra = stated('extra');
  const reply = output?.get('generations')?.items()[0]?.items()[0]?.get('message');
  const fields = reply?.get('kwargs') ?? reply;
  const message = fields && recordedInMessage(fields);
  const usage = usageIn(output) ?? message?.usage ?? totalsOf(stated);
  const error = stated('error');
  return recordedOf({
    responseId: output?.get('id')?.string ?? message?.responseId,
    model: output?.get('model')?.string ?? message?.model ?? modelIn(extra) ?? input?.get('model')?.string ?? undefined,
    time: timeOf(stated('start_time')),
    usage,
    cost: usage === undefined ? undefined : costText(stated('total_cost')),
    billing: openaiBilling(output) ?? anthropicBilling(output?.get('usage')),
    failed: error !== undefined && usage === undefined ? true : undefined,
  });
}

function usageIn(output: JsonNode | undefined): Usage | undefined {
  const usage = output?.get('usage');
  return (
    langchainUsage(output?.get('usage_metadata')) ??
    chatUsage(usage) ??
    chatUsage(output?.get('llm_output')?.get('token_usage') ?? output?.get('llm_output')?.get('tokenUsage')) ??
    (output?.get('object')?.string === 'response' ? responsesUsage(usage) : anthropicUsage(usage))
  );
}

/** What the API adds to a run. */
function totalsOf(stated: (key: string) => JsonNode | undefined): Usage | undefined {
  return usageFromTotals(stated('prompt_tokens')?.number, stated('completion_tokens')?.number, {});
}

export function modelIn(extra: JsonNode | undefined): string | undefined {
  const parameters = extra?.get('invocation_params');
  return [extra?.get('metadata')?.get('ls_model_name'), parameters?.get('model'), parameters?.get('model_name')].find(
    (name) => name?.isString && name.byteLength > 0,
  )?.text;
}
