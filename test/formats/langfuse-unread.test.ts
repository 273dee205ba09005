/** What stands in a Langfuse trace, and in none of its transcripts. */
import { expect, it } from 'vitest';
import type { Unread } from '../../src/omissions.js';
import { addUnread, unreadIn } from '../../src/source/unread/unread.js';
import { piecesOf } from '../shared/opened.js';

const generation = (id: string, question: string, answer: string) => ({
  id,
  traceId: 'trace-1',
  type: 'GENERATION',
  input: JSON.stringify([{ role: 'user', content: question }]),
  output: JSON.stringify({ role: 'assistant', content: answer }),
});
const observations = [
  generation('o1', 'Is it sunny in Porto?', 'Yes, all day long.'),
  generation('o2', 'Write a title.', 'Porto in the sun'),
];

function unreadOf(text: string): Unread | undefined {
  const pieces = piecesOf(text);
  const { format } = pieces.find((piece) => piece.type === 'detected')!.detection;
  expect(format.id).toBe('langfuse');
  return pieces.reduce<Unread | undefined>((sum, piece) => addUnread(sum, unreadIn(piece, format)), undefined);
}

it.each([
  ['a trace', JSON.stringify({ trace: { id: 'trace-1' }, observations })],
  ['a table', observations.map((row) => `${JSON.stringify(row)}\n`).join('')],
])('in %s, what a request says that the longest one does not have is counted', (_, text) => {
  expect(unreadOf(text)).toMatchObject({ texts: 2 });
  const answer = 'Yes, all day long.';
  const whole = JSON.stringify([
    { role: 'user', content: 'Is it sunny in Porto?' },
    { role: 'assistant', content: answer },
    { role: 'user', content: 'Write a title.' },
  ]);
  const title = JSON.stringify(JSON.stringify([{ role: 'user', content: 'Write a title.' }]));
  expect(unreadOf(text.replace(title, JSON.stringify(whole)))).toBeUndefined();
});
