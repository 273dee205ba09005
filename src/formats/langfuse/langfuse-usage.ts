/** What Langfuse observations record about their requests: model, time, usage and cost. */

import type { JsonNode } from '../../json/node.js';
import { greatest } from '../../lists.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import { withMedia } from '../shared/media-tokens.js';
import { isCount, costText as parseCost, recordedOf, timeOf, usageOf } from '../shared/recorded.js';

/** The model of an observation. */
export function modelOf(observation: JsonNode | undefined): string | undefined {
  return observation?.get('model')?.string;
}

/** What an observation records about its request. */
export function recordedIn(observation: JsonNode): Recorded | undefined {
  const usage = langfuseUsage(observation.get('usageDetails')) ?? langfuseUsage(observation.get('usage'));
  const cost =
    observation.get('costDetails')?.get('total') ??
    observation.get('calculatedTotalCost') ??
    observation.get('totalCost');
  return recordedOf({
    responseId: observation.get('id')?.string,
    model: modelOf(observation),
    time: timeOf(observation.get('startTime')),
    usage,
    cost: usage === undefined && cost?.number === 0 ? undefined : parseCost(cost),
    failed: observation.get('level')?.string === 'ERROR' ? true : undefined,
  });
}

/** The cost that a trace of the API states for all of its observations. */
export function totalOf(trace: JsonNode): readonly Recorded[] | undefined {
  const runningCost = parseCost(trace.get('totalCost'));
  return runningCost === undefined ? undefined : [{ runningCost }];
}

const CACHE_READ = /^(?:input_)?(?:cached_tokens|cache_read(?:_tokens)?|cache_read_input_tokens)$/;
const CACHE_WRITE = /^(?:input_)?cache_(?:creation|write)/;
/** The same writes by lifetime, as LangChain names them; the sum beside them can be 0. */
const LIFETIMES = /^(?:input_)?ephemeral_(?:5m|1h)_input_tokens$/;

/**
 * Usage by type. Integrations choose the names; those that begin with `input` or `output` count as input or output.
 * Types do not overlap (`input` excludes cached tokens), unless `total` shows that `input` and `output` include the
 * details, as in older integrations.
 * https://langfuse.com/docs/observability/features/token-and-cost-tracking
 */
export function langfuseUsage(details: JsonNode | undefined): Usage | undefined {
  const counts =
    details
      ?.members()
      .flatMap(({ key, value }) => (isCount(value.number) ? [{ type: key.text, count: value.number }] : [])) ?? [];
  const sum = (fits: (type: string) => boolean) =>
    counts.reduce((total, { type, count }) => (fits(type) ? total + count : total), 0);
  const isCache = (type: string) => CACHE_READ.test(type) || CACHE_WRITE.test(type) || LIFETIMES.test(type);
  if (!counts.some(({ type }) => /^(?:input|output|prompt|completion)/.test(type))) return undefined;
  const input = sum((type) => type === 'input' || type === 'input_tokens' || type === 'prompt_tokens');
  const output = sum((type) => type === 'output' || type === 'output_tokens' || type === 'completion_tokens');
  const cacheRead = sum((type) => CACHE_READ.test(type));
  const greater = (fits: (type: string) => boolean) =>
    greatest([CACHE_WRITE, LIFETIMES].map((names) => sum((type) => names.test(type) && fits(type))));
  const cacheWrite1h = greater((type) => type.includes('1h'));
  const cacheWrite5m = greater(() => true) - cacheWrite1h;
  const moreInput = sum((type) => /^input_(?!tokens$)/.test(type) && !isCache(type));
  const moreOutput = sum((type) => /^output_(?!tokens$)/.test(type));
  const reasoning = sum((type) => /^output_reasoning/.test(type));
  const total = sum((type) => type === 'total' || type === 'total_tokens');
  const includesDetails = total > 0 && input + output === total;
  const usage = usageOf({
    input: includesDetails ? Math.max(0, input - cacheRead - cacheWrite5m - cacheWrite1h) : input + moreInput,
    cacheRead,
    cacheWrite5m,
    cacheWrite1h,
    output: includesDetails ? output : output + moreOutput,
    reasoning,
  });
  const sent = sum((type) => /^input_audio/.test(type));
  const generated = sum((type) => /^output_audio/.test(type));
  return sent + generated === 0
    ? usage
    : withMedia(usage, (name) => (name === 'Audio' ? [sent, undefined, generated] : [0, 0, 0]));
}
