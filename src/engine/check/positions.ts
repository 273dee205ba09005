/** Where a problem is in its file: the position of the most exact JSON value that is known. */
import { JsonNode } from '../../json/node.js';
import type { Problem } from '../../rules/rule.js';
import type { Position, Positions } from '../../source/position.js';
import type { Message, Transcript } from '../../transcript/types.js';

/** The position of the value, else of the part, else of the message. */
export function positionOfProblem(
  { node, part, message }: Problem,
  positions: Positions,
  ofMessage: (index: number) => Position | undefined,
): Position | undefined {
  return firstPosition([node, part?.raw], positions) ?? (message === undefined ? undefined : ofMessage(message));
}

/** Finds the position of a message, or of the nearest message before it that has one. */
export function messagePositions(
  messages: readonly Message[],
  positions: Positions,
): (index: number) => Position | undefined {
  const found = new Map<number, Position | undefined>();
  return (index) => {
    let at = index;
    let position: Position | undefined;
    for (; at >= 0 && position === undefined && !found.has(at); at--)
      position = firstPosition([messages[at]?.raw, messages[at]?.origin], positions);
    position ??= found.get(at);
    for (let passed = at + 1; passed <= index; passed++) if (!found.has(passed)) found.set(passed, position);
    return position;
  };
}

function firstPosition(values: readonly unknown[], positions: Positions): Position | undefined {
  for (const value of values) {
    const position = value instanceof JsonNode ? positions(value) : undefined;
    if (position !== undefined) return position;
  }
  return undefined;
}

/** Longest excerpt, in bytes. */
const EXCERPT_BYTES = 400;

/** The beginning of the JSON that has the problem, on one line. */
export function excerptOf({ node, part, message }: Problem, { messages }: Transcript): string | undefined {
  const value = [node, part?.raw, message === undefined ? undefined : messages[message]?.raw].find(
    (candidate) => candidate instanceof JsonNode,
  );
  if (value === undefined) return undefined;
  const { source, start, end } = value as JsonNode;
  return source.bytes.utf8Slice(start, Math.min(end, start + EXCERPT_BYTES)).replace(/\s+/g, ' ');
}
