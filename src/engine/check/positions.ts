/** Where a problem is in its file: the position of the most exact JSON value that is known. */
import { JsonNode } from '../../json/node.js';
import type { Problem } from '../../rules/rule.js';
import type { Position, Positions } from '../../source/position.js';
import type { Message, Transcript } from '../../transcript/types.js';

/** The position of the value, else of the part, else of the message or the nearest message before it. */
export function positionOfProblem(
  { node, part, message }: Problem,
  { messages }: Transcript,
  positions: Positions,
): Position | undefined {
  for (const value of [node, part?.raw]) {
    const position = value instanceof JsonNode ? positions(value) : undefined;
    if (position !== undefined) return position;
  }
  return message === undefined ? undefined : positionOfMessage(messages, message, positions);
}

export function positionOfMessage(
  messages: readonly Message[],
  index: number,
  positions: Positions,
): Position | undefined {
  for (let at = index; at >= 0; at--) {
    for (const value of [messages[at]?.raw, messages[at]?.origin]) {
      const position = value instanceof JsonNode ? positions(value) : undefined;
      if (position !== undefined) return position;
    }
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
