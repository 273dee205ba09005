/** Recordings with one value in them replaced by what nobody expects there; the same for the same seed. */
import { fixtures, type Recording } from './recordings.js';

/** Stands for what JSON.stringify cannot write, until the text is made. */
const HUGE = '\u0000huge';
const DEEP = '\u0000deep';
/** So deep that a function that calls itself for each level overflows the stack. */
const DEPTH = 12_000;

const NAMES = ['constructor', '__proto__', 'hasOwnProperty', 'toString', 'valueOf', 'nobody', ''];

const ODD: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => 5,
  () => -1.5,
  () => HUGE,
  () => '',
  () => 'a text',
  () => '{"a":',
  () => '[5]',
  () => [],
  () => [5],
  () => [null],
  () => ['a text'],
  () => [{}],
  () => [[]],
  () => ({}),
  () => ({ type: 'text' }),
  () => ({ text: 5 }),
];

/** Random numbers below `limit`, from a seed. */
export type Random = (limit: number) => number;

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** So long may a recording be: what stands in it further on is of the same shapes. */
const LONGEST = 12_000;

/** What is malformed: the smaller fixtures, and of each format at least one. */
export function malformable(): readonly Recording[] {
  const all = fixtures();
  return all.filter(
    ({ bytes, format }) =>
      bytes.length <= LONGEST ||
      bytes.length === Math.min(...all.filter((other) => other.format === format).map((other) => other.bytes.length)),
  );
}

/** A value that holds others, and the key of one of them. */
interface Spot {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

/**
 * The recording with one or two of its values replaced, of its objects' members, list's elements, and JSON in its
 * strings.
 */
export function malformed({ bytes }: Recording, random: Random): string {
  const text = bytes.toString().replace(/^\ufeff/, '');
  const whole = parsed(text);
  const values = whole === undefined ? text.split('\n').flatMap((line) => parsed(line) ?? []) : [whole];
  for (let left = 1 + random(2); left > 0; left--) malform(values, random);
  return values.map(spelled).join('\n');
}

function malform(values: unknown[], random: Random): void {
  const spots = spotsIn(values);
  if (spots.length === 0) return;
  const { holder, key } = pick(spots, random);
  const value = holder[key];
  const inner = typeof value === 'string' && /^\s*[[{]/.test(value) ? parsed(value) : undefined;
  if (inner !== undefined && random(4) > 0) {
    const around = [inner];
    malform(around, random);
    holder[key] = spelled(around[0]);
  } else if (typeof value === 'string' && random(4) === 0) holder[key] = pick(NAMES, random);
  else if (random(6) === 0) remove(holder, key);
  else if (random(40) === 0) holder[key] = DEEP;
  else holder[key] = pick(ODD, random)();
}

function remove(holder: Record<string, unknown> | unknown[], key: string): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

function spotsIn(root: unknown): Spot[] {
  const spots: Spot[] = [];
  const left = [root];
  while (left.length > 0) {
    const holder = left.pop();
    if (holder === null || typeof holder !== 'object') continue;
    for (const [key, value] of Object.entries(holder)) {
      spots.push({ holder: holder as Record<string, unknown>, key });
      left.push(value);
    }
  }
  return spots;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pick<T>(list: readonly T[], random: Random): T {
  return list[random(list.length)]!;
}

function spelled(value: unknown): string {
  return JSON.stringify(value ?? null)
    .replaceAll(JSON.stringify(HUGE), '1e400')
    .replaceAll(JSON.stringify(DEEP), deep());
}

/** A list, or an object, in itself over and over. */
export function deep(depth = DEPTH): string {
  return `${'[{"a":'.repeat(depth / 2)}null${'}]'.repeat(depth / 2)}`;
}
