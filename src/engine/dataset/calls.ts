/** Whether the calls of a row are valid against its own tools. */
import { definedTools } from '../../rules/shared/own-tools.js';
import type { Transcript } from '../../transcript/types.js';
import type { RowMessage } from './row.js';

export interface CallFault {
  readonly reason: 'bad-arguments' | 'unknown-tool' | 'refused-arguments';
  readonly detail: string;
}

/** `unchecked`: there are calls, and no definitions to compare them with. */
export function faultInCalls(
  messages: readonly RowMessage[],
  transcript: Transcript,
): CallFault | 'unchecked' | undefined {
  const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []);
  if (calls.length === 0) return undefined;
  const defined = definedTools(transcript);
  for (const { function: called } of calls) {
    const given = parsed(called.arguments);
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      return { reason: 'bad-arguments', detail: `${called.name}: not a JSON object` };
    if (defined !== undefined && !defined.isOpen && !defined.names.has(called.name))
      return { reason: 'unknown-tool', detail: called.name };
    const wrong = defined?.refuses(called.name, given);
    if (wrong !== undefined) return { reason: 'refused-arguments', detail: `${called.name}: ${wrong}` };
  }
  return defined === undefined ? 'unchecked' : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
