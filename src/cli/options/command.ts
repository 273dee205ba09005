/** A command: its help and options as data, and a function that runs it and returns an exit code. */

import type { Options, Values } from '../../options/option.js';
import type { Config } from '../config/config.js';
import type { Terminal } from '../terminal/terminal.js';

/** 0: success. 1: findings, over a budget, or `--check` found changes. 2: wrong usage, unreadable input, defect. */
export type ExitCode = 0 | 1 | 2;

/** The groups of `ctx-trim --help`, in their order. */
export const GROUPS = ['inspect', 'rewrite', 'check', 'plan'] as const;
export type Group = (typeof GROUPS)[number];

export interface Command<O extends Options = Options> {
  readonly id: string;
  readonly group: Group;
  readonly summary: string;
  readonly description: string;
  /** Its arguments, as help shows them: `[files...]`. */
  readonly words: string;
  /** Help for arguments that are not files. */
  readonly about?: string;
  /** A session that `@` names is also its sub-agents. */
  readonly takesParts?: true;
  readonly options: O;
  /** Command lines at the end of `--help`, each with its purpose. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  run(words: readonly string[], options: Parsed<Values<O>>, terminal: Terminal, config: Config): Promise<ExitCode>;
}

/** Values with `--color` or `--no-color`; undefined decides by stream and environment. */
export type Parsed<V> = V & { readonly color?: boolean };

/** Types a command by its options. */
export function defineCommand<const O extends Options>(command: Command<O>): Command<O> {
  return command;
}
