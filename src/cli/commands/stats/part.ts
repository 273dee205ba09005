/** Reads a file written by `stats --format json`, which may be larger than memory. */
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { type StatsPartTranscript, statsPart, statsPartTranscript } from '../../../documents/schemas/stats.js';
import { TranscriptError } from '../../../errors.js';
import { type JsonNode, parse } from '../../../json/node.js';
import { type Read, rows, type Span } from '../../../json/rows.js';
import { unreadable } from '../../files/input.js';

export interface PartTranscript {
  readonly transcript: StatsPartTranscript;
  readonly node: JsonNode;
  readonly version: number;
}

type Rest = z.output<typeof statsPart>;

interface Source {
  /** Reads from this position of the file on. */
  from(position: number): Read;
  close(): void;
}

/** As the program writes it. Other JSON with the same members is read whole. */
const BEGINNING = /^\s*\{\s*"version"\s*:\s*([12])\s*,\s*"transcripts"\s*:\s*(?=\[)/;
const BEGINNING_BYTES = 256;

/** Hands over one transcript after the other. Returns what the part says beside them. */
export function partReader(cwd: string): (name: string, take: (one: PartTranscript) => void) => Rest {
  const kept = new Map<string, Buffer>();
  return (name, take) => {
    const wrong = (what: string) =>
      new TranscriptError('usage', `${what}; --merge takes files written by \`ctx-trim stats --format json\``, {
        file: name,
      });
    const source = opened(name, cwd, kept);
    try {
      return readPart(source, take, wrong);
    } catch (error) {
      if (error instanceof TranscriptError && error.code === 'usage') throw error;
      throw wrong(error instanceof TranscriptError || error instanceof SyntaxError ? error.message : String(error));
    } finally {
      source.close();
    }
  };
}

/** What is no file, such as a pipe, can be read only once, so its bytes are kept. */
function opened(name: string, cwd: string, kept: Map<string, Buffer>): Source {
  const path = resolve(cwd, name);
  try {
    if (name !== '-' && statSync(path).isFile()) {
      const file = openSync(path, 'r');
      return {
        from: (position) => (buffer, at, length) => {
          const got = readSync(file, buffer, at, length, position);
          position += got;
          return got;
        },
        close: () => closeSync(file),
      };
    }
    const bytes = kept.get(name) ?? readFileSync(name === '-' ? 0 : path);
    kept.set(name, bytes);
    return {
      from: (position) => (buffer, at, length) => {
        const got = bytes.copy(buffer, at, position, position + length);
        position += got;
        return got;
      },
      close: () => undefined,
    };
  } catch (error) {
    throw unreadable(name, error);
  }
}

function readPart(source: Source, take: (one: PartTranscript) => void, wrong: (what: string) => Error): Rest {
  const checked = <T extends z.ZodType>(schema: T, value: unknown, path = ''): z.output<T> => {
    const read = schema.safeParse(value);
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    throw wrong(`\`${path}${issue!.path.join('.')}\`: ${issue!.message}`);
  };
  const takeNode = (node: JsonNode, index: number, version: number) => {
    const value = version === 1 ? withPromptTokens(plain(node)) : plain(node);
    take({ transcript: checked(statsPartTranscript, value, `transcripts.${index}.`), node, version });
  };
  const beginning = BEGINNING.exec(bytesFrom(source, 0, BEGINNING_BYTES).latin1Slice());
  if (beginning !== null) {
    const [head, version] = beginning;
    const end = eachElement(source, head.length, (node, index) => takeNode(node, index, Number(version)));
    const rest = Buffer.concat([Buffer.from(`${head}[]`), bytesFrom(source, end)]);
    return checked(statsPart, JSON.parse(rest.toString()));
  }
  const root = parse(bytesFrom(source, 0));
  const members = root.isObject ? root.members().filter(({ key }) => key.string !== 'transcripts') : [];
  const version = root.get('version');
  if (version !== undefined && version.number !== 1 && version.number !== 2)
    throw wrong(`version ${version.text} is unknown; write it again with this version of ctx-trim`);
  const rest = checked(statsPart, Object.fromEntries(members.map(({ key, value }) => [key.string, plain(value)])));
  const transcripts = root.get('transcripts');
  if (transcripts?.isArray !== true) throw wrong('`transcripts`: expected an array');
  for (const [index, node] of transcripts.items().entries()) takeNode(node, index, rest.version);
  return rest;
}

/** Reads the array that begins at a position. Returns where it ends. */
function eachElement(source: Source, start: number, take: (node: JsonNode, index: number) => void): number {
  let end = start;
  let count = 0;
  const reuse = { isOn: () => true, settle: () => undefined };
  for (const event of rows(source.from(start), { reuse })) {
    if (event.type === 'record') {
      end += lengthOf(event.gap) + event.root.byteLength;
      take(event.root, count++);
    } else if (event.type === 'open' || event.type === 'close') end += lengthOf(event.span);
    if (event.type === 'close') break;
  }
  return end;
}

function lengthOf({ start, end }: Span): number {
  return end - start;
}

function bytesFrom(source: Source, position: number, most = Number.POSITIVE_INFINITY): Buffer {
  const read = source.from(position);
  const pieces: Buffer[] = [];
  for (let size = 0; size < most; ) {
    const piece = Buffer.alloc(Math.min(most - size, 1 << 20));
    const got = read(piece, 0, piece.length);
    if (got === 0) break;
    pieces.push(piece.subarray(0, got));
    size += got;
  }
  return Buffer.concat(pieces);
}

function plain(node: JsonNode): unknown {
  return JSON.parse(node.text);
}

/** In version 1, totals name the tokens of the prompt `tokens`. */
function withPromptTokens(transcript: unknown): unknown {
  const { totals } = (transcript ?? {}) as { totals?: Record<string, unknown> };
  if (totals === undefined) return transcript;
  const { tokens, tokens_source: source } = totals;
  return { ...(transcript as object), totals: { ...totals, prompt_tokens: tokens, prompt_tokens_source: source } };
}
