/** The parts that a format keeps as they are. Most messages have none, and then nothing has to know their shapes. */
import type { Message, OpaquePart, Part } from '../../transcript/types.js';

export function opaqueIn(messages: readonly Message[]): readonly OpaquePart[] {
  const found: OpaquePart[] = [];
  const look = (part: Part) => {
    if (part.type === 'opaque' && (part.text === undefined || part.text === part.raw)) found.push(part);
  };
  for (const { parts } of messages)
    for (const part of parts)
      if (part.type !== 'result') look(part);
      else for (const piece of part.content) look(piece);
  return found;
}
