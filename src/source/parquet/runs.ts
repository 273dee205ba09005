/** Looks for runs that are longer than their page: hyparquet repeats a value as often as such a run says. */

import { getMaxDefinitionLevel, getMaxRepetitionLevel } from 'hyparquet/src/schema.js';
import type { ColumnDecoder, PageHeader } from 'hyparquet/src/types.js';

interface At {
  readonly bytes: Uint8Array;
  position: number;
}

/**
 * Whether a page, whose values are unpacked, has a run of more values than the page. Levels, words of a dictionary and
 * booleans stand in runs: https://parquet.apache.org/docs/file-format/data-pages/encodings/ (RLE)
 */
export function hasLongRun(page: Uint8Array, header: PageHeader, { schemaPath, type }: ColumnDecoder): boolean {
  const { data_page_header: one, data_page_header_v2: two } = header;
  const { num_values: most, encoding } = one ?? two ?? { num_values: 0, encoding: 'PLAIN' };
  const at: At = { bytes: page, position: 0 };
  const lengths = [two?.repetition_levels_byte_length, two?.definition_levels_byte_length];
  const levels = [getMaxRepetitionLevel(schemaPath), getMaxDefinitionLevel(schemaPath)];
  for (const [index, level] of levels.entries()) {
    const length = lengths[index] ?? (level === 0 ? 0 : lengthAt(at));
    const end = at.position + length;
    if (level > 0 && isLongIn(at, end, { most, width: widthOf(level) })) return true;
    at.position = end;
  }
  if (encoding === 'RLE' && type === 'BOOLEAN') return isLongIn(at, at.position + lengthAt(at), { most, width: 1 });
  if (!/RLE|_DICTIONARY/.test(encoding)) return false;
  return isLongIn(at, page.length, { most, width: page[at.position++] ?? 0 });
}

interface Runs {
  /** Values in the page. */
  readonly most: number;
  /** Bits of a value. */
  readonly width: number;
}

function isLongIn(at: At, end: number, { most, width }: Runs): boolean {
  for (let seen = 0; seen < most && at.position < end; ) {
    const header = varintAt(at);
    const isPacked = (header & 1) === 1; // takes bytes for each value, so that it ends with them
    const count = header >>> 1;
    if (!isPacked && count > most) return true;
    seen += isPacked ? 8 * count : count;
    at.position += isPacked ? count * width : (width + 7) >> 3;
  }
  return false;
}

const widthOf = (level: number) => 32 - Math.clz32(level);

function lengthAt(at: At): number {
  let length = 0;
  for (let index = 0; index < 4; index++) length += (at.bytes[at.position++] ?? 0) * 256 ** index;
  return length;
}

/** As hyparquet reads one: a number of 32 bits. */
function varintAt(at: At): number {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = at.bytes[at.position++] ?? 0;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}
