import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };
const codePoint = fc.nat(0x10ffff - SURROGATES.count).map((at) => (at < SURROGATES.first ? at : at + SURROGATES.count));

/**
 * Any text of Unicode. `fc.string({ unit: 'binary' })` is the same, but makes a table of all 1.1 million characters
 * first: a second of processor time, and 100 MB, for each thread.
 */
export const anyText = (maxLength = 10): fc.Arbitrary<string> =>
  fc.array(codePoint, { maxLength }).map((points) => String.fromCodePoint(...points));
