/** Parameters and tools of requests: what no example of a rule shows. */
import { expect, it } from 'vitest';
import { bytesOf } from '../../src/rules/shared/images.js';
import { checked } from '../shared/examined.js';

const REQUEST = { model: 'claude-sonnet-4-5', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] };
const found = (more: object, rule: string) =>
  checked({ ...REQUEST, ...more }, 'anthropic', rule, { asRequest: true }).findings;

it.each([
  [['END'], 0],
  [[' '], 1],
  [['END', '\n'], 1],
])('stop_sequences %j: %i findings, as a blank one stops nothing', (stop, count) => {
  expect(found({ stop_sequences: stop }, 'request/parameter-removed')).toHaveLength(count);
});

it('a custom tool of Anthropic without a schema is as incomplete as one without a type', () => {
  const [plain] = found({ tools: [{ name: 'a' }] }, 'request/tool-incomplete');
  expect(plain).toContain('input_schema');
  expect(found({ tools: [{ type: 'custom', name: 'a' }] }, 'request/tool-incomplete')).toEqual([plain]);
  expect(found({ tools: [{ name: 'a', input_schema: { type: 'object' } }] }, 'request/tool-incomplete')).toEqual([]);
});

it.each([
  ['', 0],
  ['QQ==', 1],
  ['QUI=', 2],
  ['QUJD', 3],
  ['QU\nJD\nQQ==', 4],
])('%j holds %i bytes', (base64, bytes) => {
  expect(bytesOf(base64)).toBe(bytes);
});

it('a response of Gemini without a name says so, whatever its call is called', () => {
  const said = (name: string, answer: object) => {
    const contents = [
      { role: 'user', parts: [{ text: 'x' }] },
      { role: 'model', parts: [{ functionCall: { name, args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { ...answer, response: { r: 1 } } }] },
    ];
    return checked({ contents }, 'gemini', 'gemini/function-response-name').findings;
  };
  expect(said('a', { name: 'a' })).toEqual([]);
  expect(said('a', { name: '' })).toEqual(['gemini/function-response-name: the result of a has no `name`']);
});
