/** Markdown in lines of at most 120 characters. Rows of tables cannot be broken. */
const WIDTH = 120;

/** Cells must not hold `|` or begin HTML. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |\n`;
  return line(head) + line(head.map(() => '---')) + rows.map(line).join('');
}

/** `<` begins HTML only outside of code. */
function escaped(cell: string): string {
  return cell
    .replaceAll('|', '\\|')
    .split('`')
    .map((piece, index) => (index % 2 === 0 ? piece.replaceAll('<', '&lt;') : piece))
    .join('`');
}

export function list(items: readonly string[]): string {
  return items.map((item) => `- ${wrapped(item, '  ')}\n`).join('');
}

/** Breaks at spaces outside of code. `indent` begins each line but the first, which follows a marker of its width. */
export function wrapped(text: string, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.match(/(?:`[^`]*`|[^ ])+/g) ?? []) {
    if (line !== '' && indent.length + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${indent}`);
}
