/** The commands as `--help` lists them. Each one loads when it is used. */
import type { Command } from './command.js';
import { names } from './names.static.js';

export interface CommandEntry extends Pick<Command, 'id' | 'summary' | 'group'> {
  load(): Promise<Command>;
}

/** The commands with a folder of their own; all others are transforms. */
const FILES: Readonly<Record<string, () => Promise<{ readonly default: unknown }>>> = {
  overview: () => import('./overview/index.js'),
  run: () => import('./run/index.js'),
  formats: () => import('./formats/index.js'),
  stats: () => import('./stats/index.js'),
  diff: () => import('./diff/index.js'),
  prices: () => import('./prices/index.js'),
  check: () => import('./check/index.js'),
  rules: () => import('./rules/index.js'),
  convert: () => import('./convert/index.js'),
  audit: () => import('./audit/index.js'),
  policy: () => import('./policy/index.js'),
  simulate: () => import('./simulate/index.js'),
};

export const entries: readonly CommandEntry[] = names.map((name) => ({ ...name, load: () => load(name.id) }));

async function load(id: string): Promise<Command> {
  const file = FILES[id];
  if (file !== undefined) return (await file()).default as Command;
  const { transformCommands } = await import('./rewrite/index.js');
  return transformCommands.find((command) => command.id === id)!;
}
