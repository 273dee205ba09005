/** Answers that stand beside a request, under names such as `response`, and that no message holds. */
import { expect, it } from 'vitest';
import { addUnread, unreadIn } from '../../src/source/unread/unread.js';
import { openText, piecesOf } from '../shared/opened.js';

const ASKED = [{ role: 'user', content: 'Which port is it?' }];
const TOLD = [...ASKED, { role: 'assistant', content: 'It is port 80.' }];
const REPLY = 'It is port 80.';

function unread(value: unknown) {
  const text = JSON.stringify(value);
  const { format } = openText(text).detection;
  return piecesOf(text)
    .map((piece) => unreadIn(piece, format))
    .reduce(addUnread, undefined);
}

it.each<[string, unknown, number]>([
  ['a log of llm', [{ prompt_json: { messages: ASKED }, response: REPLY }], 1],
  ['a request and its completion', { messages: ASKED, completion: REPLY }, 1],
  [
    'several runs',
    {
      runs: [
        { messages: ASKED, output: 'Port 8080, I guess.' },
        { messages: TOLD, output: REPLY },
      ],
    },
    1,
  ],
  ['two answers', { data: { messages: ASKED, answer: REPLY }, prediction: 'Port 8080, I guess.' }, 2],
])('of %s are counted', (_, value, texts) => {
  expect(unread(value)?.texts).toBe(texts);
});

it.each<[string, unknown]>([
  ['a message says the same', { messages: TOLD, response: REPLY }],
  ['it is a label', { messages: TOLD, answer: 'eighty', output: '' }],
  ['it is not around the messages', { messages: TOLD, config: { response: 'a text of its own' } }],
])('none where %s', (_, value) => {
  expect(unread(value)).toBeUndefined();
});
