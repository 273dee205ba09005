/** What a command is: words and options as data, and a function from them to an exit code. */

import type { Terminal } from '../io/terminal.js';
import type { Options, Values } from '../options/option.js';
import type { Config } from './shared/config.js';

/** 0: all well. 1: findings, over a budget, or `--check` found changes. 2: wrong usage, unreadable input, or a defect of ours. */
export type ExitCode = 0 | 1 | 2;

export interface Command<O extends Options = Options> {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  /** The words it takes, as help shows them: `[files...]`. */
  readonly words: string;
  /** What help says of them, where they are no files. */
  readonly about?: string;
  readonly options: O;
  /** Command lines for the end of `--help`, each with what it does. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  run(words: readonly string[], options: Parsed<Values<O>>, terminal: Terminal, config: Config): Promise<ExitCode>;
}

/** Values with what every command takes: `--color`, `--no-color`, or (undefined) what the stream and environment say. */
export type Parsed<V> = V & { readonly color?: boolean };

/** Types a command by its options. */
export function defineCommand<const O extends Options>(command: Command<O>): Command<O> {
  return command;
}
