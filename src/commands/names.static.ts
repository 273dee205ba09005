/** The commands as `--help` lists them. The build evaluates this file and keeps the result, so help loads no command. */
import { commands } from './all.js';
import { GROUPS } from './command.js';

export const names = GROUPS.flatMap((group) =>
  commands.filter((command) => command.group === group).map(({ id, summary }) => ({ id, summary, group })),
);
