/** What Amp sends beside the content of a user's message is a part of it, and stays where it stands. */
import { expect, it } from 'vitest';
import { mapMessages, mapParts } from '../../src/transcript/edit.js';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { mapText } from '../shared/rewrite-text.js';
import { saidIn } from '../shared/unread.js';

const thread = fixture('amp-thread/hand-mentions.json').toString();
const FILE = 'package parser\n\nfunc parse() {\n}\n';

it('between results and texts', () => {
  const said = saidIn(openText(thread).transcripts[0]!);
  expect(said.slice(0, 3)).toEqual([
    `user text ${FILE}`,
    expect.stringMatching(/^user opaque \{"currentlyVisibleFiles".*func parse/),
    'user text Why does @parser.go drop the last line?',
  ]);
  expect(said.slice(-4, -1)).toEqual([
    'tool result toolu_01 FAIL app/parser',
    'tool text Run gofmt before you are done.',
    'tool text Mend it.',
  ]);
});

it('an edit of a file stays in its place, and one that goes takes its file with it', () => {
  const edited = mapText(thread, (transcript) =>
    mapMessages(transcript, (message) =>
      mapParts(message, (part) => (part.type === 'text' ? { ...part, text: 'x' } : part)),
    ),
  );
  expect(edited).toBe(
    thread
      .replaceAll(/("type": "text", "text": )"[^"]*"/g, '$1"x"')
      .replaceAll(/("uri": "[^"]*", "content": )"(?:[^"\\]|\\.)*"/g, '$1"x"'),
  );
  const silent = JSON.parse(
    mapText(thread, (transcript) => mapMessages(transcript, (message) => ({ ...message, parts: [] }))),
  ) as { messages: readonly Record<string, { files?: readonly unknown[] }>[] };
  expect(silent.messages[0]).toEqual({
    ...{ role: 'user', messageId: 0, content: [] },
    fileMentions: { files: [], imageBlocks: [] },
  });
});
