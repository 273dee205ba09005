/** Paths to values inside a record, for errors. */
import { pathText } from '../../errors.js';
import { JsonNode } from '../../json/node.js';
import { wrongType } from './json-fields.js';

/** Throws: this value has the wrong type; the error names its path in the record. */
export function wrongTypeInRecord(node: JsonNode, expected: string): never {
  return wrongType(node, pathTo(node), expected);
}

/** The path from the root of the parsed text to a value: `spans[3].attributes`. */
export function pathTo(node: JsonNode): string {
  const path: (string | number)[] = [];
  const holds = (other: JsonNode) => other.start <= node.start && node.end <= other.end;
  for (let at = new JsonNode(node.source, 0); !at.is(node); ) {
    const members = at.members();
    const values = at.isObject ? members.map(({ value }) => value) : at.items();
    const index = values.findIndex(holds);
    if (index < 0) break;
    path.push(at.isObject ? members[index]!.key.text : index);
    at = values[index]!;
  }
  return pathText(path);
}
