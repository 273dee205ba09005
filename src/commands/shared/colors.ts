/** Colours for a stream, loaded only where something is going to be coloured. */
import { type Stream, type Terminal, takesColor } from '../../io/terminal.js';
import { PLAIN, type Style } from '../../reports/report.js';
import { painted } from '../../safe/text.js';

export async function paletteFor(stream: Stream, terminal: Terminal, flag: boolean | undefined): Promise<Style> {
  if (!takesColor(stream, terminal.env, flag)) return PLAIN;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  // chalk joins all its arguments: each colour takes one text, so that it can be handed to `map`
  return {
    bold: painted((text) => chalk.bold(text)),
    dim: painted((text) => chalk.dim(text)),
    gone: painted((text) => chalk.red(text)),
    come: painted((text) => chalk.green(text)),
    changed: painted((text) => chalk.yellow(text)),
    name: painted((text) => chalk.cyan(text)),
  };
}
