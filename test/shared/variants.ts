/** Recordings with one value changed. */
import { sum } from './facts.js';
import { isJson } from './is-json.js';
import { toldOfText } from './variants-told.js';

/** The variants that the tests look at, one a line, with what becomes of each. */
export const CHOSEN = 'test/formats/variants.jsonl';
/** Bytes of a recording. */
export const LARGEST = 12_000;

export interface Variant {
  readonly file: string;
  /** Of JSON Lines. */
  readonly line: number;
  /** The keys down to the value. */
  readonly path: readonly (string | number)[];
  /** The name of a change, or `{ is: value }` in its place, or a new member of it `{ has: name, value }`. */
  readonly change: Change;
  readonly sum?: string | undefined;
}

type Change = string | { readonly is: unknown } | { readonly has: string; readonly value: unknown };
type Place = Pick<Variant, 'line' | 'path'>;
type Holder = Record<string | number, unknown>;

export const CHANGES: Readonly<Record<string, (holder: Holder, key: string | number, others: unknown[]) => void>> = {
  gone: (holder, key) => {
    if (Array.isArray(holder)) holder.splice(key as number, 1);
    else delete holder[key];
  },
  empty: (holder, key) => {
    holder[key] = emptied(holder[key]);
  },
  'another type': (holder, key) => {
    holder[key] = retyped(holder[key]);
  },
  'another value': (holder, key, others) => {
    holder[key] = structuredClone(others.find((one) => one !== holder[key]) ?? [holder[key]]);
  },
  twice: (holder, key) => {
    if (Array.isArray(holder)) holder.splice(key as number, 0, holder[key]);
    else holder[`${key}_2`] = holder[key];
  },
  'the other way round': (holder, key) => {
    const value = holder[key];
    if (Array.isArray(value)) value.reverse();
    else if (isHolder(value)) holder[key] = Object.fromEntries(Object.entries(value).reverse());
    else holder[key] = [value];
  },
};

export function chosenIn(text: string): readonly Variant[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((text) => {
    const [file, line, path, change, sum] = JSON.parse(text);
    return { file, line, path, change, sum };
  });
}

export function lineOf({ file, line, path, change, sum }: Variant): string {
  return JSON.stringify([file, line, path, change, sum]);
}

/** So many variants of a text, the same ones in each run. */
export function someOf(file: string, text: string, most: number): readonly Variant[] {
  const rankOf = ({ line, path }: Place) => sum(`${text.length} ${line} ${path.join('.')}`);
  const places = placesOf(text).toSorted((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1));
  const names = Object.keys(CHANGES);
  return places.slice(0, most).map((place) => {
    const change = names[Number.parseInt(rankOf(place), 16) % names.length]!;
    return { file, ...place, change };
  });
}

/** Where the values of a text are, or those of its lines where it is no JSON. */
export function placesOf(text: string): readonly Place[] {
  return linesOf(text).flatMap((line, at) =>
    isDocument(line) ? walked(JSON.parse(line)).map(({ path }) => ({ line: at, path })) : [],
  );
}

/** A sum of what becomes of the variant; undefined where the text has no such place. */
export function toldOf(variant: Variant, text: string): string | undefined {
  const { file, line, path, change } = variant;
  const changed = changedText(variant, text);
  const turn = Number.parseInt(sum(JSON.stringify([file, line, path, change])), 16);
  return changed === undefined ? undefined : toldOfText(changed, file.split('/')[0]!, turn);
}

export function changedText({ line, path, change }: Variant, text: string): string | undefined {
  const lines = linesOf(text);
  if (!isDocument(lines[line] ?? '')) return undefined;
  const value = JSON.parse(lines[line]!) as Holder;
  const all = walked(value);
  const place = all.find((one) => one.path.join() === path.join());
  if (place === undefined) return undefined;
  const { holder, key } = place;
  if (typeof change === 'object' && 'is' in change) holder[key] = change.is;
  else if (typeof change === 'object') (holder[key] as Holder)[change.has] = change.value;
  else {
    const others = all.filter((one) => String(one.key) === String(key)).map((one) => one.holder[one.key]);
    CHANGES[change]!(holder, key, others);
  }
  return lines.with(line, JSON.stringify(value)).join('\n');
}

const linesOf = (text: string) => (isDocument(text) ? [text] : text.split('\n'));
const isDocument = (text: string) => isJson(text) && isHolder(JSON.parse(text));

interface Held {
  readonly holder: Holder;
  readonly key: string | number;
  readonly path: readonly (string | number)[];
}

function walked(value: unknown, above: readonly (string | number)[] = []): Held[] {
  if (!isHolder(value)) return [];
  return Object.keys(value).flatMap((name) => {
    const key = Array.isArray(value) ? Number(name) : name;
    const path = [...above, key];
    return [{ holder: value, key, path }, ...walked(value[key], path)];
  });
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null;
}

function emptied(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (typeof value === 'number') return 0;
  return Array.isArray(value) ? [] : isHolder(value) ? {} : null;
}

function retyped(value: unknown): unknown {
  if (typeof value === 'string') return { text: value };
  if (typeof value === 'number') return String(value);
  return Array.isArray(value) ? { items: value } : isHolder(value) ? [value] : 'none';
}
