/** Edits of the messages, parts and JSON values that have problems; everything else keeps its bytes. */

import type { Json } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { type NodeChange, replaceWithin } from '../../json/replace.js';
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

/** Changes JSON values inside of messages, by message index: for faults in fields that belong to no part. */
export function rewireNodes(
  { transcript, wire, rewire }: RuleContext,
  changes: ReadonlyMap<number, readonly NodeChange[]>,
): Transcript {
  return mapMessages(transcript, (message, index) => {
    const own = changes.get(index) ?? [];
    const json = wire(message) ?? message.raw;
    return own.length > 0 && json instanceof JsonNode ? rewire(message, replaceWithin(json, own)) : message;
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
