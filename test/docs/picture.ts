/** The picture of the README: what a terminal shows of a diff, as SVG. */
import { outputOf } from './output.js';

const FILE = 'fixtures/transforms/filter/eight-cities-3/input.json';
const LINE = `ctx-trim filter --max-tool-calls 6 --diff --model gpt-4o ${FILE}`;

/** One column of the font, and one line, in pixels. */
const COLUMN = 8.4;
const ROW = 19;
const MARGIN = 18;

/** What each SGR code of the output looks like; others end a style. */
const STYLES: Readonly<Record<string, string>> = {
  1: 'fill="#f0f6fc" font-weight="bold"',
  2: 'fill="#8b949e"',
  31: 'fill="#ff7b72"',
  32: 'fill="#7ee787"',
  35: 'fill="#d2a8ff"',
  4: 'text-decoration="underline"',
};

/** The whole picture: the command line, and its output. */
export function picture(): string {
  const prompt = LINE.replace(FILE, `\\\n    ${FILE}`);
  const output = outputOf(`${LINE} --color`, { FORCE_COLOR: '1' }).trimEnd();
  const lines = [...`$ ${prompt}`.split('\n'), ...output.split('\n')];
  const columns = Math.max(...lines.map((line) => runsOf(line).reduce((sum, { text }) => sum + text.length, 0)));
  const width = Math.ceil(columns * COLUMN) + 2 * MARGIN;
  const height = lines.length * ROW + 2 * MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`,
    '  role="img" aria-label="ctx-trim filter --diff: which messages it drops, and what that saves">',
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#c9d1d9"',
    '  xml:space="preserve">',
    ...lines.map((line, index) => textElement(line, MARGIN + (index + 0.75) * ROW)),
    '</g>',
    '</svg>\n',
  ].join('\n');
}

interface Run {
  readonly text: string;
  readonly style: string;
}

/** `textLength` keeps columns aligned, whatever font the reader has. */
function textElement(line: string, y: number): string {
  let column = 0;
  const spans = runsOf(line).map(({ text, style }) => {
    const x = (MARGIN + column * COLUMN).toFixed(1);
    const length = (text.length * COLUMN).toFixed(1);
    column += text.length;
    return `<tspan x="${x}" textLength="${length}"${style}>${escaped(text)}</tspan>`;
  });
  return `<text y="${y}">${spans.join('')}</text>`;
}

/** The pieces of a line that look the same. */
function runsOf(line: string): Run[] {
  let style = '';
  return line.split('\u001b[').flatMap((piece, index) => {
    const { code, text } = index === 0 ? { code: undefined, text: piece } : codeAndText(piece);
    if (code !== undefined) style = STYLES[code] === undefined ? '' : ` ${STYLES[code]}`;
    return text === '' ? [] : [{ text, style }];
  });
}

function codeAndText(piece: string): { readonly code: string; readonly text: string } {
  const end = piece.indexOf('m');
  return { code: piece.slice(0, end), text: piece.slice(end + 1) };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(' ', '\u00a0');
}
