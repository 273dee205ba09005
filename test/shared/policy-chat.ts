/** Conversations for policies, in a few characters. */
import { open } from '../../src/source/recording.js';

/**
 * A turn: what the user says, then steps. A step is the calls of one message, `a{"x":1}=result + b`; a result that
 * begins with `!` is an error.
 */
export type Turns = readonly (readonly string[])[];

export function chat(turns: Turns, answer?: string) {
  let id = 0;
  const messages = turns.flatMap(([text, ...steps]): object[] => [
    { role: 'user', content: [{ type: 'text', text }] },
    ...steps.flatMap(messagesOf),
  ]);
  if (answer !== undefined) messages.push({ role: 'assistant', content: [{ type: 'text', text: answer }] });
  return open(JSON.stringify(messages)).transcripts[0]!;

  /** The message that makes the calls, and one with the result of the first: so each step is two messages. */
  function messagesOf(step: string): object[] {
    const calls = step.split('+').map((call) => {
      const [, name, input = '{}', result = 'ok'] = /^(\w+)(\{[^=]*)?(?:=(.*))?$/.exec(call)!;
      return { id: `c${id++}`, name: name!, input, result };
    });
    const [{ id: first, result }] = calls as [(typeof calls)[number]];
    const block = { type: 'tool_result', tool_use_id: first, content: result, is_error: result.startsWith('!') };
    return [
      {
        role: 'assistant',
        content: calls.map(({ id: callId, name, input }) => ({
          type: 'tool_use',
          id: callId,
          name,
          input: jsonOf(input),
        })),
      },
      { role: 'user', content: [block] },
    ];
  }
}

/** Arguments that are no JSON can only stand as text. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
