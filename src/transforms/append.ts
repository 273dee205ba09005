import { withMessages } from '../transcript/edit.js';
import { joinTexts } from '../transcript/text.js';
import type { ContentPart, Transcript } from '../transcript/types.js';

export const NO_PLACE_FOR_USER = 'no user message: this recording has no place for one';

/**
 * Adds a user message after the last message and before the records that follow it, the last of which may be cut off.
 * Adds none to a log of records only, because without messages its format could not be detected again. `isSame`:
 * whether the text of the last user message is the one to add.
 */
export function withUserMessage(
  transcript: Transcript,
  text: string,
  isSame: (last: string) => boolean = (last) => last === text,
): Transcript {
  const { messages } = transcript;
  const end = messages.findLastIndex((message) => message.role !== 'meta') + 1;
  if (end === 0 && messages.length > 0) return transcript;
  const last = messages[end - 1];
  const content = last?.parts.filter((part): part is ContentPart => part.type === 'text') ?? [];
  const isLast = () => transcript.traits.rolesAlternate === true && isSame(joinTexts(content.slice(-1)));
  const isUser = last?.role === 'user' || (last?.role === 'tool' && transcript.traits.rolesAlternate === true);
  if (isUser && (isSame(joinTexts(content)) || isLast())) return transcript;
  return withMessages(transcript, [
    ...messages.slice(0, end),
    { role: 'user', parts: [{ type: 'text', text }] },
    ...messages.slice(end),
  ]);
}
