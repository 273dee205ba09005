/** Colours for a stream, loaded only where something is going to be coloured. */
import { type Stream, takesColor, type Terminal } from '../io/terminal.js';
import { PLAIN, type Style } from '../reports/report.js';

export async function paletteFor(stream: Stream, terminal: Terminal, flag: boolean | undefined): Promise<Style> {
  if (!takesColor(stream, terminal.env, flag)) return PLAIN;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  return { bold: chalk.bold, dim: chalk.dim, gone: chalk.red, come: chalk.green, changed: chalk.yellow, name: chalk.cyan };
}
