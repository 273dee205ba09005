/** Says that steps with a limit go without what an agent sends beside messages: replayed requests hold no records. */
import type { Recorded } from '../../../engine/simulate/simulate.js';
import { attachedIn } from '../../../formats/attachments.js';
import { tokensText } from '../../../text/words.js';
import type { Step } from '../../../transforms/pipeline.js';
import { say } from '../../inputs/reading.js';
import type { Terminal } from '../../terminal/terminal.js';

const LIMITED = new Set(['fit', 'clear', 'clear_tool_uses_20250919', 'truncation_auto']);

export function sayAttached(recorded: readonly Recorded[], steps: readonly Step[], terminal: Terminal): void {
  const names = new Set(steps.flatMap((step) => (isLimited(step) ? [step.transform.id as string] : [])));
  if (names.size === 0) return;
  let tokens = 0;
  for (const { transcript, counting } of recorded)
    for (const { texts, isKnown } of attachedIn(transcript).values())
      if (isKnown) for (const text of texts) tokens += counting.text(text);
  if (tokens === 0) return;
  const isExact = recorded.every(({ counting }) => counting.source === 'exact');
  const count = tokensText(tokens, isExact ? 'exact' : 'estimated');
  const which = `the limits of ${[...names].join(' and ')} do not count attachments in a simulation`;
  say(terminal, `ctx-trim: warning: ${which}: ${count} tokens in the recordings`);
}

/** Any request has more tokens than a trigger of none. */
function isLimited({ transform, values }: Step): boolean {
  return LIMITED.has(transform.id as string) && values['trigger'] !== 0;
}
