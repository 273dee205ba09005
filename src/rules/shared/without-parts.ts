/** Parts taken away, and what then becomes of their messages. */
import { withMessages, withoutLooseThoughts, withoutPartsOf } from '../../transcript/edit.js';
import type { Message, Part, Transcript } from '../../transcript/types.js';
import type { RuleContext } from '../rule.js';

/** What the user’s first message says once the results that it held are gone. */
export const RESULTS_REMOVED = '[earlier tool results removed]';

/**
 * The transcript without these parts (of problems, calls, results), and without the messages that then say nothing, or are `emptied`. Only where the history would
 * then begin with the model, or hold nothing at all, the user's message stays and says `instead`, where that is given.
 */
export function withoutParts(
  { transcript, wire }: RuleContext,
  sites: readonly { readonly part?: Part }[],
  instead?: string,
  emptied: ReadonlySet<Message> = new Set(),
): Transcript {
  const { messages, traits } = transcript;
  const gone = new Set(sites.flatMap(({ part }) => part ?? []));
  const isOwn = (message: Message) => wire(message) !== undefined;
  const left = messages.map((message) => {
    const rest = emptied.has(message) ? undefined : restOf(message, gone);
    const isUsers =
      rest !== message && rest?.role === 'tool' && isOwn(message) && !rest.parts.some(({ type }) => type === 'result');
    return isUsers ? { ...rest, role: 'user' as const } : rest; // beside the results stood what the user said
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

/** A thought that led to a call goes with it; beside a text that goes it stays. */
function restOf(message: Message, gone: ReadonlySet<Part>): Message | undefined {
  const calls = message.parts.some((part) => (part.type === 'call' || part.type === 'result') && gone.has(part));
  if (calls || !message.parts.some((part) => gone.has(part))) return withoutPartsOf(message, gone);
  const parts = message.parts.filter((part) => !gone.has(part));
  return parts.length === 0 ? undefined : { ...message, parts };
}

/** A user's message with nothing but this text. In the provider's own format it is the old one, with its other fields. */
function saying(text: string, message: Message, isOwn: boolean): Message {
  const old = message.parts.find((part) => part.type === 'text');
  const parts: Part[] = [old === undefined ? { type: 'text', text } : { ...old, text }];
  return isOwn || message.role === 'user' ? { ...message, role: 'user', parts } : { role: 'user', parts };
}
