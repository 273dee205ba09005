/** Values of a record that are of the wrong type, wherever they stand in it. */
import { pathText } from '../../errors.js';
import { JsonNode } from '../../json/node.js';
import { wrongType } from './json-fields.js';

/** Throws: this value of a record, wherever it stands in it, is of the wrong type. */
export function misplaced(node: JsonNode, expected: string): never {
  return wrongType(node, pathTo(node), expected);
}

/** The path to a value from the outermost one that it was read with: `spans[3].attributes`. */
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
