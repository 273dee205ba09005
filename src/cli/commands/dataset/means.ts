/** What only some options need, loaded for them. */
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RowMeans } from '../../../engine/dataset/dataset.js';
import { Grams } from '../../../engine/dataset/grams.js';
import type { NearFile } from '../../../engine/select/near-store.js';
import { isTranscriptError, TranscriptError } from '../../../errors.js';
import type { JsonNode } from '../../../json/node.js';
import { type RowEvent, rows } from '../../../json/rows.js';
import { openInput } from '../../files/input.js';
import { Spool } from '../../files/spool.js';
import { say } from '../../inputs/reading.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { DatasetOptions } from './options.js';

export function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}

export async function meansFor(options: DatasetOptions, terminal: Terminal): Promise<RowMeans> {
  const { maxTokens, secrets, against = [] } = options;
  const redactor =
    secrets === 'keep' ? undefined : (await import('../../outputs/redactor.js')).redactorFor({}, terminal);
  return {
    ...{ hash: sha256, redactor },
    textTokens: maxTokens === undefined ? undefined : await textTokens(options),
    nearFile: options.near === undefined ? undefined : nearFile(),
    grams: against.length === 0 ? undefined : await gramsOf(against, options.ngram, terminal),
  };
}

/** Without a name, so it needs no closing: it goes when the program ends. */
export function nearFile(): NearFile {
  return new Spool(join(tmpdir(), 'near'), 'the index of --near');
}

async function textTokens({ asModel, tokenizer }: DatasetOptions): Promise<NonNullable<RowMeans['textTokens']>> {
  const countingFor = await (await import('../../../node/tokenizer.js')).loadCountings(tokenizer);
  return (model) => {
    const counting = countingFor(asModel ?? model);
    return (text) => counting.text(text);
  };
}

/** All texts of JSON and Parquet, or a file of plain text as one. */
async function gramsOf(files: readonly string[], size: number, terminal: Terminal): Promise<Grams> {
  const grams = new Grams(size);
  for (const name of files) {
    const before = grams.texts;
    try {
      await addFile(grams, name, terminal);
    } catch (error) {
      throw isTranscriptError(error) ? error.at({ file: name }) : error;
    }
    if (grams.texts === before) throw new TranscriptError('usage', '--against: it holds no text', { file: name });
  }
  if (grams.short > 0)
    say(
      terminal,
      `ctx-trim: --against: ${grams.short} of ${grams.texts} texts have less than ${size} words, and count for nothing`,
    );
  return grams;
}

async function addFile(grams: Grams, name: string, terminal: Terminal): Promise<void> {
  const input = await openInput({ name }, terminal);
  try {
    if (/\.(?:txt|md)$/i.test(name)) grams.add(whole(input.read));
    else for (const event of rows(input.read)) addTexts(grams, event);
  } finally {
    input.close();
  }
}

function whole(read: (buffer: Buffer, at: number, length: number) => number): string {
  const pieces: Buffer[] = [];
  for (;;) {
    const piece = Buffer.alloc(1 << 16);
    const got = read(piece, 0, piece.length);
    if (got === 0) return Buffer.concat(pieces).toString();
    pieces.push(piece.subarray(0, got));
  }
}

function addTexts(grams: Grams, event: RowEvent): void {
  if ('error' in event) throw event.error;
  if (event.type === 'record') addNode(grams, event.root);
}

function addNode(grams: Grams, node: JsonNode): void {
  if (node.isString) grams.add(node.text);
  else if (node.isArray) for (const item of node.items()) addNode(grams, item);
  else if (node.isObject) for (const { value } of node.members()) addNode(grams, value);
}
