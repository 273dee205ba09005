/**
 * Session logs repeat results: text that a transform removes from the messages must not remain anywhere in the file.
 */
import { describe, expect, it } from 'vitest';
import { joinTexts, textOf } from '../../src/transcript/text.js';
import type { Message, Part } from '../../src/transcript/types.js';
import { openText, sourceOf } from '../shared/opened.js';
import { fixtures, sampled, sharedRecordings } from '../shared/recordings.js';
import { rewriteText } from '../shared/rewrite-text.js';

const LOGS = /^(?:claude-code|codex-rollout|pi-session)\//;
/** A text of this length cannot occur twice by chance. */
const LONG = 200;
const LIMIT = 1000;
const LINE_NUMBER = /^ *\d+→/gm;

const STEPS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['filter', { maxToolCalls: 1 }],
  ['truncate', { maxLength: LIMIT }],
  ['truncate', { maxLength: LIMIT, keep: 'tail' }],
  ['truncate', { maxLength: LIMIT, keep: 'both' }],
  ['strip', {}],
];

const logs = [...fixtures(), ...sharedRecordings()].filter(({ name }) => LOGS.test(name));

describe.each(sampled(logs, 'duplicates'))('$name', ({ bytes }) => {
  const before = messagesIn(bytes.toString());

  it.each(STEPS)('%s %j', (id, options) => {
    const output = rewriteText(bytes, id, options);
    const after = messagesIn(output);
    const kept = after.map(said).join('\n');
    const spellings = [kept, kept.replace(LINE_NUMBER, '')];
    const isLeft = (text: string) => spellings.some((spelling) => spelling.includes(text));

    const everything = output.split('\n').flatMap((line) => stringsOf(parsed(line)));
    const removed = new Set(before.flatMap(resultsOf).filter((text) => text.length > LONG && !isLeft(text)));
    expect([...removed].filter((text) => everything.some((other) => other.includes(text)))).toEqual([]);

    if (id !== 'truncate') return;
    const wholes = before.filter((message) => resultsOf(message).length > 0);
    const cut = after.filter((message) => resultsOf(message).length > 0);
    expect(cut).toHaveLength(wholes.length);
    cut.forEach((message, index) => {
      const line = stringsOf(parsed(sourceOf(message)));
      const pieces = resultsOf(wholes[index]!)
        .flatMap(stretches)
        .filter((piece) => !isLeft(piece));
      expect(pieces.filter((piece) => line.some((text) => text.includes(piece)))).toEqual([]);
    });
  });
});

/** Chunks of a long text beyond the limit on both sides, with and without the line numbers that an agent adds. */
function stretches(text: string): string[] {
  const middle = text.slice(LIMIT, -LIMIT);
  const plain = middle.replace(/^[^\n]*\n/, '').replace(LINE_NUMBER, '');
  return [middle, plain].flatMap((spelling) =>
    Array.from({ length: Math.floor(spelling.length / LONG) }, (_, index) =>
      spelling.slice(index * LONG, (index + 1) * LONG),
    ),
  );
}

function messagesIn(text: string): Message[] {
  return openText(text).transcripts.flatMap(({ messages }) => messages.filter(({ role }) => role !== 'meta'));
}

function resultsOf({ parts }: Message): string[] {
  return parts.flatMap((part) => (part.type === 'result' ? joinTexts(part.content) : []));
}

/** All texts of a message. */
function said({ parts }: Message): string {
  const say = (part: Part): string => {
    if (part.type === 'call') return stringsOf(parsed(textOf(part.input))).join('\n');
    if (part.type === 'result') return part.content.map(say).join('');
    return 'text' in part && part.text !== undefined ? textOf(part.text) : '';
  };
  return parts.map(say).join('\n');
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(stringsOf) : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
