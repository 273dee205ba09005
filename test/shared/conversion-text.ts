import { type Conversion, printConversion } from '../../src/conversion/convert.js';

/** A conversion as JSON text: indented, or on one line. */
export function conversionText(conversion: Pick<Conversion, 'json'>, isLine: boolean): string {
  const pieces: string[] = [];
  const slice = (bytes: Buffer, start: number, end: number) => pieces.push(bytes.toString('utf8', start, end));
  printConversion({ slice, text: (text) => pieces.push(text) }, conversion, isLine);
  return pieces.join('');
}
