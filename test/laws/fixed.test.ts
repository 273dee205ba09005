/**
 * What `check --fix` says is left is what is found in the text that it wrote, and a second fix changes nothing. Tried
 * on recordings with two values changed: in a file that is damaged twice, what a fix wrote can read otherwise than
 * it was meant.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isTranscriptError } from '../../src/errors.js';
import { providers } from '../../src/rules/providers.js';
import { ALL } from '../shared/effort.js';
import { sum } from '../shared/facts.js';
import { type FixSettings, fixedText } from '../shared/fixed.js';
import { lawful } from '../shared/lawful.js';
import { isReadable } from '../shared/opened.js';
import { CHOSEN, changedText, chosenIn, type Variant } from '../shared/variants.js';

/** By default one pair of so many. */
const EACH = ALL ? 1 : 4;

const tally = { fixed: 0, inPart: 0 };

const pairs = pairsOf(chosenIn(readFileSync(CHOSEN, 'utf8'))).filter((_, index) => index % EACH === 0);

it('a fixed text is as it was said to be', () => {
  lawful(pairs.flatMap(faultsOf));
  expect(tally.fixed).toBeGreaterThan(pairs.length / 5);
  expect(tally.inPart).toBeGreaterThan(0);
});

/** Each variant and the next one of its file. */
function pairsOf(variants: readonly Variant[]): readonly (readonly [Variant, Variant])[] {
  return variants.flatMap((one, index) => {
    const next = variants[index + 1];
    return next?.file === one.file ? [[one, next] as const] : [];
  });
}

function faultsOf([one, other]: readonly [Variant, Variant]): string[] {
  const whole = readFileSync(`fixtures/formats/${one.file}`, 'utf8');
  const once = changedText(one, whole) ?? whole;
  const text = changedText(other, once) ?? once;
  const turn = Number.parseInt(sum(JSON.stringify([one, other])), 16);
  const provider = turn % 3 === 0 ? providers[turn % providers.length]!.id : undefined;
  const settings: FixSettings = { provider, asRequest: turn % 2 === 0 };
  const name = `${one.file} ${JSON.stringify([one.path, one.change, other.path, other.change, settings])}`;
  try {
    return faultsIn(text, settings).map((fault) => `${name}: ${fault}`);
  } catch (error) {
    if (!isTranscriptError(error)) return [`${name}: ${error}`];
    return []; // refused, and nothing is written
  }
}

function faultsIn(text: string, settings: FixSettings): string[] {
  const fixed = fixedText(text, settings);
  if (fixed.text === text) return [];
  tally.fixed++;
  if (fixed.left.length > 0) tally.inPart++;
  if (!isReadable(fixed.text)) return [];
  const again = fixedText(fixed.text, settings);
  return [
    ...again.before.filter((found) => !fixed.left.includes(found)).map((found) => `is not said to be left: ${found}`),
    ...(again.text === fixed.text ? [] : ['a second fix changes more']),
  ];
}

const line = (uuid: string, parentUuid: string | null, role: string, content: unknown, isSidechain = true) =>
  JSON.stringify({ parentUuid, isSidechain, sessionId: 's', type: role, message: { role, content }, uuid });

describe('a fix that does not help', () => {
  it('leaves the text as it is, and the finding', () => {
    // the API refuses an empty list as it refuses an empty part
    const text = '{"contents":[{"role":"user","parts":[{"text":""}]}]}';
    const { text: written, left } = fixedText(text, { provider: 'gemini', asRequest: true });
    expect([written, left]).toEqual([text, [expect.stringContaining('gemini/part-without-data')]]);
  });

  it('adds no second line under the id of the first', () => {
    const text = [
      line('m1', null, 'user', 'Look.', false),
      line('a2', 'gone', 'assistant', [{ type: 'text', text: 'I look.' }]),
      line('m2', 'm1', 'assistant', [{ type: 'text', text: 'Done.' }], false),
      '',
    ].join('\n');
    const ids = fixedText(text, {}).text.match(/"uuid":"[^"]+"/g)!;
    expect(new Set(ids).size).toBe(ids.length);
  });
});

it('what one fix uncovers, the next one fixes', () => {
  const whole = readFileSync('fixtures/formats/chatgpt-export/hand-indented.json', 'utf8');
  const text = whole.replace('"parent": "n7"', '"parent": 1');
  // a branch that begins with a result: without it, its call stands at the end of another
  const { before, left, text: written } = fixedText(text, { provider: 'azure' });
  expect([before, left]).toEqual([['chat/tool-result-orphan: the result of python has no call before it'], []]);
  expect(written.match(/"name": ?"python"/g)).toHaveLength(1);
});
