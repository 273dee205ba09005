/** Edits of the tool definitions beside the messages. */
import { EditedText, type Json, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { printed } from '../../json/print.js';
import { styleOf } from '../../json/style.js';
import type { Transcript } from '../../transcript/types.js';

/** Changes each definition; undefined removes it. */
export function withDefinitions(
  transcript: Transcript,
  change: (definition: JsonNode, index: number) => Json | undefined,
): Transcript {
  const { tools } = transcript;
  if (!(tools instanceof JsonNode)) return transcript;
  const kept = tools.items().map(change);
  const edited = patchItems(
    tools,
    kept.filter((item) => item !== undefined),
  );
  if (edited === tools) return transcript;
  return {
    ...transcript,
    tools: new EditedText(
      tools,
      edited,
      printed(edited, () => styleOf(tools)),
    ),
  };
}
