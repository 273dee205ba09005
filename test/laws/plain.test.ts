/** The quick look at a value agrees with the slow one: it never calls a value plain that holds content. */
import { describe, expect, it } from 'vitest';
import { type JsonNode, parse } from '../../src/json/node.js';
import { isPlain } from '../../src/source/unread/plain.js';
import { looksLikeContent } from '../../src/source/unread/search.js';
import { lawful } from '../shared/lawful.js';
import { fixtures, sharedRecordings } from '../shared/recordings.js';

const recordings = [...fixtures(), ...sharedRecordings()].filter(({ bytes }) => bytes.length < 400_000);

/** The value of a file, or the values of its lines. */
function rootsOf(bytes: Buffer): JsonNode[] {
  const whole = parsed(bytes);
  if (whole !== undefined) return [whole];
  return bytes
    .toString()
    .split('\n')
    .flatMap((line) => parsed(Buffer.from(line)) ?? []);
}

function parsed(bytes: Buffer): JsonNode | undefined {
  try {
    return parse(bytes);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function valuesIn(node: JsonNode): JsonNode[] {
  const inside = node.isArray ? node.items() : node.isObject ? node.members().map(({ value }) => value) : [];
  return [node, ...inside.flatMap(valuesIn)];
}

/** Every `step`th value in a root, from the one at `start` on. */
function coverOf(values: readonly JsonNode[], start: number, step: number): number[] {
  return values.filter((_, index) => index % step === start % step).map(({ at }) => at);
}

describe('a plain value holds no content', () => {
  it.each(recordings)('$name', ({ bytes }) => {
    const wrong: string[] = [];
    for (const root of rootsOf(bytes)) {
      const values = valuesIn(root).slice(1, 2_000);
      const covers = [[], ...[1, 2, 3, 5, 7].map((step) => coverOf(values, root.at + step, step))];
      for (const cover of covers)
        if (isPlain(root, cover) && looksLikeContent(root, cover)) wrong.push(`${cover.length} ${root.text}`);
    }
    lawful(wrong);
  });
});

describe('a message is plain where what it holds is covered', () => {
  const message = parse(Buffer.from('{"role":"user","content":"Hello","extra":{"id":1}}'));
  const content = message.get('content')!;
  it.each([
    ['nothing is covered', [], false],
    ['its text is covered', [content.at], true],
    ['all of it is covered', [message.at], true],
  ])('%s', (_, cover, plain) => {
    expect(isPlain(message, cover)).toBe(plain);
    expect(looksLikeContent(message, cover)).toBe(!plain);
  });
});
