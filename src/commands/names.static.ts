/** What `--help` lists of the commands. The build evaluates this file and keeps the result: help loads no command. */
import { commands } from './all.js';

export const names = commands.map(({ id, summary, words }) => ({ id, summary, words }));
