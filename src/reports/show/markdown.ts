/** Markdown as people read it in a terminal: its marks stay, headings and emphasis get a color, code stays as it is. */
import { type SafeText, safe, shown, spaces } from '../../safe/text.js';
import { widthOf } from '../../text/width.js';
import type { Style } from '../report.js';
import { type Painted, wrap } from '../wrap.js';

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** Inside of a line: strong text and code. */
const INLINE = /(\*\*[^*]+\*\*|`[^`]+`)/;
/** What the following lines of a paragraph are indented by: a list item, or white space. */
const HANGING = /^\s*(?:[-*+]\s+|\d{1,9}[.)]\s+)?/;
const MOST_INDENT = 16;

/** `width`: columns of a line; Infinity does not break lines. */
export function markdownLines(lines: readonly string[], style: Style, width: number): SafeText[] {
  let fence: string | undefined;
  return lines.flatMap((line): SafeText[] => {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) !== true || line.trim() !== mark) return [shown(line)];
      fence = undefined;
      return [style.dim(shown(line))];
    }
    if (mark !== undefined) {
      fence = mark;
      return [style.dim(shown(line))];
    }
    return proseLines(line, style, width);
  });
}

function proseLines(line: string, style: Style, width: number): SafeText[] {
  if (line.startsWith('|')) return [shown(line)]; // a table
  if (/^#{1,6}\s/.test(line)) return wrap([{ text: shown(line), paint: style.bold }], width);
  const lead = HANGING.exec(line)![0];
  const hanging = spaces(Math.min(MOST_INDENT, widthOf(lead)));
  const paint = line.startsWith('>') ? style.dim : (text: SafeText) => text;
  const painted = line
    .slice(lead.length)
    .split(INLINE)
    .map((text): Painted => ({ text: shown(text), paint: paintOf(text, style) ?? paint }));
  const wrapped = wrap(painted, width - hanging.length);
  if (wrapped.length === 0) return [safe``];
  return wrapped.map((text, index) => (index === 0 ? safe`${shown(lead)}${text}` : safe`${hanging}${text}`));
}

function paintOf(text: string, style: Style): Painted['paint'] | undefined {
  if (text.startsWith('**') && text.length > 4) return style.bold;
  return text.startsWith('`') && text.length > 2 ? style.name : undefined;
}
