/** The commands as `--help` lists them. Each one loads when it is used. */
import type { Command } from '../options/command.js';
import { names } from './names.static.js';
import { loadCommand } from './registry.js';

export interface CommandEntry extends Pick<Command, 'id' | 'summary' | 'group'> {
  load(): Promise<Command>;
}

export const entries: readonly CommandEntry[] = names.map((name) => ({ ...name, load: () => loadCommand(name.id) }));
