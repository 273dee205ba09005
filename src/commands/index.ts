/**
 * The commands, in the order of `--help`: what shares code is bundled together. Add one: a file beside this one, and a name in the list
 * of its bundle. In the build only what help lists of them is here: a bundle is loaded when one of its commands is named.
 */
import type { Command } from './command.js';
import { commands as engine } from './engine.js';
import { commands as late } from './late.js';
import { commands as lint } from './lint.js';
import { commands as policies } from './policies.js';
import { commands as simulate } from './simulate/index.js';

export interface Bundle {
  readonly names: readonly Pick<Command, 'id' | 'summary' | 'words'>[];
  load(): readonly Command[];
}

export const bundles: readonly Bundle[] = [engine, late, lint, policies, simulate].map((commands) => ({
  names: commands,
  load: () => commands as unknown as readonly Command[],
}));
