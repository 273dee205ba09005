/** What a compiled shape lets pass has no fault, and nearly all that has none is let pass. */
import { expect, it } from 'vitest';
import { type JsonNode, parse } from '../../src/json/node.js';
import { ANTHROPIC_MESSAGE } from '../../src/rules/shapes/anthropic.js';
import { BEDROCK_MESSAGE } from '../../src/rules/shapes/bedrock.js';
import { COHERE_MESSAGE } from '../../src/rules/shapes/cohere.js';
import { fits } from '../../src/rules/shapes/fits.js';
import { GEMINI_CONTENT } from '../../src/rules/shapes/gemini.js';
import { CHAT_MESSAGE } from '../../src/rules/shapes/openai-chat.js';
import { RESPONSES_ITEM } from '../../src/rules/shapes/responses.js';
import { faultsIn, type Shape } from '../../src/rules/shapes/shape.js';
import { cases } from '../shared/effort.js';
import { malformed, randomFrom } from '../shared/malform.js';
import { fixtures } from '../shared/recordings.js';

const SHAPES: Readonly<Record<string, Shape>> = {
  'anthropic-messages': ANTHROPIC_MESSAGE,
  'bedrock-converse': BEDROCK_MESSAGE,
  'cohere-chat': COHERE_MESSAGE,
  'gemini-contents': GEMINI_CONTENT,
  'openai-chat': CHAT_MESSAGE,
  'openai-responses': RESPONSES_ITEM,
};
const LISTS = ['messages', 'contents', 'input', 'output'];

function messagesIn(text: string): readonly JsonNode[] {
  return text.split('\n').flatMap((line) => {
    const record = line.length > 50_000 || !/^\s*\{/.test(line) ? undefined : parse(line);
    return LISTS.flatMap((key) => record?.get(key)?.items() ?? []);
  });
}

it.each(Object.entries(SHAPES))('a compiled shape judges as the shape does: %s', (format, shape) => {
  const random = randomFrom(34);
  const recordings = fixtures().filter((one) => one.format === format && one.bytes.length < 12_000);
  const seen = { fine: 0, faulty: 0 };
  for (let left = cases(40, 2000, 'SHAPES'); left > 0; left--)
    for (const node of messagesIn(malformed(recordings[random(recordings.length)]!, random))) {
      const faults = [...faultsIn(node, shape, '')].map(({ text }) => text);
      expect({ json: node.json, fits: fits(node, shape) }).toEqual({ json: node.json, fits: faults.length === 0 });
      seen[faults.length === 0 ? 'fine' : 'faulty']++;
    }
  expect(seen.fine).toBeGreaterThan(2);
  expect(seen.faulty).toBeGreaterThan(2);
});

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CitationLocation.html */
it.each([
  ['web', { url: 'https://example.com', domain: 'example.com' }],
  ...['documentChar', 'documentPage', 'documentChunk'].map(
    (kind) => [kind, { documentIndex: 0, start: 1, end: 2 }] as const,
  ),
  ['searchResultLocation', { searchResultIndex: 0, start: 1, end: 2 }],
] as const)('a citation of Bedrock may stand at a place of the kind %s', (kind, place) => {
  const message = (location: object) => {
    const citation = { title: 't', sourceContent: [{ text: 'x' }], location };
    const content = [{ citationsContent: { content: [{ text: 'x' }], citations: [citation] } }];
    return parse(JSON.stringify({ role: 'assistant', content }));
  };
  expect([...faultsIn(message({ [kind]: place }), BEDROCK_MESSAGE, '')]).toEqual([]);
  const wrong = Object.fromEntries(Object.entries(place).map(([key, value]) => [key, [value]]));
  expect([...faultsIn(message({ [kind]: wrong }), BEDROCK_MESSAGE, '')]).not.toEqual([]);
  expect([...faultsIn(message({ [kind]: { ...place, more: 1 } }), BEDROCK_MESSAGE, '')]).not.toEqual([]);
});

it.each([
  ['{"role":"user","role":"user"}', CHAT_MESSAGE],
  ['{"role":"assistant","role":"user","content":"x"}', ANTHROPIC_MESSAGE],
  ['{"role":"user","content":5,"content":"x"}', ANTHROPIC_MESSAGE],
  ['{"role":"user","content":"x","conten\\u0074":5}', ANTHROPIC_MESSAGE],
  ['{"role":"user","content":"x","other":5}', ANTHROPIC_MESSAGE],
  ['{"parts":[{"text":"x","inlineData":{}}]}', GEMINI_CONTENT],
  ['{"parts":[{"text":"x","inlineData":null}]}', GEMINI_CONTENT],
  ['{"role":"user","content":[{"text":"x","image":{}}]}', BEDROCK_MESSAGE],
  ['{"role":"user","content":[{}]}', BEDROCK_MESSAGE],
] as const)('a compiled shape lets nothing pass that has a fault: %s', (json, shape) => {
  const faults = [...faultsIn(parse(json), shape, '')];
  expect(faults.length === 0 || !fits(parse(json), shape)).toBe(true);
});
