/** Messages on a terminal: lines break between words, not where the terminal ends. */

const INDENT = '  ';

/** Colored lines and those of the progress bar stay as they are. */
export function folded(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) =>
      line.length <= columns || line.includes('\x1b') || line.includes('\r') ? line : foldedLine(line, columns),
    )
    .join('\n');
}

/** What is longer than a line, such as a path, goes on where it begins: the terminal breaks it. */
function foldedLine(line: string, columns: number): string {
  let used = 0;
  const words = line.split(' ').map((word, index) => {
    const isFirst = index === 0;
    const breaks = !isFirst && used + 1 + word.length > columns && word.length + INDENT.length <= columns;
    used = breaks ? INDENT.length + word.length : ((used + (isFirst ? 0 : 1) + word.length - 1) % columns) + 1;
    return `${isFirst ? '' : breaks ? `\n${INDENT}` : ' '}${word}`;
  });
  return words.join('');
}
