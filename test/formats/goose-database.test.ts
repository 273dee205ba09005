/** goose's database: what looks like content and is not read is counted, not passed over; and which sums are told. */
import { expect, it } from 'vitest';
import { gooseSession } from '../../src/formats/goose/goose-database.js';
import { stats } from '../../src/index.js';
import { printed } from '../../src/json/print.js';
import { withoutCompacted } from '../../src/transcript/sent.js';
import { openText } from '../shared/opened.js';
import { saidIn } from '../shared/unread.js';

const ANSWER = { type: 'toolResponse', toolResult: { status: 'success', value: [{ type: 'text', text: 'a.txt' }] } };
const CALL = { type: 'toolRequest', id: 't1', toolCall: { status: 'success', value: { name: 'ls', arguments: {} } } };

const unreadOf = async (...messages: readonly (readonly object[])[]) => {
  const rows = messages.map((contents) => ({
    role: 'user',
    created_timestamp: 1795255200,
    content_json: JSON.stringify(contents),
  }));
  const session = gooseSession('1', (sql) => (/FROM messages/.test(sql) ? rows : [{ id: '1' }]))!;
  const { unread } = await stats(printed(session));
  return unread;
};

it('counts none where all is read', async () => {
  expect(await unreadOf([{ type: 'text', text: 'hi' }], [CALL], [{ ...ANSWER, id: 't1' }])).toEqual([]);
});

it.each<[what: string, contents: readonly object[]]>([
  ['an answer without its call', [{ ...ANSWER, id: 't9' }]],
  [
    'one beside a text',
    [
      { type: 'text', text: 'hi' },
      { ...ANSWER, id: 't9' },
    ],
  ],
  ['a text of another type', [{ type: 'markdown', text: 'What it says.' }]],
])('counts %s', async (_, contents) => {
  expect(await unreadOf([{ type: 'text', text: 'hi' }], contents)).toHaveLength(1);
});

it('tells the sums of all requests, where goose keeps them beside the tokens of the last one', () => {
  const row = { id: '1', input_tokens: 100, accumulated_input_tokens: 900, output_tokens: 10 };
  const session = gooseSession('1', (sql) => (/FROM sessions/.test(sql) ? [row] : []))!;
  const { final_metrics } = JSON.parse(printed(session));
  expect(final_metrics).toMatchObject({ total_prompt_tokens: 900, total_completion_tokens: 10 });
});

it('a summary stands for all before it, as goose hides both it and what asks the model to go on', () => {
  const said = (role: string, text: string, userVisible: boolean | undefined) => ({
    ...{ role, created_timestamp: 1795255200, content_json: JSON.stringify([{ type: 'text', text }]) },
    metadata_json: userVisible === undefined ? null : JSON.stringify({ userVisible, agentVisible: true }),
  });
  const rows = [
    said('user', 'List.', true),
    said('user', 'A hint.', false),
    said('assistant', 'a.txt', undefined),
    said('user', 'There is a.txt.', false),
    said('assistant', 'Go on.', false),
    said('user', 'And now?', true),
  ];
  const session = gooseSession('1', (sql) => (/FROM messages/.test(sql) ? rows : [{ id: '1' }]))!;
  const [transcript] = openText(printed(session)).transcripts;
  expect(saidIn(transcript!).length).toBe(6);
  expect(saidIn(withoutCompacted(transcript!))).toEqual([
    'user text There is a.txt.',
    'assistant text Go on.',
    'user text And now?',
  ]);
});
