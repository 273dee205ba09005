import type { ParquetForm } from '../../source/parquet/read.js';

/** How a file is compressed. */
export type Packing = 'none' | 'gzip' | 'zstd' | ParquetPacking;

/** Rows in columns, which are read and written as lines of JSON. */
export interface ParquetPacking {
  readonly kind: 'parquet';
  /** That of the file that is replaced; a new file gets the form that fits. */
  readonly form?: ParquetForm;
  /** A row as JSON that has a value everywhere: the columns of a new file have at least its types. */
  readonly template?: string | undefined;
}

/**
 * The first bytes of gzip and zstd: RFC 1952, section 2.3.1, and RFC 8878, section 3.1.1. Those of SQLite's databases
 * are refused: https://www.sqlite.org/fileformat.html#magic_header_string (2026-11-26)
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
export const PACKED = /^(?:\x1f\x8b|\x28\xb5\x2f\xfd|SQLi)/;
