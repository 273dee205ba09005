/** The pages of a column, one after the other. */

import { parquetHeader, readPage } from 'hyparquet/src/column.js';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { decompressPage } from 'hyparquet/src/datapage.js';
import { getMaxRepetitionLevel, getTreePath, isFlatColumn } from 'hyparquet/src/schema.js';
import type {
  ColumnChunk,
  ColumnDecoder,
  Compressors,
  DecodedArray,
  PageHeader,
  SchemaTree,
} from 'hyparquet/src/types.js';
import { broken } from './columns.js';
import { hasLongRun } from './runs.js';

/** Bytes anywhere in a file. */
export interface Bytes {
  readonly length: number;
  at(position: number, length: number): Uint8Array;
}

export interface ColumnPages {
  readonly path: string;
  /** How many rows are whole; reads a page if there is none. */
  atHand(): number;
  /** The next rows, at most as many as are at hand. */
  take(count: number): DecodedArray;
}

export interface PagesSource {
  readonly chunk: ColumnChunk;
  /** In the row group. */
  readonly rows: number;
  readonly tree: SchemaTree;
  readonly bytes: Bytes;
  readonly decompressors: Compressors;
}

/** A page that unfolds to more is made to fill the memory. */
const LARGEST = 1 << 30;
/** Most values of a page, which takes no bytes where all are the same. */
const MOST_VALUES = 1 << 26;

export function pagesOf({ chunk, rows, tree, bytes, decompressors }: PagesSource): ColumnPages {
  const meta = chunk.meta_data;
  if (meta === undefined || chunk.file_path) throw broken('its columns are in another file');
  if (chunk.crypto_metadata !== undefined) throw broken('it is encrypted');
  const schemaPath = getTreePath(tree, meta.path_in_schema);
  const { element } = schemaPath.at(-1)!;
  const decoder: ColumnDecoder = {
    ...{ pathInSchema: meta.path_in_schema, schemaPath, element, type: meta.type, codec: meta.codec },
    ...{ parsers: DEFAULT_PARSERS, compressors: decompressors, utf8: false },
  };
  const [isFlat, isRepeated] = [isFlatColumn(schemaPath), getMaxRepetitionLevel(schemaPath) > 0];
  let position = startOf(meta);
  const end = position + Number(meta.total_compressed_size);
  let dictionary: DecodedArray | undefined;
  let ready: DecodedArray = [];
  let at = 0;
  let held: unknown[] = []; // a row that the next page may continue
  let seen = 0;

  const readOne = () => {
    const { header, length } = headerAt(bytes, position, end);
    const size = length + header.compressed_page_size;
    if (header.compressed_page_size < 0 || position + size > end) throw broken('a page is longer than its column');
    rejectHuge(header, isFlat ? Math.min(rows, MOST_VALUES) : MOST_VALUES);
    const page = unpacked(bytes.at(position + length, header.compressed_page_size), header, decoder);
    position += size;
    if (hasLongRun(page, header, decoder)) throw broken('a page has more values than it says');
    const reader = { view: new DataView(page.buffer, page.byteOffset, page.length), offset: 0 };
    const plain = { ...header, compressed_page_size: page.length };
    const { data } = readPage(reader, plain, { ...decoder, codec: 'UNCOMPRESSED' }, dictionary, held, 0);
    if (header.type === 'DICTIONARY_PAGE') dictionary = data;
    else if (valuesOf(header) > 0) settle(data ?? []);
  };
  const settle = (data: DecodedArray) => {
    const isOpen = isRepeated && position < end;
    held = isOpen ? [data[data.length - 1]] : [];
    ready = isOpen ? data.slice(0, -1) : data;
    at = 0;
  };
  return {
    path: meta.path_in_schema.join('.'),
    atHand() {
      while (at === ready.length && position < end) readOne();
      if (at === ready.length && held.length > 0) [ready, at, held] = [held, 0, []];
      return ready.length - at;
    },
    take(count) {
      const taken = Array.from(ready.slice(at, at + count));
      at += count;
      seen += count;
      if (seen > rows) throw broken('a column has too many rows');
      return taken;
    },
  };
}

/** Levels of a page of the second version are not compressed. Some writers compress an empty dictionary. */
function unpacked(page: Uint8Array, header: PageHeader, { codec, compressors }: ColumnDecoder): Uint8Array {
  const { data_page_header_v2: two, uncompressed_page_size: size } = header;
  if (two === undefined) return size === 0 ? page.subarray(0, 0) : decompressPage(page, size, codec, compressors);
  const levels = two.repetition_levels_byte_length + two.definition_levels_byte_length;
  if (two.is_compressed === false || size === levels) return page;
  const values = decompressPage(page.subarray(levels), size - levels, codec, compressors);
  return Buffer.concat([page.subarray(0, levels), values]);
}

function startOf({
  dictionary_page_offset: dictionary,
  data_page_offset: data,
}: NonNullable<ColumnChunk['meta_data']>) {
  const first = dictionary === undefined || dictionary <= 0n || dictionary > data ? data : dictionary;
  return Number(first);
}

/** Headers are short, but for statistics of long values. */
const HEADS = [1 << 10, 1 << 16, 1 << 22];

function headerAt(bytes: Bytes, position: number, end: number): { header: PageHeader; length: number } {
  for (const most of HEADS) {
    const head = bytes.at(position, Math.min(most, end - position));
    const reader = { view: new DataView(head.buffer, head.byteOffset, head.length), offset: 0 };
    try {
      const header = parquetHeader(reader);
      if (reader.offset <= head.length) return { header, length: reader.offset };
    } catch (error) {
      if (head.length < most || most === HEADS.at(-1)) throw error;
    }
  }
  throw broken('the head of a page is too long');
}

function valuesOf({
  data_page_header: one,
  data_page_header_v2: two,
  dictionary_page_header: words,
}: PageHeader): number {
  return (one ?? two ?? words)?.num_values ?? 0;
}

function rejectHuge(header: PageHeader, most: number): void {
  const isWord = header.type === 'DICTIONARY_PAGE';
  const values = valuesOf(header);
  if (Number(header.uncompressed_page_size) > LARGEST) throw broken('a page unfolds to more than 1 GB');
  if (values < 0 || values > (isWord ? MOST_VALUES : most)) throw broken('a page has too many values');
}
