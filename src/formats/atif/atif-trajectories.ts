/** ATIF trajectories and those of their subagents, which are nested in them. */
import { ArrayEdit, type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import type { Envelope } from '../format.js';
import { costField, sumOfCosts, timeOf, tokens, usageFromTotals } from '../shared/recorded.js';

/** The steps of a trajectory and of all trajectories nested in it, depth first. */
export const trajectoryEnvelope: Envelope = {
  holders: ['steps'],
  open: (trajectory) =>
    isTrajectory(trajectory) ? trajectories(trajectory).map((each) => each.get('steps')!) : undefined,
  describe(_, record, index) {
    const trajectory = trajectories(record)[index]!;
    const requests = trajectory.get('extra')?.get('requests')?.items().map(requestIn) ?? [];
    const total = totalOf(trajectory, requests.length > 0);
    const others = total === undefined ? requests : [...requests, total];
    return others.length === 0 ? {} : { others };
  },
  close(trajectory, lists) {
    const [first, ...rest] = lists as [Json, ...Json[]];
    return withSteps(trajectory, first, rest);
  },
};

function isTrajectory(record: JsonNode): boolean {
  return record.get('steps')?.isArray === true && (record.get('schema_version') ?? record.get('agent')) !== undefined;
}

/** A request that no step states: of a compaction, or of an agent that keeps them in a list of their own. */
function requestIn(request: JsonNode): Recorded {
  const metrics = request.get('metrics');
  return {
    model: request.get('model_name')?.string,
    time: timeOf(request.get('timestamp')),
    usage: readUsage(metrics),
    cost: costField(metrics, 'cost_usd'),
  };
}

/** `prompt_tokens` is the whole prompt. The format has no figure for cache writes: the provider's own is in `extra`. */
export function readUsage(metrics: JsonNode | undefined): Usage | undefined {
  const extra = metrics?.get('extra');
  return usageFromTotals(tokens(metrics, 'prompt_tokens'), tokens(metrics, 'completion_tokens'), {
    cacheRead: tokens(metrics, 'cached_tokens'),
    cacheWrite5m: writtenIn(extra),
    reasoning: tokens(extra, 'reasoning_tokens') ?? tokens(extra, 'reasoning_output_tokens'),
  });
}

function writtenIn(extra: JsonNode | undefined): number | undefined {
  return tokens(extra, 'cache_creation_input_tokens') ?? tokens(extra, 'cache_write_tokens');
}

/**
 * The totals that a trajectory states, with the number of its own requests unless they are listed.
 * https://github.com/laude-institute/harbor/blob/main/docs/rfcs/0001-trajectory-format.md
 */
function totalOf(trajectory: JsonNode, areListed: boolean): Recorded | undefined {
  const metrics = trajectory.get('final_metrics');
  const running = usageFromTotals(tokens(metrics, 'total_prompt_tokens'), tokens(metrics, 'total_completion_tokens'), {
    cacheRead: tokens(metrics, 'total_cached_tokens'),
    cacheWrite5m: writtenIn(metrics?.get('extra')),
  });
  const runningCost = ownCost(trajectory);
  if (running === undefined && runningCost === undefined) return undefined;
  const own = trajectory
    .get('steps')!
    .items()
    .filter((step) => step.get('source')?.string === 'agent' && step.get('is_copied_context')?.boolean !== true);
  const time = timeOf(own.at(-1)?.get('timestamp'));
  if (areListed) return { model: trajectory.get('agent')?.get('model_name')?.string, time, running, runningCost };
  return { time, running, runningCost, runningRequests: own.length || undefined };
}

/**
 * The cost of a trajectory without its nested ones: the stated total has "cost for subagents, if any". A smaller total
 * than theirs cannot have it.
 * https://github.com/laude-institute/harbor/blob/main/src/harbor/models/trajectories/final_metrics.py
 */
function ownCost(trajectory: JsonNode): string | undefined {
  const [total, nested] = [statedCost(trajectory), nestedCost(trajectory, 0)];
  if (total === undefined || nested === undefined) return total;
  const own = sumOfCosts([total, `-${nested}`])!;
  return own.startsWith('-') ? total : own;
}

function statedCost(trajectory: JsonNode): string | undefined {
  return costField(trajectory.get('final_metrics'), 'total_cost_usd');
}

function nestedCost(trajectory: JsonNode, level: number): string | undefined {
  return sumOfCosts(subagents(trajectory, level).map((each) => statedCost(each) ?? nestedCost(each, level + 1)));
}

function trajectories(trajectory: JsonNode, level = 0): JsonNode[] {
  return [trajectory, ...subagents(trajectory, level).flatMap((subagent) => trajectories(subagent, level + 1))];
}

/** Nested subagents are read up to this depth. */
const DEEPEST = 50;

function subagents(trajectory: JsonNode, level: number): JsonNode[] {
  if (level >= DEEPEST) return [];
  return trajectory.get('subagent_trajectories')?.items().filter(isTrajectory) ?? [];
}

/** A trajectory with other steps; `ofSubagents` are the steps of the nested ones, in the order of `trajectories`. */
function withSteps(trajectory: JsonNode, steps: Json, ofSubagents: readonly Json[], level = 0): Json {
  let at = 0;
  const written = new Map(
    subagents(trajectory, level).map((subagent) => {
      const count = trajectories(subagent, level + 1).length;
      const [first, ...rest] = ofSubagents.slice(at, at + count) as [Json, ...Json[]];
      at += count;
      return [subagent.at, withSteps(subagent, first, rest, level + 1)];
    }),
  );
  const list = trajectory.get('subagent_trajectories');
  const others = list?.items().map((item) => written.get(item.at) ?? item);
  return patch(trajectory, {
    steps,
    ...stepCount(trajectory, steps),
    ...(list === undefined ? {} : { subagent_trajectories: patchItems(list, others!) }),
  });
}

/** "Total number of steps", where it was that of the list. What was used stays as it is. */
function stepCount(trajectory: JsonNode, steps: Json): JsonFields {
  const metrics = trajectory.get('final_metrics');
  const [stated, before, now] = [metrics?.get('total_steps'), lengthOf(trajectory.get('steps')!), lengthOf(steps)];
  return stated?.number !== before || now === before ? {} : { final_metrics: patch(metrics!, { total_steps: now }) };
}

function lengthOf(list: Json): number {
  if (list instanceof JsonNode) return list.items().length;
  return (list instanceof ArrayEdit ? list.items : (list as readonly Json[])).length;
}
