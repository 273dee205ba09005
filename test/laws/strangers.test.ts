/**
 * A message whose parts all have a shape that nobody documents is never taken in silence: the format cannot be told, or
 * what the parts hold is counted as unread. Tried on the blocks of each format's fixtures, made strange.
 */
import { describe, expect, it } from 'vitest';
import { isTranscriptError } from '../../src/errors.js';
import type { Unread } from '../../src/omissions.js';
import { addUnread, unreadIn } from '../../src/source/unread/unread.js';
import { piecesOf } from '../shared/opened.js';
import { fixtures } from '../shared/recordings.js';

const LARGEST = 12_000;
const LISTS = new Set(['content', 'parts']);

/** Blocks that repeat what stands beside them. */
const REPEATED: Readonly<Record<string, string>> = {
  'vscode-chat/hand-shown.json': 'the parts of what the user wrote, as the text field shows them',
};

interface Made {
  readonly value: unknown;
  readonly count: number;
}

/** The value with each block of a message as an object that no program writes. */
function strange(value: unknown): Made {
  let count = 0;
  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(
      Object.entries(node).map(([key, member]) => {
        if (!LISTS.has(key) || !isBlocks(member)) return [key, visit(member)];
        count += member.length;
        return [key, member.map(stranger)];
      }),
    );
  };
  const made = visit(value);
  return { value: made, count };
}

function isBlocks(member: unknown): member is Record<string, unknown>[] {
  return (
    Array.isArray(member) && member.length > 0 && member.every((item) => typeof item === 'object' && item !== null)
  );
}

function stranger(block: Record<string, unknown>): Record<string, unknown> {
  const held = { nobody_reads: 'what was said' };
  return block['type'] === undefined ? held : { type: 'nobodys', ...held };
}

/** A recording made strange, as JSON or as lines of it; undefined where it holds no blocks. */
function madeStrange(text: string): string | undefined {
  try {
    const { value, count } = strange(JSON.parse(text));
    return count === 0 ? undefined : JSON.stringify(value);
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const all = lines.map((line) => {
      try {
        return strange(JSON.parse(line));
      } catch {
        return { value: undefined, count: 0 };
      }
    });
    const read = all.filter(({ value }) => value !== undefined);
    return read.some(({ count }) => count > 0)
      ? read.map(({ value }) => `${JSON.stringify(value)}\n`).join('')
      : undefined;
  }
}

/** Whether a text is refused, or what is not read of it is counted. */
function isTold(text: string, from?: string): boolean {
  try {
    const pieces = piecesOf(text, from);
    const { format } = pieces.find((piece) => piece.type === 'detected')!.detection;
    return (
      pieces.reduce<Unread | undefined>((sum, piece) => addUnread(sum, unreadIn(piece, format)), undefined) !==
      undefined
    );
  } catch (error) {
    if (isTranscriptError(error)) return true;
    throw error;
  }
}

const all = fixtures().flatMap(({ name, bytes, format }) => {
  const text = bytes.length > LARGEST || name in REPEATED ? undefined : madeStrange(bytes.toString());
  return text === undefined ? [] : [{ name, text, format }];
});

describe('blocks that nobody documents', () => {
  it.each(all)('$name', ({ text, format }) => {
    expect(isTold(text)).toBe(true);
    expect(isTold(text, format), 'as its own format').toBe(true);
  });

  it('are tried in many formats', () => {
    expect(new Set(all.map(({ format }) => format)).size).toBeGreaterThan(20);
  });
});
