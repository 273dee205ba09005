/** The commands as `--help` lists them, each loaded when it is named. */
import type { Command } from './command.js';
import { names } from './names.static.js';
import { loadCommand } from './registry.js';

export interface CommandEntry extends Pick<Command, 'id' | 'summary' | 'words'> {
  load(): Promise<Command>;
}

export const entries: readonly CommandEntry[] = names.map((name) => ({ ...name, load: () => loadCommand(name.id) }));
