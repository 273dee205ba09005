/** The commands, in the order of `--help`. Add one: a file beside this one and a line here. */
import type { Command } from './command.js';
import run from './run.js';
import { transformCommands } from './transform.js';

export const commands: readonly Command[] = [...transformCommands, run] as unknown as readonly Command[];
