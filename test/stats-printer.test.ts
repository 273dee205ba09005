/** `stats --format json` is printed in pieces, so that it is never in memory as a whole: they are the document. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { printed } from '../src/documents/print.js';
import { statsDocument, statsPrinter } from '../src/documents/stats.js';
import { statisticsOf } from '../src/engine/stats/statistics.js';

const CHAT = '{"model":"gpt-4o","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"Hello."}]}';
const LOG = readFileSync('fixtures/formats/claude-code/hand-branch.jsonl', 'utf8');

it.each([
  ['one transcript', CHAT, {}],
  ['several transcripts', `${CHAT}\n${CHAT}\n`, {}],
  ['no row', CHAT, { by: 'message' }],
  ['rows of two keys', LOG, { by: 'session,model', tools: true }],
  ['no transcript', CHAT, { since: '2030-01-01' }],
])('the pieces are the document: %s', async (_, text, options) => {
  const all = await statisticsOf(text, options);
  const { transcripts, facts, ...end } = all;
  const printer = statsPrinter();
  const pieces = transcripts.map(([of, requests, carried]) =>
    printer.transcript(of, requests, end.carries ? carried : undefined),
  );
  expect([...pieces, ...printer.end(facts, end)].join('')).toBe(printed(statsDocument(all)));
});
