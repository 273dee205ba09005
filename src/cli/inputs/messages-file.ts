import { isTranscriptError } from '../../errors.js';
import { open } from '../../source/recording.js';
import type { ContentPart, Message, Part } from '../../transcript/types.js';

/** The messages of a file in any format, without system prompts and raw JSON, to add to another transcript. */
export function messagesIn(text: string, file: string): readonly Message[] {
  try {
    return open(text).transcripts.flatMap(({ messages }) =>
      messages.flatMap(({ role, parts }): Message[] =>
        role === 'meta' || role === 'system' ? [] : [{ role, parts: parts.map(fresh) }],
      ),
    );
  } catch (error) {
    throw isTranscriptError(error) ? error.at({ file }) : error;
  }
}

function fresh(part: Part): Part {
  const { raw: _, ...rest } = part;
  return part.type === 'result'
    ? ({ ...rest, content: part.content.map(fresh) as ContentPart[] } as Part)
    : (rest as Part);
}
