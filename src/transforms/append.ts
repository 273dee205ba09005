import { withMessages } from '../transcript/edit.js';
import { joinTexts } from '../transcript/text.js';
import type { ContentPart, Transcript } from '../transcript/types.js';

/**
 * A user message behind the last message, once, and before what follows that is none: a line may be cut off there. None where records
 * are all there is: such a log has no message to be told by, and the next run would not know this one. `isSame`: whether the last
 * user message is the one that would be added.
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
  if (last?.role === 'user' && isSame(joinTexts(content))) return transcript;
  return withMessages(transcript, [
    ...messages.slice(0, end),
    { role: 'user', parts: [{ type: 'text', text }] },
    ...messages.slice(end),
  ]);
}
