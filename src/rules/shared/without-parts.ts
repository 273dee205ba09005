/** Removes parts, and the messages that become empty. */
import { withMessages, withoutLooseThoughts, withoutPartsOf } from '../../transcript/edit.js';
import type { Message, Part, Transcript } from '../../transcript/types.js';
import type { RuleContext } from '../rule.js';

/** The text of a first user message whose results were removed. */
export const RESULTS_REMOVED = '[earlier tool results removed]';

/**
 * Removes the parts of these problems, calls or results, the messages that become empty, and `emptied`. Where the
 * history would then begin with the model, or be empty, the user message stays with the text `instead`, if given.
 */
export function withoutParts(
  { transcript, wire }: RuleContext,
  sites: readonly { readonly part?: Part }[],
  instead?: string,
  emptied: ReadonlySet<Message> = new Set(),
): Transcript {
  const { messages, traits } = transcript;
  const removed = new Set(sites.flatMap(({ part }) => part ?? []));
  const isOwn = (message: Message) => wire(message) !== undefined;
  const left = messages.map((message) => {
    const rest = emptied.has(message) ? undefined : restOf(message, removed);
    const isUsers =
      rest !== message && rest?.role === 'tool' && isOwn(message) && !rest.parts.some(({ type }) => type === 'result');
    return isUsers ? { ...rest, role: 'user' as const } : rest; // what is left is the user's text
  });
  const isSaid = (message: Message | undefined) =>
    message !== undefined && message.role !== 'meta' && message.role !== 'system';
  const first = left.find(isSaid);
  const opening =
    first === undefined || first.role === 'assistant'
      ? messages.findIndex(
          (message, index) => left[index] === undefined && message.role !== 'assistant' && message.role !== 'system',
        )
      : -1;
  const opens = instead !== undefined && opening >= 0 && !left.slice(0, opening).some(isSaid);
  const after = left.flatMap(
    (message, index) =>
      message ?? (opens && index === opening ? [saying(instead, messages[index]!, isOwn(messages[index]!))] : []),
  );
  return withMessages(transcript, traits.piecesStandAlone ? withoutLooseThoughts(messages, after) : after);
}

/** Reasoning is removed together with a call, but stays when a text is removed. */
function restOf(message: Message, removed: ReadonlySet<Part>): Message | undefined {
  const calls = message.parts.some((part) => (part.type === 'call' || part.type === 'result') && removed.has(part));
  if (calls || !message.parts.some((part) => removed.has(part))) return withoutPartsOf(message, removed);
  const parts = message.parts.filter((part) => !removed.has(part));
  return parts.length === 0 ? undefined : { ...message, parts };
}

/** A user message with this text only. In the provider's own format it keeps the other fields of `message`. */
function saying(text: string, message: Message, isOwn: boolean): Message {
  const old = message.parts.find((part) => part.type === 'text');
  const parts: Part[] = [old === undefined ? { type: 'text', text } : { ...old, text }];
  return isOwn || message.role === 'user' ? { ...message, role: 'user', parts } : { role: 'user', parts };
}
