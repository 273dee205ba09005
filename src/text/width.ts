/** The width of a text in columns of a terminal. */
import { eastAsianWidth } from 'get-east-asian-width';
import { graphemes } from '../transcript/graphemes.js';

/** Each takes one column, and is a cluster of its own: what reports and most Western texts are made of. */
const NARROW = /^[ -~\u00a1-\u00a8\u00aa-\u00ac\u00af-\u024f\u2010-\u2027\u2030-\u205e\u2190-\u2193\u2200-\u22ff]*$/;

export function widthOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  return graphemes(text).reduce(
    (width, cluster) => width + (cluster.length === 1 ? unitWidth : clusterWidth)(cluster),
    0,
  );
}

/** A single UTF-16 unit is looked up once. */
function unitWidth(unit: string): number {
  const code = unit.charCodeAt(0);
  const known = unitWidths[code]!;
  if (known > 0) return known - 1;
  const width = clusterWidth(unit);
  unitWidths[code] = width + 1;
  return width;
}

const unitWidths = new Uint8Array(1 << 16);

/**
 * Emoji are recognized by their parts: making the pattern `\p{RGI_Emoji}` takes 25 milliseconds.
 * https://www.unicode.org/reports/tr51/#Emoji_Presentation
 */
function clusterWidth(cluster: string): number {
  const visible = cluster.replace(/^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{M}\p{Cs}]+/u, '');
  if (visible === '') return 0;
  if (
    /^(?!\p{RI}(?!\p{RI})).*\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|^[\d#*]\uFE0F\u20E3/u.test(cluster)
  )
    return 2;
  const [first, ...others] = [...visible].map((character) => character.codePointAt(0)!);
  const wide = others.filter((code) => code >= 0xff00 && code <= 0xffef); // such as voiced marks of half width
  return [first!, ...wide].reduce((width, code) => width + eastAsianWidth(code), 0);
}
