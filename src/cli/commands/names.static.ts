/** The commands as `--help` lists them. The build keeps the result of this file, so help loads no command. */
import { GROUPS } from '../options/command.js';
import { loadCommands } from './registry.js';

const commands = await loadCommands();

export const names = GROUPS.flatMap((group) =>
  commands.filter((command) => command.group === group).map(({ id, summary }) => ({ id, summary, group })),
);
