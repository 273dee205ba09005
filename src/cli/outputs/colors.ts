/** Colors for a stream; chalk is loaded only if something is colored. */

import { PLAIN, type Style } from '../../reports/report.js';
import { painted } from '../../safe/text.js';
import { type Stream, type Terminal, takesColor } from '../terminal/terminal.js';

/** Styles for a report with tables that a library draws. */
export async function tableStyleFor(stream: Stream, terminal: Terminal, flag: boolean | undefined): Promise<Style> {
  const { drawTable } = await import('../../reports/cli-table.js');
  return { ...(await paletteFor(stream, terminal, flag)), drawTable };
}

export async function paletteFor(stream: Stream, terminal: Terminal, flag: boolean | undefined): Promise<Style> {
  if (!takesColor(stream, terminal.env, flag)) return PLAIN;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  // chalk joins all its arguments; these functions take one, so they can be passed to `map`
  return {
    bold: painted((text) => chalk.bold(text)),
    dim: painted((text) => chalk.dim(text)),
    removed: painted((text) => chalk.red(text)),
    added: painted((text) => chalk.green(text)),
    changed: painted((text) => chalk.yellow(text)),
    name: painted((text) => chalk.cyan(text)),
  };
}
