/** What we write, a provider accepts: every output is judged by the published schema of its format. */
import { describe, expect, it } from 'vitest';
import { convert, targetNamed } from '../../src/conversion/convert.js';
import type { Safety } from '../../src/findings.js';
import { formatNamed } from '../../src/formats/index.js';
import { defaultsOf, type Options, type Values } from '../../src/options/option.js';
import { allRules } from '../../src/rules/index.js';
import { ownProvider } from '../../src/rules/own-provider.js';
import { applyFixes, rulesFor } from '../../src/rules/run-rules.js';
import type { Opened } from '../../src/source/piece.js';
import type { Message, Transcript } from '../../src/transcript/types.js';
import { transformNamed } from '../../src/transforms/index.js';
import { applySteps } from '../../src/transforms/pipeline.js';
import { conversionText } from '../shared/conversion-text.js';
import { ALL, cases } from '../shared/effort.js';
import { openText, sourceOf } from '../shared/opened.js';
import { randomHistory, WRITTEN } from '../shared/random-histories.js';
import { fixtures, type Recording, sampled, sharedRecordings } from '../shared/recordings.js';
import { CHARACTERS } from '../shared/rewrite-text.js';
import { judged, refused } from '../shared/schemas.js';
import { forEveryTransform } from '../shared/trials.js';

const rules = allRules();

/** `HISTORIES=10000 npx vitest run test/schemas` tries so many of each format, and whole recordings. */
const HISTORIES = cases(6, 25, 'HISTORIES');
/** So much of a recording tells what the rest would. */
const ENOUGH = process.env['HISTORIES'] === undefined ? 1 << 12 : Number.POSITIVE_INFINITY;

const EXAMPLES: readonly Message[] = [
  { role: 'user', parts: [{ type: 'text', text: 'What did we say?' }] },
  { role: 'assistant', parts: [{ type: 'call', callId: 'example01', tool: 'query', input: '{"q":"x"}' }] },
  {
    role: 'tool',
    parts: [{ type: 'result', callId: 'example01', tool: 'query', content: [{ type: 'text', text: 'This.' }] }],
  },
];

/** The least that makes each transform bite. */
const STEPS = forEveryTransform([
  ['patch', {}],
  ['patch', { orphan: 'text', duplicate: 'last', placeholder: 'auto', lang: 'ja' }],
  ['patch', { orphan: 'keep', late: 'drop', pending: 'drop' }],
  ['filter', { maxToolCalls: 0 }],
  ['filter', { maxToolCalls: 1, unit: 'round', dropUser: true }],
  ['filter', { maxToolCalls: 1, marker: true }],
  ['truncate', { maxLength: 80, noMinimum: true }],
  ['clear', { trigger: 0, keep: 0, clearInputs: true }],
  ['clear', { trigger: 0, keep: 0, minSize: 0 }],
  ['dedupe', {}],
  ['dedupe', { lines: true }],
  ['prune', { reasoning: true, images: true, empty: true, records: true }],
  ['fit', { maxTokens: 60, everything: true }],
  ['strip', {}],
  ['strip', { keepText: true, keepToolNames: true, retryPrompt: true }],
  ['inject', { system: 'Be careful.', user: 'Go on.', fewShot: EXAMPLES }],
]);

const SAFETIES: readonly (readonly Safety[])[] = [['safe'], ['safe', 'synthetic'], ['safe', 'synthetic', 'lossy']];

type Change = (transcript: Transcript, piece: Opened) => Transcript;

const CHANGES: readonly (readonly [name: string, change: Change])[] = [
  ...STEPS.map(([id, options]): [string, Change] => {
    const transform = transformNamed(id);
    const values = { ...defaultsOf(transform.options), ...options } as Values<Options>;
    return [
      `${id} ${JSON.stringify(options).slice(0, 60)}`,
      (transcript) => applySteps(transcript, [{ transform, values }], CHARACTERS),
    ];
  }),
  ...SAFETIES.flatMap((safeties) =>
    [false, true].map((asRequest): [string, Change] => [
      `check --fix ${safeties.join(', ')}${asRequest ? ' --as-request' : ''}`,
      (transcript, { record }) => {
        const provider = ownProvider(transcript);
        const contextUse = () => ({ tokens: 0, window: undefined });
        const options = { provider, asRequest, format: formatNamed(transcript.format), record, contextUse };
        return applyFixes(transcript, rulesFor(rules, provider, asRequest), new Set(safeties), options);
      },
    ]),
  ),
];

/** The text that is written of a recording, and the messages in it, a list for each transcript. */
function changed(text: string, from: string, change: Change): string {
  const written: string[] = [];
  const sink = {
    slice: (bytes: Uint8Array, start: number, end: number) =>
      written.push(Buffer.from(bytes.subarray(start, end)).toString()),
    text: (added: string) => written.push(added),
  };
  const { pieces } = openText(text, { from });
  for (const piece of pieces)
    piece.save(
      sink,
      piece.transcripts.map((transcript) => change(transcript, piece)),
    );
  return written.join('');
}

