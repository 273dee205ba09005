/** What `show` prints of recordings: every text, and every message that another command names. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { placesIn } from '../../src/engine/show/address.js';
import { createShow, type ShownTranscript } from '../../src/engine/show/show.js';
import { PLAIN } from '../../src/reports/report.js';
import type { PartLook } from '../../src/reports/show/parts.js';
import { transcriptText } from '../../src/reports/show/transcript.js';
import { shown } from '../../src/safe/text.js';
import { open } from '../../src/source/open.js';
import { readerOver } from '../../src/source/read-back.js';
import { widthOf } from '../../src/text/width.js';
import { byLength } from '../shared/recorded-stats.js';
import { fixtures, sampled, sharedRecordings } from '../shared/recordings.js';

const NAME = 'a.jsonl';
const EVERYTHING = { roles: [], isTool: undefined, pattern: undefined };
const WHOLE: PartLook = { style: PLAIN, width: Number.POSITIVE_INFINITY, full: true, keeps: undefined };

function shownOf(bytes: Uint8Array, ...words: string[]): readonly ShownTranscript[] {
  const { addresses } = placesIn([NAME, ...words], (file) => file === NAME)[0]!;
  const settings = { context: byLength, addresses, filters: EVERYTHING, branches: false, check: undefined };
  const show = createShow(NAME, settings);
  const ready: ShownTranscript[] = [];
  for (const piece of open(readerOver(Buffer.from(bytes)), {}))
    if (piece.type === 'opened') for (const transcript of piece.transcripts) ready.push(...show.add(transcript, piece));
  const { shown: rest, missing } = show.close();
  expect(missing).toEqual([]);
  return [...ready, ...rest];
}

const textOf = (transcripts: readonly ShownTranscript[], look = WHOLE) =>
  transcripts.flatMap((transcript) => [...transcriptText(transcript, look)]).join('');

/** The keys of what people and models said, in formats in which nothing else has them. */
const SAID: Readonly<Record<string, RegExp>> = {
  'openai-chat': /^(?:content|text)$/,
  'anthropic-messages': /^(?:content|text|thinking)$/,
  'gemini-contents': /^text$/,
  sharegpt: /^value$/,
};

/**
 * With the same keys outside of messages, with a role that no provider knows, or with results of a provider's own
 * tools, which are shown as JSON.
 */
const OTHERS = ['zava', 'hand-calls.json', 'pydantic-ai'];

/** The strings under some keys, of JSON or JSON Lines. */
function stringsIn(text: string, keys: RegExp): string[] {
  const found: string[] = [];
  const collect = (key: string, value: unknown) => {
    if (typeof value === 'string' && keys.test(key) && !value.startsWith('{"name"')) found.push(value); // no call
    return value;
  };
  try {
    JSON.parse(text, collect);
  } catch {
    for (const line of text.split('\n'))
      try {
        JSON.parse(line, collect);
      } catch {} // a cut line
  }
  return found;
}

describe('everything that was said is shown', () => {
  const recordings = sampled([...fixtures(), ...sharedRecordings()], 'show').filter(
    ({ name }) => name.split('/')[0]! in SAID && !OTHERS.some((other) => name.includes(other)),
  );

  it('in recordings of several formats', () => {
    expect(recordings.length).toBeGreaterThan(10);
  });

  it.each(recordings)('$name', ({ name, bytes }) => {
    const lines = new Set(
      textOf(shownOf(bytes))
        .split('\n')
        .map((line) => line.trim()),
    );
    const said = stringsIn(bytes.toString(), SAID[name.split('/')[0]!]!);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colors of a terminal are left out
    const plain = said.flatMap((text) => text.replace(/\x1b\[[\d;]*m/g, '').split(/\r?\n/));
    const missing = plain
      .map((line) => shown(line.replaceAll('\t', '    ')).trim())
      .filter((line) => line !== '' && !lines.has(line));
    expect(missing.slice(0, 3)).toEqual([]);
  });
});

it('breaks what people and models said at the width of a terminal, except for code, tables and long words', () => {
  const wide = fixtures().flatMap(({ name, bytes }) => {
    const text = textOf(shownOf(bytes), { ...WHOLE, full: false, width: 80 });
    return text
      .split('\n')
      .filter((line) => widthOf(line) > 80 && !/^\s*\||^\S+:\d+ |^\S+$/.test(line))
      .filter((line) => !bytes.toString().includes(JSON.stringify(line.trim()).slice(1, -1)))
      .map((line) => `${name}: ${line}`);
  });
  expect(wide).toEqual([]);
});

describe('a message at an address', () => {
  const log = readFileSync('fixtures/formats/claude-code/read-again.jsonl');
  const indices = (...words: string[]) =>
    shownOf(log, ...words).flatMap(({ messages }) => messages.map(({ index }) => index));

  it('is the one that stats counts so', () => {
    expect(indices('8')).toEqual([8]);
    expect(indices('1#8', '10..12')).toEqual([8, 10, 11, 12]);
    expect(indices('12..')).toEqual([12, 13, 14, 15, 16]);
  });

  it('is the one in a line of the file', () => {
    const lines = log.toString().trimEnd().split('\n');
    const said = lines.map((line) => {
      const { message } = JSON.parse(line) as { message?: { content: string | { text?: string }[] } };
      const [part] = Array.isArray(message?.content) ? message.content : [];
      return part?.text;
    });
    expect(said.filter((text) => text !== undefined).length).toBeGreaterThan(3);
    for (const [at, text] of said.entries())
      if (text !== undefined) expect(textOf(shownOf(log, `:${at + 1}:1`))).toContain(shown(text.split('\n')[0]!));
  });

  it('is the one around a line and column of a document in many lines', () => {
    const chat = [
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'second' },
      { role: 'user', content: 'third' },
    ];
    const document = JSON.stringify(chat, undefined, 2);
    const line = document.split('\n').findIndex((each) => each.includes('second')) + 1;
    expect(textOf(shownOf(Buffer.from(document), `${line}:9`))).toMatch(/second/);
    expect(textOf(shownOf(Buffer.from(document), `${line}:9`))).not.toMatch(/first|third/);
    expect(textOf(shownOf(Buffer.from(document), 'turn 2'))).toMatch(/third/);
  });

  it('is of the sub-agent that is named', () => {
    const agents = readFileSync('fixtures/formats/claude-code/hand-sidechains.jsonl');
    const [one, ...more] = shownOf(agents, '1/sidechain-a1');
    expect(one!.facts.agent).toBe('sidechain-a1');
    expect(more).toEqual([]);
    expect(shownOf(agents, '0..').map(({ facts }) => facts.agent)).toEqual([undefined]);
  });
});
