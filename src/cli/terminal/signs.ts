/** Our own signs in ASCII, for a terminal that is not UTF-8. Other characters of a recording stay as they are. */

const SIGNS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ '…': '...', '⋯': '...', '→': '->', '←': '<-', '−': '-', '–': '-', '—': '--', '±': '+/-', '×': 'x' },
    ...{ '≥': '>=', '≤': '<=', '·': '.', '│': '|', '‘': "'", '’': "'", '“': '"', '”': '"' },
    ...{ '█': '#', '▉': '#', '▊': '=', '▋': '=', '▌': '=', '▍': '-', '▎': '-', '▏': '-' },
    ...{ '▁': '_', '▂': '_', '▃': '-', '▄': '-', '▅': '=', '▆': '=', '▇': '#' },
  }),
);
const SIGN = new RegExp(`[${[...SIGNS.keys()].join('')}]`, 'g');

/**
 * What is printed in columns stays in them: wide gaps give the room, or what was cut is cut by two letters more. A code
 * of color may end a line.
 */
export function asciiSigns(text: string): string {
  const placed = text
    .replace(/([…⋯→←±—][^ \n]*(?: [^ \n]+)*)( {4,})/g, (_, cell: string, gap: string) => {
      const longer = written(cell);
      return longer + gap.slice(Math.min(gap.length - 2, longer.length - cell.length));
    })
    .replace(/(?<=\S.)..…(?= {2})|(?<=.{70})..…(?=\S{0,5}$)|(?<= {2}|^)…\S{2}/gm, '...')
    .replace(/(?<= ) ≥/g, '>=');
  return written(placed);
}

function written(text: string): string {
  return text.replace(SIGN, (sign) => SIGNS.get(sign)!);
}
