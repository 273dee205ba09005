/** What `--help` lists of the commands. The build evaluates this file and keeps the result: help loads no command. */
import { loadCommands } from './registry.js';

export const names = (await loadCommands()).map(({ id, summary, words }) => ({ id, summary, words }));
