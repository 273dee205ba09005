/** Reads Parquet row by row: of each column, no more than a page is in memory. */
import type { Compressors, FileMetaData, KeyValue, SchemaElement, SchemaTree } from 'hyparquet';
import { assembleNested } from 'hyparquet/src/assemble.js';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { parquetMetadata, parquetSchema } from 'hyparquet/src/metadata.js';
import { isTranscriptError } from '../../errors.js';
import { broken, type Column, columnsOf } from './columns.js';
import { rowJson } from './json.js';
import { type Bytes, type ColumnPages, pagesOf } from './pages.js';

/** What a file is written by, so that it stays as it is but for what changes. */
export interface ParquetForm {
  readonly schema: readonly SchemaElement[];
  readonly pairs: readonly KeyValue[];
  /** How each top-level column is compressed. */
  readonly codecs: ReadonlyMap<string, string>;
}

export interface ParquetFile {
  readonly form: ParquetForm;
  readonly rows: number;
  /** Rows as lines of JSON, some at a time. */
  lines(): Generator<string, void, void>;
}

/** The first bytes and the last ones. */
export const PARQUET_MARK = 'PAR1';
const TAIL = 8;

/** Throws TranscriptError for what is no Parquet. */
export function openParquet(bytes: Bytes, decompressors: Compressors): ParquetFile {
  return sound(() => {
    const metadata = metadataOf(bytes);
    const { all, stored } = columnsOf(metadata.schema);
    const tree = parquetSchema({ ...metadata, schema: [...stored] });
    return {
      form: { schema: metadata.schema, pairs: metadata.key_value_metadata ?? [], codecs: codecsOf(metadata) },
      rows: Number(metadata.num_rows),
      lines: () => linesOf({ bytes, metadata, columns: all, tree, decompressors }),
    };
  });
}

function metadataOf(bytes: Bytes): FileMetaData {
  const tail = bytes.length < TAIL + 4 ? new Uint8Array(TAIL) : bytes.at(bytes.length - TAIL, TAIL);
  const mark = Buffer.from(tail).latin1Slice(4);
  if (mark === 'PARE') throw broken('it is encrypted');
  if (mark !== PARQUET_MARK) throw broken('its end is missing, so it was not written to the end');
  const length = new DataView(tail.buffer, tail.byteOffset).getUint32(0, true) + TAIL;
  if (length > bytes.length) throw broken('its end is wrong');
  return parquetMetadata(bytes.at(bytes.length - length, length), { geoparquet: false });
}

function codecsOf({ row_groups: [group] }: FileMetaData): Map<string, string> {
  const all = (group?.columns ?? []).flatMap(({ meta_data }) => (meta_data === undefined ? [] : [meta_data]));
  return new Map(all.map(({ path_in_schema: [name = ''], codec }) => [name, codec]));
}

interface Source {
  readonly bytes: Bytes;
  readonly metadata: FileMetaData;
  readonly columns: readonly Column[];
  readonly tree: SchemaTree;
  readonly decompressors: Compressors;
}

/** Rows that are put together at once. */
const BATCH = 256;

function* linesOf(source: Source): Generator<string, void, void> {
  const { metadata, bytes, tree, decompressors } = source;
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows);
    const pages = sound(() => group.columns.map((chunk) => pagesOf({ chunk, rows, tree, bytes, decompressors })));
    for (let left = rows; left > 0; ) {
      const count = sound(() => rowsAtHand(pages, Math.min(left, BATCH)));
      yield sound(() => linesIn(source, pages, count));
      left -= count;
    }
  }
}

/** As many rows as every column has. */
function rowsAtHand(pages: readonly ColumnPages[], most: number): number {
  let count = most;
  for (const column of pages) count = Math.min(count, column.atHand());
  if (count === 0) throw broken('a column ends too early');
  return count;
}

function linesIn({ columns, tree }: Source, pages: readonly ColumnPages[], count: number): string {
  const data = new Map(pages.map((column) => [column.path, column.take(count)]));
  const values = tree.children.map((child) => {
    if (child.children.length > 0) assembleNested(data, child, DEFAULT_PARSERS);
    return data.get(child.path.join('.')) ?? [];
  });
  let text = '';
  for (let row = 0; row < count; row++) {
    const cells = values.map((column) => column[row]);
    text += `${rowJson(columns, cells)}\n`;
  }
  return text;
}

/** What the library throws for broken files, as one sentence. */
function sound<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (isTranscriptError(error)) throw error;
    throw broken(`it is damaged (${(error as Error).message})`);
  }
}
