/** The reading of a log without its content gives the same requests as the full reading. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formats } from '../../../src/formats/index.js';
import { type RecordedPart, recordedPart } from '../../../src/measure/stats/recorded-part.js';
import { readLedger } from '../../../src/source/ledger.js';
import { open } from '../../../src/source/open.js';
import { readerOver } from '../../../src/source/read-back.js';
import type { Transcript } from '../../../src/transcript/types.js';
import { runs } from '../../shared/random-runs.js';
import { fixtures, type Recording, sharedRecordings } from '../../shared/recordings.js';

interface Read {
  readonly line: number;
  readonly part: RecordedPart | undefined;
}

const UNPRICED = { prices: undefined, at: undefined };

function partsOf(line: number, transcripts: readonly Transcript[]): Read[] {
  return transcripts.map((transcript) => ({ line, part: recordedPart(transcript, UNPRICED) }));
}

/** As `stats --recorded` reads a file in full; undefined if that fails or warns. */
function inFull(bytes: Buffer): readonly Read[] | undefined {
  const parts: Read[] = [];
  try {
    for (const piece of open(readerOver(bytes), { onlyWith: 'usage' })) {
      if (piece.type === 'warning') return undefined;
      if (piece.type === 'opened') parts.push(...partsOf(piece.line, piece.transcripts));
    }
  } catch {
    return undefined;
  }
  return parts;
}

function withoutContent(bytes: Buffer): readonly Read[] | undefined {
  const log = readLedger(readerOver(bytes));
  return log && partsOf(log.line, log.transcripts);
}

const recordings = [...fixtures(), ...sharedRecordings()];
const isLog = ({ name }: Recording) => name.startsWith('claude-code/') && name.endsWith('.jsonl');
const logs = recordings.filter(isLog);

it.each(recordings.map(({ name, bytes }) => [name, bytes] as const))('%s', (_, bytes) => {
  const found = withoutContent(bytes);
  if (found !== undefined) expect(found).toEqual(inFull(bytes));
});

it('reads most Claude Code logs without their content', () => {
  const read = logs.filter(({ bytes }) => withoutContent(bytes) !== undefined);
  expect(read.length).toBeGreaterThan(logs.length / 2);
});

it('says of each format whether it has a ledger', () => {
  for (const { hasLedger, load } of formats) expect(load().ledger !== undefined).toBe(hasLedger === true);
});

// --- random edits

const lines = logs.flatMap(({ bytes }) =>
  bytes
    .toString()
    .split('\n')
    .filter((line) => line !== '' && line.length < 20_000),
);
const others = recordings
  .filter((recording) => !isLog(recording) && recording.name.endsWith('.jsonl'))
  .flatMap(({ bytes }) => bytes.toString().split('\n', 20))
  .filter((line) => line !== '' && line.length < 5000);

const RUNS = runs(1 / 2);
/** What random edits put in place of a member or a string of a line. */
const VALUES = ['null', '0', '-1', '1.5', '1e3', '""', '"x"', '[]', '{}', '[{}]', 'true', '"user"', '"tool_result"'];

interface Edit {
  readonly at: number;
  readonly value: string;
}

/** A line with the value of one of its members, at any depth, replaced, or the member renamed. */
function edited(line: string, { at, value }: Edit): string {
  const members = [...line.matchAll(/"([A-Za-z_0-9]+)":("(?:[^"\\]|\\.)*"|-?[\d.]+|true|false|null|\[\]|\{\})/g)];
  if (members.length === 0) return line;
  const { 0: whole, 1: key, index } = members[at % members.length]!;
  const now = value === '' ? `"${key}x":0` : `"${key}":${value}`;
  return line.slice(0, index) + now + line.slice(index + whole.length);
}

const edit = fc.record({ at: fc.nat(200), value: fc.constantFrom('', ...VALUES) });
const line = fc
  .tuple(fc.nat(), fc.array(edit, { maxLength: 3 }))
  .map(([index, edits]) => edits.reduce(edited, lines[index % lines.length]!));
const plain = fc.nat().map((index) => lines[index % lines.length]!);
const other = fc.oneof(
  fc.nat().map((index) => others[index % others.length]!),
  fc.constantFrom('{"type":"mode"}', '[1]', '0', '', '{"a":\n1}', '{"usage":1} {"usage":2}', '{"cut":', '\u00e9'),
);
const log = fc
  .array(fc.oneof({ weight: 8, arbitrary: plain }, { weight: 6, arbitrary: line }, { weight: 1, arbitrary: other }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((all) => Buffer.from(`${all.join('\n')}\n`));

it('reads edited logs as the full reading does, or leaves them to it', () => {
  let read = 0;
  fc.assert(
    fc.property(log, (bytes) => {
      const found = withoutContent(bytes);
      if (found === undefined) return;
      read++;
      expect(found).toEqual(inFull(bytes));
    }),
    RUNS,
  );
  expect(read).toBeGreaterThan(RUNS.numRuns / 3);
});

it('leaves a log of which no part is read to the full reading, which refuses it', () => {
  const reply = (type: string) => {
    const message = { role: 'assistant', content: [{ type, text: 'a' }], usage: { input_tokens: 1, output_tokens: 1 } };
    return Buffer.from(JSON.stringify({ type: 'assistant', uuid: 'u', sessionId: 's', isSidechain: false, message }));
  };
  expect(withoutContent(reply('text'))).toHaveLength(1);
  expect([withoutContent(reply('telepathy')), inFull(reply('telepathy'))]).toEqual([undefined, undefined]);
});

it('leaves logs of other formats to the full reading', () => {
  for (const { format, name, bytes } of recordings) {
    if (!name.endsWith('.jsonl') || format === 'claude-code' || name.startsWith('claude-code/')) continue;
    expect(readLedger(readerOver(bytes)), name).toBeUndefined();
  }
});
