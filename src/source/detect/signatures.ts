/** Which formats come into question, told by the members of a sample: so that the others need not be loaded. */
import type { JsonKind, JsonNode } from '../../json/node.js';

/** How a clue marks the kind of a member. */
const KINDS: Readonly<Record<JsonKind, string>> = {
  array: '[]',
  object: '{}',
  string: '""',
  number: '#',
  boolean: '',
  null: '',
};
/** Members whose texts are telling. */
const TELLING = new Set(['type', 'role', 'source']);
const LONGEST_TEXT = 40;
/** Of objects and arrays together: as deep as the blocks of a message in a reply in a record. */
const DEPTH = 7;
const MOST_ITEMS = 400;
/** Members that hold no messages, and much else. */
const SKIPPED = 'tools';

/** Tells of clues, as the formats' entries have them, whether one of them stands in the sample. */
export function cluesIn(sample: readonly JsonNode[]): (clues: readonly string[]) => boolean {
  const shapes: Shapes = { root: { next: new Map(), isEnd: false }, found: [] };
  for (const root of sample) collect(root, '@', DEPTH, shapes);
  const having = new Map<string, ReadonlySet<string>[]>();
  for (const shape of shapes.found) {
    for (const word of shape) {
      if (!having.has(word)) having.set(word, []);
      having.get(word)!.push(shape);
    }
  }
  const isThere = (clue: string) => {
    const nearest = having.get(clue.slice(clue.lastIndexOf(' ') + 1));
    return nearest?.some((shape) => clue.split(' ').every((word) => shape.has(word))) ?? false;
  };
  return (clues) => clues.some(isThere);
}

/** Objects with the same members are one shape, however many there are: each is a path through a tree of words. */
interface Shapes {
  readonly root: Branch;
  readonly found: ReadonlySet<string>[];
}

interface Branch {
  readonly next: Map<string, Branch>;
  isEnd: boolean;
}

function collect(node: JsonNode, place: string, depth: number, shapes: Shapes): void {
  if (depth === 0) return;
  if (node.isArray) for (const item of node.items(MOST_ITEMS)) collect(item, place, depth - 1, shapes);
  if (!node.isObject) return;
  let branch = follow(shapes.root, place);
  const members = node.members();
  for (const { key, value } of members) {
    const { kind } = value;
    branch = follow(branch, key.text);
    if (kind !== 'string') branch = follow(branch, KINDS[kind]);
    else if (isTelling(key, value)) branch = follow(branch, value.text);
    if (kind === 'object') collect(value, '', depth - 1, shapes);
    else if (kind === 'array' && key.text !== SKIPPED) collect(value, `@${key.text}`, depth - 1, shapes);
  }
  if (branch.isEnd) return;
  branch.isEnd = true;
  shapes.found.push(wordsOf(members, place));
}

function follow(branch: Branch, word: string): Branch {
  const known = branch.next.get(word);
  if (known !== undefined) return known;
  const next: Branch = { next: new Map(), isEnd: false };
  branch.next.set(word, next);
  return next;
}

/** The words of clues that hold for an object. */
function wordsOf(members: ReturnType<JsonNode['members']>, place: string): ReadonlySet<string> {
  const words = new Set([place]);
  for (const { key, value } of members) {
    words.add(key.text);
    words.add(key.text + KINDS[value.kind]);
    if (isTelling(key, value)) words.add(`${key.text}=${value.text}`);
  }
  return members.length === 1 ? words.add('alone') : words;
}

function isTelling(key: JsonNode, value: JsonNode): boolean {
  return value.isString && TELLING.has(key.text) && value.byteLength <= LONGEST_TEXT;
}
