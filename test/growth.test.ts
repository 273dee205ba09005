/** Linear ways of doing what is plain to do by looking at everything for everything: they say the same. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pair } from '../src/transcript/pairs.js';
import type { Message, Part } from '../src/transcript/types.js';
import { plainPair } from './plain-pairs.js';

/** Numbers below `most`, the same ones for the same seed. */
function randomOf(seed: number): (most: number) => number {
  let state = seed + 1;
  return (most) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5;
    return ((state ^ (state >>> 13)) >>> 0) % most;
  };
}

const pick = <T>(random: (most: number) => number, of: readonly T[]) => of[random(of.length)]!;

function randomMessages(seed: number): Message[] {
  const random = randomOf(seed);
  const ids = pick(random, [
    [undefined, ''],
    ['a'],
    ['a', 'b', undefined],
    ['a', 'b', ''],
    ['a', 'b', 'c', 'd', undefined, ''],
  ]);
  const tools = pick(random, [['t'], ['t', 'u']]);
  const raws = [{}, {}, undefined, undefined];
  const part = (): Part => {
    const callId = pick(random, ids);
    const raw = pick(random, raws);
    if (random(9) === 0) return { type: 'text', text: 'x' };
    return random(2) === 0
      ? { type: 'call', callId, tool: pick(random, tools), input: '{}', raw }
      : { type: 'result', callId, tool: pick(random, [...tools, undefined]), content: [], raw };
  };
  return Array.from({ length: random(30) }, (): Message => {
    const group = pick(random, [undefined, undefined, 'g', 'h']);
    return {
      role: pick(random, ['assistant', 'assistant', 'tool', 'tool', 'user', 'record']),
      parts: Array.from({ length: pick(random, [1, 1, 2, 20]) }, part),
      ...(group === undefined ? {} : { group }),
    };
  });
}

it('calls and results pair as the plain rules have it', () => {
  let late = 0;
  for (let seed = 0; seed < 3000; seed++) {
    const messages = randomMessages(seed);
    const told = (pairing: ReturnType<typeof pair>) => ({
      results: pairing.results.map(({ standing, call }) => [standing, call && pairing.calls.indexOf(call)]),
      calls: pairing.calls.map(({ results }) => results.map((result) => pairing.results.indexOf(result))),
    });
    const found = told(pair(messages));
    expect(found, `seed ${seed}`).toEqual(told(plainPair(messages)));
    late += found.results.filter(([standing]) => standing !== 'in place').length;
  }
  expect(late).toBeGreaterThan(10_000);
});

describe('sources', () => {
  const SPREAD =
    /\.(?:push|unshift|concat)\(\s*\.\.\.|Math\.(?:max|min)\([^()]*\.\.\.|fromC(?:harCode|odePoint)\(\s*\.\.\.|splice\([^;]*\.\.\./g;
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  it('spread no list into arguments: the stack has room for some 100,000', () => {
    expect(files.length).toBeGreaterThan(300);
    const found = files.flatMap((name) =>
      [...readFileSync(join('src', name), 'utf8').matchAll(SPREAD)].map(([text]) => `${name}: ${text}`),
    );
    expect(found).toEqual([]);
  });
});
