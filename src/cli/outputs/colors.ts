/** Colors for a stream; chalk is loaded only if something is colored. */

import { PLAIN, type Style } from '../../reports/report.js';
import { painted } from '../../safe/text.js';
import { folded } from '../terminal/fold.js';
import { type Stream, type Terminal, takesColor } from '../terminal/terminal.js';

/** Styles for a report with tables that a library draws. */
export async function tableStyleFor(stream: Stream, terminal: Terminal, flag: boolean | undefined): Promise<Style> {
  const { drawTable } = await import('../../reports/cli-table.js');
  return { ...(await paletteFor(stream, terminal, flag)), drawTable };
}

export async function paletteFor(stream: Stream, terminal: Terminal, flag: boolean | undefined): Promise<Style> {
  const fold = stream.isTerminal ? { fold: painted((text) => folded(text, stream.columns)) } : {};
  if (!takesColor(stream, terminal.env, flag)) return { ...PLAIN, ...fold };
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  // Contrast by WCAG 2.2 in xterm's colors, on white and on black: yellow 1.7 and 12.3, cyan 2.0 and 10.6, blue 9.4 and
  // 2.2, magenta 4.7 and 4.5, red 5.8 and 3.6. Green (2.2 and 9.7) is what diffs have, and a + stands beside it.
  // https://invisible-island.net/xterm/manpage/xterm.html (2026-11)
  // chalk joins all its arguments; these functions take one, so they can be passed to `map`
  return {
    ...fold,
    bold: painted((text) => chalk.bold(text)),
    dim: painted((text) => chalk.dim(text)),
    removed: painted((text) => chalk.red(text)),
    added: painted((text) => chalk.green(text)),
    changed: painted((text) => chalk.magenta(text)),
    name: painted((text) => chalk.underline(text)),
  };
}
