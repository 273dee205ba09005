/** ATIF trajectories and those of their subagents, which are nested in them. */
import { type Json, patch, patchItems } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import type { Envelope } from '../format.js';

/** The steps of a trajectory and of all trajectories nested in it, depth first. */
export const trajectoryEnvelope: Envelope = {
  open: (trajectory) =>
    isTrajectory(trajectory) ? trajectories(trajectory).map((each) => each.get('steps')!) : undefined,
  close(trajectory, lists) {
    const [first, ...rest] = lists as [Json, ...Json[]];
    return withSteps(trajectory, first, rest);
  },
};

function isTrajectory(record: JsonNode): boolean {
  return record.get('steps')?.isArray === true && (record.get('schema_version') ?? record.get('agent')) !== undefined;
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
    ...(list === undefined ? {} : { subagent_trajectories: patchItems(list, others!) }),
  });
}
