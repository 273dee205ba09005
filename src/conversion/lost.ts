/** What of a recorded message its own lens does not read, and so nothing can carry over. */
import type { Format } from '../formats/format.js';
import { JsonNode, parse } from '../json/node.js';
import { printed } from '../json/print.js';
import { textOf } from '../transcript/text.js';
import type { ContentPart, Message, Part } from '../transcript/types.js';

/**
 * The paths of members that are there in the recording and would not be in the same message made anew; of the parts of
 * `kept`, if they go over as they are.
 */
export function fieldsLost(message: Message, format: Format, kept: Message | undefined): string[] {
  const { raw } = message;
  if (!(raw instanceof JsonNode) || !raw.isObject) return [];
  const content = message.parts.flatMap((part): readonly (Part | ContentPart)[] =>
    part.type === 'result' ? part.content : [part],
  );
  const said = new Set(
    content.flatMap((part) => ('text' in part && part.text !== undefined ? [textOf(part.text)] : [])),
  );
  return [
    ...missing(
      raw,
      parse(printed(format.write(kept === undefined ? afresh(message) : { ...kept, raw: undefined }))),
      '',
      said,
    ),
  ];
}

function afresh({ raw: _, group: __, ...message }: Message): Message {
  const strip = <P extends Part>(part: P): P =>
    part.type === 'media' || part.type === 'opaque' ? part : { ...part, raw: undefined };
  return {
    ...message,
    parts: message.parts.map((part) =>
      part.type === 'result' ? strip({ ...part, content: part.content.map(strip) }) : strip(part),
    ),
  };
}

/** Deeper in, nothing has a name that says what was lost. */
const DEEPEST = 50;

/** A text that is said by a part is not lost, wherever it stands. */
function* missing(
  node: JsonNode,
  twin: JsonNode | undefined,
  path: string,
  said: ReadonlySet<string>,
  level = 0,
): Generator<string> {
  if (level > DEEPEST) return;
  if (node.isObject) {
    for (const { key, value } of node.members()) {
      if (isEmpty(value) || (value.isString && said.has(value.text))) continue;
      const at = path === '' ? key.text : `${path}.${key.text}`;
      if (twin?.isString) {
        if (key.text !== 'type' && !(value.isString && twin.text.includes(value.text))) yield at;
        continue;
      }
      const other = twin?.get(key.text);
      if (other === undefined) yield at;
      else yield* missing(value, other, at, said, level + 1);
    }
  } else if (node.isArray) {
    const twins = twin?.isString ? undefined : twin?.items();
    for (const [index, item] of node.items().entries())
      if (item.isObject)
        yield* missing(item, twins === undefined ? twin : (twins[index] ?? twins.at(-1)), `${path}[]`, said, level + 1);
  }
}

/** Says nothing, wherever it stands. */
function isEmpty(value: JsonNode): boolean {
  return (
    value.isNull ||
    value.boolean === false ||
    (value.isString && value.byteLength === 0) ||
    (value.isArray && value.length === 0) ||
    (value.isObject && value.members().length === 0)
  );
}
