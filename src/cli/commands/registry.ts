/** The registry of commands, in the order of `--help`. To add one: a folder beside this file, a line here. */
import type { Command } from '../options/command.js';

/** Each is loaded when it is needed. The transforms, which share one folder, come before these. */
const LOADERS: Readonly<Record<string, () => Promise<{ readonly default: unknown }>>> = {
  run: () => import('./run/index.js'),
  overview: () => import('./overview/index.js'),
  fork: () => import('./fork/index.js'),
  formats: () => import('./formats/index.js'),
  sessions: () => import('./sessions/index.js'),
  show: () => import('./show/index.js'),
  stats: () => import('./stats/index.js'),
  diff: () => import('./diff/index.js'),
  prices: () => import('./prices/index.js'),
  completion: () => import('./completion/index.js'),
  check: () => import('./check/index.js'),
  rules: () => import('./rules/index.js'),
  convert: () => import('./convert/index.js'),
  handover: () => import('./handover/index.js'),
  redact: () => import('./redact/index.js'),
  select: () => import('./select/index.js'),
  dataset: () => import('./dataset/index.js'),
  audit: () => import('./audit/index.js'),
  policy: () => import('./policy/index.js'),
  simulate: () => import('./simulate/index.js'),
  report: () => import('./report/index.js'),
};

/** Loads the command with this id, which must exist. */
export async function loadCommand(id: string): Promise<Command> {
  const load = LOADERS[id];
  if (load !== undefined) return (await load()).default as Command;
  return (await transformCommands()).find((command) => command.id === id)!;
}

/** Loads every command, in the order of `--help`. */
export async function loadCommands(): Promise<readonly Command[]> {
  return [...(await transformCommands()), ...(await Promise.all(Object.keys(LOADERS).map(loadCommand)))];
}

async function transformCommands(): Promise<readonly Command[]> {
  return (await import('./rewrite/index.js')).transformCommands;
}
