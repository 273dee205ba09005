/**
 * Nothing in silence: texts and calls that stand in the JSON of a recording are in its messages, or are counted as
 * unread. The judge knows only JSON, and only spellings that cannot mean anything else.
 */
import { describe, expect, it } from 'vitest';
import { isTranscriptError } from '../../src/errors.js';
import type { Unread } from '../../src/omissions.js';
import type { Piece } from '../../src/source/piece.js';
import { addUnread, unreadIn } from '../../src/source/unread/unread.js';
import { textOf } from '../../src/transcript/text.js';
import type { Part, Transcript } from '../../src/transcript/types.js';
import { ALL } from '../shared/effort.js';
import { piecesOf } from '../shared/opened.js';
import { fixtures, sharedRecordings } from '../shared/recordings.js';

const recordings = [...fixtures(), ...sharedRecordings()].filter(({ bytes }) => bytes.length < 400_000);

/** Rows that a format passes over on purpose, although they look like content: what they are. */
const PASSED_OVER: Readonly<Record<string, string>> = {
  'atif/': 'copies of the context that an agent started with',
  'copilot-cli/': 'events that show what messages hold',
  'codex-rollout/': 'messages before a compaction, repeated in `replacement_history`',
  'gemini-cli-session/': 'earlier versions of a message, which the agent ignores',
  'gemini-cli/': 'the same',
  'claude-code/': 'progress of sub-agents, which their own files hold',
  'opencode/': 'parts that are shown to the user alone',
  kimi: 'events that are shown to the user alone',
  'swe-agent': 'prompts as the agent sent them, with shortened results',
  'mini-swe-agent/': 'the row at the end of a run',
  inspect: 'events, with texts as references',
  'promptfoo/': 'the grader of a result',
  'open-webui/hand-blocks.json': 'the HTML around calls and reasoning in a content, which are read apart',
  'pi-session/hand-context.json': 'a turn that was aborted, which the agent does not send again',
};

interface Content {
  readonly texts: readonly string[];
  readonly calls: readonly string[];
}

/** What a value certainly holds. */
function contentOf(value: unknown): Content {
  const texts: string[] = [];
  const calls: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const item of node) visit(item);
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    const object = node as Record<string, unknown>;
    const { role, content, type, text, name, input } = object;
    if (typeof role === 'string' && /^(?:user|assistant)$/.test(role) && typeof content === 'string')
      texts.push(content);
    if (type === 'text' && typeof text === 'string') texts.push(text);
    if (type === 'tool_use' && typeof name === 'string' && input !== undefined) calls.push(name);
    const calling = object['tool_calls'];
    for (const call of Array.isArray(calling) ? calling : []) {
      const called = (call as { function?: { name?: unknown } } | null)?.function?.name;
      if (typeof called === 'string') calls.push(called);
    }
    for (const [key, member] of Object.entries(object)) if (!ASIDE.has(key)) visit(member);
  };
  visit(value);
  return { texts: texts.filter((one) => one.trim() !== ''), calls };
}

const ASIDE = new Set([
  ...['tools', 'input', 'arguments', 'toolUseResult', 'reasoning_details', 'details', 'summary', 'citations'],
]);

/** Everything that messages say, in any spelling: texts, names of tools, arguments. */
function saidBy(transcripts: readonly Transcript[]): string {
  const said = (part: Part): string[] => {
    if (part.type === 'call') return [part.tool, textOf(part.input)];
    if (part.type === 'result') return part.content.flatMap(said);
    return part.type === 'text' || part.type === 'thinking' ? [textOf(part.text)] : stringsIn(part.raw);
  };
  return transcripts
    .flatMap(({ messages }) => messages.flatMap(({ parts }) => [...parts.flatMap(said), joinedTexts(parts)]))
    .join('\n');
}

/** A member that repeats all texts of a message. */
function joinedTexts(parts: readonly Part[]): string {
  return parts.map((part) => (part.type === 'text' ? textOf(part.text) : '')).join('');
}

/** All strings in a value of a part that the format does not know, but keeps and counts. */
function stringsIn(raw: unknown): string[] {
  const strings: string[] = [];
  JSON.parse(JSON.stringify(raw ?? null), (_, value: unknown) => {
    if (typeof value === 'string') strings.push(value);
    return value;
  });
  return strings;
}

/** The values of a file: its lines, the elements of its array, or itself. */
function valuesOf(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    return text.split('\n').flatMap((line) => {
      try {
        return [JSON.parse(line) as unknown];
      } catch {
        return [];
      }
    });
  }
}

interface Reading {
  readonly transcripts: readonly Transcript[];
  readonly unread: Unread | undefined;
}

function readingOf(text: string | Buffer): Reading | undefined {
  let pieces: readonly Piece[];
  try {
    pieces = piecesOf(text);
  } catch (error) {
    if (isTranscriptError(error)) return undefined; // refused with a word
    throw error;
  }
  const { format } = pieces.find((piece) => piece.type === 'detected')!.detection;
  return {
    transcripts: pieces.flatMap((piece) => (piece.type === 'opened' ? piece.transcripts : [])),
    unread: pieces.reduce<Unread | undefined>((sum, piece) => addUnread(sum, unreadIn(piece, format)), undefined),
  };
}

/** Values with content that is neither in messages nor counted. */
function silent(values: readonly unknown[], { transcripts, unread }: Reading): number {
  const said = saidBy(transcripts);
  const missing = values.filter((value) => {
    const { texts, calls } = contentOf(value);
    return [...texts, ...calls].some((one) => !said.includes(one) && !said.includes(one.trim()));
  });
  return Math.max(0, missing.length - (unread?.rows ?? 0));
}

const logs = recordings.filter(({ name }) => !Object.keys(PASSED_OVER).some((start) => name.startsWith(start)));

describe('what a recording holds is in its messages, or counted', () => {
  it.each(logs)('$name', ({ bytes }) => {
    const reading = readingOf(bytes);
    expect(reading).toBeDefined();
    expect(silent(valuesOf(bytes.toString()), reading!)).toBe(0);
  });
});

describe('two recordings mixed, line by line', () => {
  const few = (values: readonly unknown[]) => values.slice(0, 12);
  it.each(logs)('$name', ({ name, bytes }) => {
    const own = few(valuesOf(bytes.toString()));
    const start = logs.findIndex((one) => one.name === name);
    for (const step of ALL ? [1, 7, 19, 31, 43] : [7, 31]) {
      const other = few(valuesOf(logs[(start + step * step) % logs.length]!.bytes.toString()));
      const mixed = own.flatMap((value, index) => (index < other.length ? [value, other[index]!] : [value]));
      const reading = readingOf(mixed.map((value) => JSON.stringify(value)).join('\n'));
      if (reading !== undefined) expect(silent(mixed, reading), String(step)).toBe(0);
    }
  });
});
