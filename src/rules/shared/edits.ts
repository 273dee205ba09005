/** Messages, parts and JSON values mended where problems were found: others stay as they are. */

import { type Json, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { listIn } from '../../lists.js';
import { mapMessages, mapParts, withMessages } from '../../transcript/edit.js';
import type { Message, Part, Transcript } from '../../transcript/types.js';
import type { Problem, RuleContext } from '../rule.js';

/** The transcript with each message that has one of these problems changed; several may come in its place, or none. */
export function withMessagesMended(
  { transcript }: RuleContext,
  problems: readonly Problem[],
  mend: (message: Message) => Message | readonly Message[],
): Transcript {
  const at = new Set(problems.map(({ message }) => message));
  return withMessages(
    transcript,
    transcript.messages.flatMap((message, index) => (at.has(index) ? mend(message) : message)),
  );
}

/** The transcript with each part that has one of these problems changed. */
export function withPartsMended(
  { transcript }: RuleContext,
  problems: readonly Problem[],
  mend: (part: Part) => Part,
): Transcript {
  const wrong = new Set(problems.map(({ part }) => part));
  return mapMessages(transcript, (message) => mapParts(message, (part) => (wrong.has(part) ? mend(part) : part)));
}

/** What becomes of a value; undefined: it goes. */
export interface NodeChange {
  readonly node: JsonNode;
  readonly value: Json | undefined;
}

/** Faults in fields that no part stands for are mended in the JSON itself: the transcript with values inside of its messages changed, by the index of the message. */
export function rewireNodes(
  { transcript, wire, rewire }: RuleContext,
  changes: ReadonlyMap<number, readonly NodeChange[]>,
): Transcript {
  return mapMessages(transcript, (message, index) => {
    const wanted = changes.get(index) ?? [];
    const json = wire(message) ?? message.raw;
    return wanted.length > 0 && json instanceof JsonNode ? rewire(message, replaceIn(json, wanted)) : message;
  });
}

/** The same, with the value of each problem's node told by the problem. */
export function rewireProblems(
  subject: RuleContext,
  problems: readonly Problem[],
  valueFor: (node: JsonNode, problem: Problem) => Json | undefined,
): Transcript {
  const changes = new Map<number, NodeChange[]>();
  for (const problem of problems) {
    const { message, node } = problem;
    if (message !== undefined && node !== undefined)
      listIn(changes, message).push({ node, value: valueFor(node, problem) });
  }
  return rewireNodes(subject, changes);
}

/** A value with some of those inside it (disjoint) changed. All others keep their bytes. */
export function replaceIn(root: JsonNode, changes: readonly NodeChange[]): Json {
  const inside = changes.filter(
    ({ node }) => node.source === root.source && node.start >= root.start && node.end <= root.end,
  );
  const changeAt = new Map(inside.toReversed().map((change) => [change.node.at, change])); // of several, the first
  const starts = inside.map(({ node }) => node.start).sort((a, b) => a - b);
  return replaced(root, changeAt, starts);
}

/** `starts`: where the changes begin, in order. */
function replaced(root: JsonNode, changeAt: ReadonlyMap<number, NodeChange>, starts: readonly number[]): Json {
  let [low, high] = [0, starts.length]; // the first change that begins in the value is looked for by halves
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