/** The JSON of the messages of a record of one format, of which there is one list. */
function messagesIn(record: unknown, list: string): readonly unknown[] {
  return Array.isArray(record) ? record : ((record as Record<string, unknown>)[list] as unknown[]);
}

describe.each(judged.filter((format) => WRITTEN.includes(format)))('random histories of %s', (format) => {
  const { encode } = targetNamed(format);
  const histories = Array.from({ length: HISTORIES }, (_, seed) => randomHistory(format, seed + 1)).filter(
    (record) => refused(format, messagesIn(record, encode.messages)).length === 0,
  );

  it('are valid themselves, mostly', () => {
    expect(histories.length).toBeGreaterThan(HISTORIES * 0.9);
  });

  it.each(CHANGES)('%s', (_, change) => {
    const found = histories.flatMap((record) => {
      const text = JSON.stringify(record);
      const after: unknown = JSON.parse(changed(text, format, change));
      return refused(format, messagesIn(after, encode.messages)).map((fault) => `${fault} of ${text}`);
    });
    expect(found.slice(0, 3)).toEqual([]);
  });

  it.each(judged)('converted to %s', (to) => {
    const target = targetNamed(to);
    const found = histories.flatMap((record) => {
      const text = JSON.stringify(record);
      return convertedTo(text, format, to).flatMap((value) =>
        refused(to, messagesIn(value, target.encode.messages)).map((fault) => `${fault} of ${text}`),
      );
    });
    expect(found.slice(0, 3)).toEqual([]);
  });
});

function convertedTo(text: string, from: string | undefined, to: string): unknown[] {
  const { detection, pieces } = openText(text, from === undefined ? {} : { from });
  return pieces.flatMap((piece) =>
    piece.transcripts.map(
      (transcript) =>
        JSON.parse(
          conversionText(convert(transcript, detection.format, targetNamed(to), piece.record), true),
        ) as unknown,
    ),
  );
}

/** All of the fixtures; of what is shared the beginning, and all where more was asked for. */
const RECORDINGS = [...sampled(fixtures(), 'schemas'), ...sharedRecordings().flatMap(shortened)];
/** What stands in a recording for values that nobody is to see: no API gave them. */
const TRIMMED = '[trimmed for fixture]';

const JUDGED = RECORDINGS.filter(({ bytes }) => !bytes.includes(TRIMMED)).map((one, at) => ({ ...one, at }));

describe.each(JUDGED)('$name', ({ bytes, at }) => {
  const text = bytes.toString();
  const { detection, transcripts } = openText(text);
  const format = detection.format.id;

  it.runIf(judged.includes(format))('is taken after any change, where it was before', () => {
    const wasRefused = transcripts.map((transcript) => refusedIn(transcript, format).length > 0);
    const found = CHANGES.flatMap(([name, change]) => {
      const output = changed(text, format, change);
      if (output === text) return [];
      const after = openText(output, { from: format }).transcripts;
      return after.flatMap((transcript, at) =>
        wasRefused[at] ? [] : refusedIn(transcript, format).map((fault) => `${name}: ${fault}`),
      );
    });
    expect(found.slice(0, 3)).toEqual([]);
  });

  it('is taken when it was converted', () => {
    // every second one, by turns
    const some = judged.filter((_, index) => ALL || index % 2 === at % 2);
    const found = some.flatMap((to) => {
      const { encode } = targetNamed(to);
      const values = convertedTo(text, undefined, to);
      return values.flatMap((value) =>
        refused(to, messagesIn(value, encode.messages)).map((fault) => `${to}: ${fault}`),
      );
    });
    expect(found.slice(0, 3)).toEqual([]);
  });
});

/** What the schema refuses of the messages that were read: not of what stands beside them or around them. */
function refusedIn({ messages }: Transcript, format: string): string[] {
  const values = messages.flatMap((message) =>
    message.role === 'meta' ? [] : [JSON.parse(sourceOf(message)) as unknown],
  );
  const isMessage = (value: unknown) =>
    typeof value === 'object' &&
    value !== null &&
    ('role' in value || ('type' in value && value.type !== 'computer_call_output'));
  return refused(format, values.filter(isMessage));
}

/** Whole lines from the beginning of a JSON Lines file that is longer than needed; a document that is, not at all. */
function shortened(recording: Recording): Recording[] {
  const { name, bytes } = recording;
  if (bytes.length <= ENOUGH) return [recording];
  const end = bytes.lastIndexOf(0x0a, ENOUGH) + 1;
  return name.endsWith('.jsonl') && end > 0 ? [{ ...recording, bytes: bytes.subarray(0, end) }] : [];
}
