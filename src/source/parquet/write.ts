/** Writes lines of JSON as Parquet: with the columns of the file that they were read from, or with those they need. */
import type { ColumnSource } from 'hyparquet-writer';
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js';
import { ParquetWriter } from 'hyparquet-writer/src/parquet-writer.js';
import { isTranscriptError, TranscriptError } from '../../errors.js';
import { type JsonNode, parse } from '../../json/node.js';
import { type Read, rows } from '../../json/rows.js';
import { type Column, columnsOf, hasPlainOrder } from './columns.js';
import { createShape, schemaOf, widen } from './infer.js';
import { Misfit, rowValues } from './json.js';
import type { ParquetForm } from './read.js';

/** Compresses bytes, by the name of the codec. */
export type Packers = Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>>;

export interface Writing {
  /** Reads the lines from the start: twice, if the columns are not known. */
  readonly lines: () => Read;
  readonly packers: Packers;
}

/** Rows end a group with this many bytes of JSON, so that a reader needs little memory. */
const GROUP_BYTES = 4 << 20;
const GROUP_ROWS = 50_000;
const CREATED_BY = 'ctx-trim';

/** The form that rows need, and a template. Throws TranscriptError, with the row, if they have none. */
export function inferredForm({ lines }: Writing, template?: string): ParquetForm {
  const shape = createShape();
  if (template !== undefined) widen(shape, parse(template));
  eachRow(lines(), (row) => widen(shape, row));
  try {
    return { schema: schemaOf(shape), pairs: [], codecs: new Map() };
  } catch (error) {
    throw misfit(error);
  }
}

/** Whether all rows fit into a form. */
export function fits({ lines }: Writing, { schema }: ParquetForm): boolean {
  const { all, unwritable } = columnsOf(schema);
  if (unwritable !== undefined) return false;
  try {
    eachRow(lines(), (row) => rowValues(all, row));
    return true;
  } catch (error) {
    if (isTranscriptError(error)) return false;
    throw error;
  }
}

/** The file in pieces. Throws TranscriptError, with the row, for what does not fit. */
export function* parquetOf(writing: Writing, form: ParquetForm): Generator<Uint8Array, void, void> {
  const { all, written, unwritable } = columnsOf(form.schema);
  if (unwritable !== undefined)
    throw new TranscriptError('file', `it cannot be written as Parquet again: ${unwritable}; write JSON Lines instead`);
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({
    ...{ writer: bytes, schema: written as never, compressors: writing.packers as never, statistics: true },
    ...{ kvMetadata: [...form.pairs], createdBy: CREATED_BY },
  });
  const groups = groupsOf(writing.lines(), all);
  const plain = all.map(hasPlainOrder);
  for (const group of groups) {
    const columnData = all.map(({ name }, index): ColumnSource => {
      const codec = codecOf(form.codecs.get(name), writing.packers);
      return { name, data: group.map((row) => row[index]), codec: codec as never, statistics: plain[index]! };
    });
    writer.write({ columnData, rowGroupSize: group.length });
    yield taken(bytes);
  }
  writer.schema = form.schema as never; // the columns are stored the same, and get their meaning back
  writer.finish();
  yield taken(bytes);
}

function taken(bytes: ByteWriter): Uint8Array {
  const made = Buffer.from(bytes.getBytes());
  bytes.index = 0;
  return made;
}

function codecOf(codec: string | undefined, packers: Packers): string {
  return codec !== undefined && (codec === 'UNCOMPRESSED' || packers[codec] !== undefined) ? codec : 'SNAPPY';
}

function* groupsOf(lines: Read, columns: readonly Column[]): Generator<unknown[][], void, void> {
  let group: unknown[][] = [];
  let size = 0;
  let row = 0;
  for (const root of recordsIn(lines)) {
    row++;
    group.push(attempt(row, () => rowValues(columns, root)));
    size += root.end - root.start;
    if (size < GROUP_BYTES && group.length < GROUP_ROWS) continue;
    yield group;
    [group, size] = [[], 0];
  }
  if (group.length > 0) yield group;
}

/** None of an empty input: a dataset may lose all of its rows. */
function* recordsIn(lines: Read): Generator<JsonNode, void, void> {
  const first = Buffer.alloc(1);
  let left = lines(first, 0, 1);
  if (left === 0) return;
  const read: Read = (buffer, at, length) => {
    if (left === 0) return lines(buffer, at, length);
    left = 0;
    return first.copy(buffer, at);
  };
  for (const event of rows(read)) if (event.type === 'record') yield event.root;
}

function eachRow(lines: Read, visit: (row: JsonNode) => void): void {
  let row = 0;
  for (const root of recordsIn(lines)) {
    row++;
    attempt(row, () => visit(root));
  }
}

function attempt<T>(row: number, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw misfit(error, row);
  }
}

function misfit(error: unknown, row?: number): unknown {
  if (!(error instanceof Misfit)) return error;
  return new TranscriptError('file', `it cannot be written as Parquet: ${error.message}; nothing was written`, {
    ...(row === undefined ? {} : { line: row }),
  });
}
