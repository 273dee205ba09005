/** Recordings with one value changed, the same ones in each run. */
import { sum } from './facts.js';
import { isJson } from './is-json.js';

export interface Variant {
  /** Which value, and how it changed. */
  readonly what: string;
  readonly text: string;
}

type Holder = Record<string | number, unknown>;
interface Place {
  readonly holder: Holder;
  readonly key: string | number;
  readonly path: string;
}

const CHANGES: Readonly<Record<string, (place: Place, others: readonly unknown[]) => void>> = {
  gone: ({ holder, key }) => {
    if (Array.isArray(holder)) holder.splice(key as number, 1);
    else delete holder[key];
  },
  empty: ({ holder, key }) => {
    holder[key] = emptied(holder[key]);
  },
  'another type': ({ holder, key }) => {
    holder[key] = retyped(holder[key]);
  },
  'another value': ({ holder, key }, others) => {
    holder[key] = structuredClone(others.find((one) => one !== holder[key]) ?? [holder[key]]);
  },
  twice: ({ holder, key }) => {
    if (Array.isArray(holder)) holder.splice(key as number, 0, holder[key]);
    else holder[`${key}_2`] = holder[key];
  },
  'the other way round': ({ holder, key }) => {
    const value = holder[key];
    if (Array.isArray(value)) value.reverse();
    else if (isHolder(value)) holder[key] = Object.fromEntries(Object.entries(value).reverse());
    else holder[key] = [value];
  },
};

/** So many variants of a text: of its lines, where it is no JSON. */
export function variantsOf(text: string, most: number): readonly Variant[] {
  const lines = isDocument(text) ? [text] : text.split('\n');
  const places = lines.flatMap((line, at) => (isDocument(line) ? placesIn(line).map((path) => ({ at, path })) : []));
  const rankOf = ({ at, path }: { at: number; path: string }) => sum(`${text.length} ${at} ${path}`);
  const chosen = places.toSorted((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1)).slice(0, most);
  return chosen.map(({ at, path }, index) => {
    const how = Object.keys(CHANGES)[Number.parseInt(rankOf({ at, path }), 16) % Object.keys(CHANGES).length]!;
    const value = JSON.parse(lines[at]!) as Holder;
    const all = walked(value);
    const place = all.find((one) => one.path === path)!;
    const last = String(place.key);
    const others = all.filter(({ key }) => String(key) === last).map(({ holder, key }) => holder[key]);
    CHANGES[how]!(place, others);
    return { what: `${index} ${path} ${how}`, text: lines.with(at, JSON.stringify(value)).join('\n') };
  });
}

const placesIn = (line: string) => walked(JSON.parse(line)).map(({ path }) => path);

function walked(value: unknown, path = ''): Place[] {
  if (!isHolder(value)) return [];
  return Object.keys(value).flatMap((name) => {
    const key = Array.isArray(value) ? Number(name) : name;
    const own = path === '' ? name : `${path}.${name}`;
    return [{ holder: value, key, path: own }, ...walked(value[key], own)];
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

const isDocument = (text: string) => isJson(text) && isHolder(JSON.parse(text));
