/** A message that holds several requests of the model, with the results between them. */
import type { Part } from '../../transcript/types.js';

/** A result ends a round of the model, unless another result follows. */
export function roundsByResults(parts: readonly Part[]): readonly (readonly Part[])[] {
  const rounds: Part[][] = [[]];
  parts.forEach((part, index) => {
    if (part.type !== 'result' && parts[index - 1]?.type === 'result') rounds.push([]);
    rounds.at(-1)!.push(part);
  });
  return rounds;
}
