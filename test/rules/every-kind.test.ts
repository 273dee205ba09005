/**
 * Each kind of message and block that a provider's published schema knows, whole and with each member spoiled: the
 * shapes judge it as the schema does. Where they do not, every-kind.txt says so; `UPDATE=1` writes it anew.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from '../../src/json/node.js';
import { ANTHROPIC_MESSAGE } from '../../src/rules/shapes/anthropic.js';
import { BEDROCK_MESSAGE } from '../../src/rules/shapes/bedrock.js';
import { COHERE_MESSAGE } from '../../src/rules/shapes/cohere.js';
import { GEMINI_CONTENT } from '../../src/rules/shapes/gemini.js';
import { GROQ_MESSAGE } from '../../src/rules/shapes/groq.js';
import { CHAT_MESSAGE } from '../../src/rules/shapes/openai-chat.js';
import { RESPONSES_ITEM, RESPONSES_MESSAGE, RESPONSES_REFERENCE } from '../../src/rules/shapes/responses.js';
import { faultsIn, type Shape } from '../../src/rules/shapes/shape.js';
import { type Schema, valuesOf } from '../shared/schema-examples.js';
import { type Json, mutated, mutationsOf } from '../shared/schema-mutations.js';
import { refused } from '../shared/schemas.js';

type Fields = { readonly [key: string]: Json };
type ShapeOf = (message: Fields) => Shape;

const KEPT = 'test/rules/every-kind.txt';
/** Of the ways to spoil a member, those that differ for nearly every shape. */
const WAYS = /(?:missing|null|a number|a text|an object|an empty list|one more)$/;
const DEEPEST = 6;
/** Texts of which a schema says no more than that they are texts. */
const SAID: Readonly<Record<string, string>> = { role: 'user', uri: 's3://bucket/key', bucketOwner: '123456789012' };

const FORMATS: readonly (readonly [format: string, file: string, reference: string, shapeOf: ShapeOf])[] = [
  ['openai-chat', 'openai-chat', '#/components/schemas/ChatCompletionRequestMessage', () => CHAT_MESSAGE],
  [
    'openai-responses',
    'openai-responses',
    '#/components/schemas/InputItem',
    ({ type, role }) => (type ? RESPONSES_ITEM : role === undefined ? RESPONSES_REFERENCE : RESPONSES_MESSAGE),
  ],
  ['anthropic-messages', 'anthropic-messages', '#/definitions/MessageParam', () => ANTHROPIC_MESSAGE],
  ['gemini-contents', 'gemini-contents', '#/definitions/Content', () => GEMINI_CONTENT],
  ['cohere', 'cohere-messages', '#/definitions/ChatMessageV2.Raw', () => COHERE_MESSAGE],
  ['groq', 'groq-messages', '#/definitions/ChatCompletionMessageParam', () => GROQ_MESSAGE],
  ['bedrock-converse', 'bedrock-converse', '#/definitions/Message', () => BEDROCK_MESSAGE],
];

it('the shapes judge as the published schemas do, but for what is kept', () => {
  const told = FORMATS.flatMap(([format, file, reference, shapeOf]) => {
    const root = JSON.parse(readFileSync(`fixtures/schemas/${file}.schema.json`, 'utf8')) as Schema;
    const values = valuesOf({ $ref: reference }, root).map(said);
    const valid = values.filter((value) => refused(format, [value]).length === 0);
    return [`# ${format}`, ...differences(valid, format, shapeOf)];
  });
  const text = `${told.join('\n')}\n`;
  if (process.env['UPDATE']) writeFileSync(KEPT, text);
  expect(text).toBe(readFileSync(KEPT, 'utf8'));
});

function said(value: Json): Fields {
  const withTexts = (key: string, member: Json) => (member === 'x' && Object.hasOwn(SAID, key) ? SAID[key] : member);
  return JSON.parse(JSON.stringify(value), withTexts) as Fields;
}

interface Verdicts {
  readonly alike: string[];
  readonly laxer: string[];
  readonly stricter: string[];
}

/** A line for each member: in which ways it is spoiled for the schema alone (`laxer`), or for the shape alone. */
function differences(values: readonly Fields[], format: string, shapeOf: ShapeOf): readonly string[] {
  const found = new Map<string, Verdicts>();
  const faultsOf = (value: Fields) => [...faultsIn(parse(JSON.stringify(value)), shapeOf(value), '')];
  const whole = new Set(values.flatMap((value) => faultsOf(value).map(({ text }) => text.replaceAll(/\[\d+\]/g, ''))));
  const seen = new Set<string>();
  for (const value of values.filter((one) => faultsOf(one).length === 0))
    for (const mutation of mutationsOf([value]).filter(({ name, path }) => WAYS.test(name) && isNear(path))) {
      const place = placeOf(value, mutation.path);
      const way = WAYS.exec(mutation.name)![0];
      if (seen.has(`${place} ${way}`)) continue;
      seen.add(`${place} ${way}`);
      const [spoiled] = mutated([value], mutation) as [Fields];
      const isRefused = refused(format, [spoiled]).length > 0;
      const isFaulty = faultsOf(spoiled).length > 0;
      const verdicts = found.get(place) ?? { alike: [], laxer: [], stricter: [] };
      found.set(place, verdicts);
      if (isRefused !== isFaulty) verdicts[isRefused ? 'laxer' : 'stricter'].push(way);
      else if (isRefused) verdicts.alike.push(way);
    }
  const isUnseen = ({ alike, laxer }: Verdicts) => alike.length === 0 && laxer.length > 2;
  const open = [...found].flatMap(([place, verdicts]) =>
    isUnseen(verdicts) || verdicts.laxer.includes('an object') ? [place] : [],
  );
  const isBelow = (place: string) => open.some((above) => place !== above && place.startsWith(above));
  const lines = [...found].flatMap(([place, verdicts]) => {
    if (isBelow(place)) return [];
    if (isUnseen(verdicts)) return [`not looked into: ${place}`];
    const told = { laxer: verdicts.laxer, stricter: verdicts.stricter };
    return Object.entries(told).flatMap(([word, ways]) =>
      ways.length > 0 ? `${word}: ${place}: ${ways.join(', ')}` : [],
    );
  });
  const agreed = [...found].reduce((sum, [, { alike }]) => sum + alike.length, 0);
  return [`${agreed} refused by both`, ...[...whole].map((text) => `stricter: ${text}`), ...lines];
}

const isNear = (path: string) => path !== '0' && path.split('.').length <= DEEPEST;

/** The path of a member without its indexes, with the types of what it is in. */
function placeOf(value: Json, path: string): string {
  let at: Json | undefined = value;
  return path
    .split('.')
    .slice(1)
    .map((key) => {
      const { type, role } = at as Fields;
      at = (at as Fields)[key];
      const kind = typeof type === 'string' ? `(${type})` : typeof role === 'string' ? `(${role})` : '';
      return Number.isNaN(Number(key)) ? `${kind}.${key}` : '[]';
    })
    .join('');
}
