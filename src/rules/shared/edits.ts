/** Edits of the messages, parts and JSON values that have problems; everything else keeps its bytes. */

import { type Json, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { listIn } from '../../lists.js';
import { mapMessages, mapParts, withMessages } from '../../transcript/edit.js';
import type { Message, Part, Transcript } from '../../transcript/types.js';
import type { Problem, RuleContext } from '../rule.js';

/** Changes each message that has one of these problems; `change` may return several messages, or none. */
export function mapProblemMessages(
  { transcript }: RuleContext,
  problems: readonly Problem[],
  change: (message: Message) => Message | readonly Message[],
): Transcript {
  const at = new Set(problems.map(({ message }) => message));
  return withMessages(
    transcript,
    transcript.messages.flatMap((message, index) => (at.has(index) ? change(message) : message)),
  );
}

/** Changes each part that has one of these problems. */
export function mapProblemParts(
  { transcript }: RuleContext,
  problems: readonly Problem[],
  change: (part: Part) => Part,
): Transcript {
  const wrong = new Set(problems.map(({ part }) => part));
  return mapMessages(transcript, (message) => mapParts(message, (part) => (wrong.has(part) ? change(part) : part)));
}

/** A new value for a JSON node; undefined removes it. */
export interface NodeChange {
  readonly node: JsonNode;
  readonly value: Json | undefined;
}

/** Changes JSON values inside of messages, by message index: for faults in fields that belong to no part. */
export function rewireNodes(
  { transcript, wire, rewire }: RuleContext,
  changes: ReadonlyMap<number, readonly NodeChange[]>,
): Transcript {
  return mapMessages(transcript, (message, index) => {
    const own = changes.get(index) ?? [];
    const json = wire(message) ?? message.raw;
    return own.length > 0 && json instanceof JsonNode ? rewire(message, replaceIn(json, own)) : message;
  });
}

/** Changes the node of each problem to what `valueFor` returns. */
export function rewireProblems(
  context: RuleContext,
  problems: readonly Problem[],
  valueFor: (node: JsonNode, problem: Problem) => Json | undefined,
): Transcript {
  const changes = new Map<number, NodeChange[]>();
  for (const problem of problems) {
    const { message, node } = problem;
    if (message !== undefined && node !== undefined)
      listIn(changes, message).push({ node, value: valueFor(node, problem) });
  }
  return rewireNodes(context, changes);
}

/** Changes values inside `root`, which must not overlap. All other values keep their bytes. */
export function replaceIn(root: JsonNode, changes: readonly NodeChange[]): Json {
  const inside = changes.filter(
    ({ node }) => node.source === root.source && node.start >= root.start && node.end <= root.end,
  );
  // the first of several changes wins
  const changeAt = new Map(inside.toReversed().map((change) => [change.node.at, change]));
  const starts = inside.map(({ node }) => node.start).sort((a, b) => a - b);
  return replaced(root, changeAt, starts);
}

/** `starts`: the sorted start offsets of the changes. */
function replaced(root: JsonNode, changeAt: ReadonlyMap<number, NodeChange>, starts: readonly number[]): Json {
  let [low, high] = [0, starts.length]; // binary search for the first change in `root`
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! < root.start) low = middle + 1;
    else high = middle;
  }
  if (low === starts.length || starts[low]! >= root.end) return root;
  const written = (child: JsonNode): Json | undefined => {
    const change = changeAt.get(child.at);
    return change === undefined ? replaced(child, changeAt, starts) : change.value;
  };
  if (root.isArray)
    return patchItems(
      root,
      root
        .items()
        .map(written)
        .filter((item) => item !== undefined),
    );
  return patch(root, Object.fromEntries(root.members().map(({ key, value }) => [key.text, written(value)])));
}
