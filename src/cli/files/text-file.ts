/** Reads what users write beside their recordings: configs, policies, rules, price lists. */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { TranscriptError } from '../../errors.js';
import { unreadable } from './input.js';

/** The text of a file without its mark. Throws TranscriptError if it cannot be read, or is not UTF-8. */
export function textFile(name: string, cwd: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(resolve(cwd, name));
  } catch (error) {
    throw unreadable(name, error);
  }
  return textIn(bytes, name);
}

/** Of a file that was read. */
export function textIn(bytes: Buffer, name: string): string {
  if (isUtf8(bytes)) return bytes.toString().replace(/^\ufeff/, '');
  const before = bytes.toString('utf8', 0, faultIn(bytes)).split('\n');
  throw new TranscriptError('encoding', 'these bytes are not UTF-8; convert the file to UTF-8 first (iconv -t UTF-8)', {
    file: name,
    line: before.length,
    column: before.at(-1)!.length + 1,
  });
}

function faultIn(bytes: Buffer): number {
  const again = Buffer.from(bytes.toString());
  let at = 0;
  while (bytes[at] === again[at]) at++;
  return at;
}
