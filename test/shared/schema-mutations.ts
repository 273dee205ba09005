/**
 * Histories that a provider takes, and ways to spoil them: what its published schema says of each is compared with what
 * the rules find.
 */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Document = Json[];
/** Puts a value at a path (`1.content.0.type`); `undefined` takes it away. */
export interface Mutation {
  readonly name: string;
  readonly path: string;
  readonly value: Json | undefined;
}

/** Wrong values for any member, by the kind that stands there. */
const WRONG: readonly (readonly [name: string, value: Json | undefined])[] = [
  ['missing', undefined],
  ['null', null],
  ['true', true],
  ['a number', 7],
  ['a text', 'elsewhere'],
  ['an empty text', ''],
  ['an object', { x: 1 }],
  ['a list', ['x']],
  ['an empty list', []],
];

/** Each member and element of the document spoiled in every way, and each object with a member that nobody knows. */
export function mutationsOf(document: Document): Mutation[] {
  const found: Mutation[] = [];
  const walk = (value: Json, path: string) => {
    if (path !== '')
      for (const [name, wrong] of WRONG)
        if (JSON.stringify(wrong) !== JSON.stringify(value))
          found.push({ name: `${path} is ${name}`, path, value: wrong });
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) found.push({ name: `${path} has one more`, path: join(path, 'unheardOf'), value: 'x' });
    for (const [key, member] of Object.entries(value)) walk(member, join(path, key));
  };
  walk(document, '');
  return found;
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** The document with the mutation. */
export function mutated(document: Document, { path, value }: Mutation): Document {
  const copy = structuredClone(document);
  const keys = path.split('.');
  const last = keys.pop()!;
  let at: Json = copy;
  for (const key of keys) at = (at as { [key: string]: Json })[key]!;
  if (value !== undefined) (at as { [key: string]: Json })[last] = value;
  else if (Array.isArray(at)) at.splice(Number(last), 1);
  else delete (at as { [key: string]: Json })[last];
  return copy;
}
