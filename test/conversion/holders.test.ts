/** The members of a record that its messages stand in are not named as lost: they are converted. */
import { expect, it } from 'vitest';
import { convert } from '../../src/engine/convert/convert.js';
import { fixtures } from '../shared/recordings.js';

const V1 = {
  model: 'command-r',
  message: 'And now?',
  preamble: 'Be brief.',
  chat_history: [{ role: 'USER', message: 'hi' }],
  connectors: [{ id: 'web-search' }],
};
const beside = (text: string | Uint8Array): string[] =>
  convert(text, 'anthropic').flatMap(({ lost }) =>
    lost.flatMap(({ what }) => (what.startsWith('what stands beside') ? (what.match(/`[^`]+`/g) ?? []) : [])),
  );

it('of Cohere, but what else it sets is named', () => {
  expect(beside(JSON.stringify(V1))).toEqual(['`connectors`']);
});

it.each([
  ['atif', 'steps'],
  ['tau2', 'ticks'],
  ['chatgpt-export', 'mapping'],
  ['open-webui', 'chat'],
  ['autogen', 'agent_states'],
])('of %s', (format, member) => {
  const held = fixtures().filter(({ format: own, bytes }) => own === format && bytes.includes(`"${member}"`));
  expect(held).not.toEqual([]);
  for (const { bytes } of held) expect(beside(bytes)).not.toContain(`\`${member}\``);
});

it('a message of the user of which nothing is left is no message', () => {
  const file = { role: 'user', content: [{ type: 'document', source: { type: 'file', file_id: 'file_1' } }] };
  const messages = [{ role: 'user', content: 'hi' }, { role: 'assistant', content: 'ho' }, file];
  const [{ value, lost }] = convert(JSON.stringify(messages), 'groq') as unknown as [
    { value: object[]; lost: readonly { loss: boolean }[] },
  ];
  expect(value).toEqual(messages.slice(0, 2));
  expect(lost.some(({ loss }) => loss)).toBe(true);
});
