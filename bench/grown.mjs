// Recordings of each format, made longer: lines again and again, or the longest list of a document, so that ids repeat.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';

const FIXTURES = 'fixtures/formats';
/** Bytes of recordings that are small enough to be repeated often. */
const LARGEST = 200_000;
/** Of each format, the largest of those. */
const MOST = 2;
const TEXTS = new Set(['.json', '.jsonl', '.md', '.txt']);

/** By format and name: `grow` makes a text of about so many bytes. */
export function recordings() {
  return readdirSync(FIXTURES).flatMap((format) => {
    const folder = join(FIXTURES, format);
    if (!statSync(folder).isDirectory()) return [];
    const sizeOf = (name) => statSync(join(folder, name)).size;
    return readdirSync(folder)
      .filter((name) => TEXTS.has(extname(name)) && sizeOf(name) <= LARGEST)
      .sort((a, b) => sizeOf(b) - sizeOf(a))
      .slice(0, MOST)
      .map((name) => ({ format, name, ending: extname(name), grow: growing(join(folder, name)) }));
  });
}

function growing(path) {
  return (bytes) => {
    const text = readFileSync(path, 'utf8');
    return longerDocument(text, bytes) ?? `${text.trimEnd()}\n`.repeat(Math.ceil(bytes / text.length));
  };
}

/** The document with its longest list repeated; undefined for one that is none, or has no list. */
function longerDocument(text, bytes) {
  const root = { document: parsed(text) };
  const lists = listsIn(root).sort((a, b) => b.length - a.length);
  const [longest] = lists;
  if (longest === undefined) return undefined;
  const { holder, key, length } = longest;
  const times = Math.max(1, Math.round(bytes / length));
  holder[key] = Array.from({ length: times }, () => holder[key]).flat();
  return JSON.stringify(root.document);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The lists of several items: where they are, and how long they are as JSON. The deepest of equals comes first. */
function listsIn(holder) {
  if (typeof holder !== 'object' || holder === null) return [];
  return Object.entries(holder).flatMap(([key, value]) => {
    const inside = listsIn(value);
    if (!Array.isArray(value) || value.length < 2) return inside;
    return [...inside, { holder, key, length: JSON.stringify(value).length }];
  });
}
