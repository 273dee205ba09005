/** Our own signs in ASCII, for a terminal that is not UTF-8. Other characters of a recording stay as they are. */

const SIGNS: Readonly<Record<string, string>> = {
  ...{ '…': '...', '⋯': '...', '→': '->', '←': '<-', '−': '-', '–': '-', '—': '--', '±': '+/-', '×': 'x' },
  ...{ '≥': '>=', '≤': '<=', '·': '.', '│': '|', '‘': "'", '’': "'", '“': '"', '”': '"' },
  ...{ '█': '#', '▉': '#', '▊': '=', '▋': '=', '▌': '=', '▍': '-', '▎': '-', '▏': '-' },
  ...{ '▁': '_', '▂': '_', '▃': '-', '▄': '-', '▅': '=', '▆': '=', '▇': '#' },
};
const SIGN = new RegExp(`[${Object.keys(SIGNS).join('')}]`, 'g');

/** A cell of a table that was cut keeps its width, and so does a number with a space to spare. */
export function asciiSigns(text: string): string {
  return text
    .replace(/(?<=\S.)..…(?= {2})/g, '...')
    .replace(/(?<= {2}|^)…..(?=\S)/gm, '...')
    .replace(/(?<= ) ≥/g, '>=')
    .replace(SIGN, (sign) => SIGNS[sign]!);
}

/** Windows has no such variables, and its terminals take UTF-8. Elsewhere, no variable means ASCII. */
export function takesUtf8(env: Readonly<Record<string, string | undefined>>, platform: string): boolean {
  // https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html#tag_08_02 (2024): the first that is not empty
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return platform === 'win32' || /utf-?8/i.test(locale);
}
