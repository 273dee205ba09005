/** `ctx-trim.config.json|yaml`: defaults, named pipelines, price files, budgets and what is checked, found upward from the working directory. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { unreadable } from '../io/input.js';
import type { Terminal } from '../io/terminal.js';
import type { BudgetConfig, CheckConfig } from './config-schema.js';

const NAMES = ['ctx-trim.config.json', 'ctx-trim.config.yaml', 'ctx-trim.config.yml'];

export interface Config {
  /** The file as it is named in messages; undefined where there is none. */
  readonly file?: string;
  /** Values for options that no flag gives, by their names as flags: `max-length`. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Steps by the name of their pipeline, each as on the command line: `filter:max-tool-calls=3`. */
  readonly pipelines: Readonly<Record<string, readonly string[]>>;
  /** Price files, relative to the config file. */
  readonly prices: readonly string[];
  /** Policy files, relative to the config file, or names of built-in policies. */
  readonly policies: readonly string[];
  readonly check: CheckConfig;
  readonly budgets: BudgetConfig;
}

const NONE: Config = { defaults: {}, pipelines: {}, prices: [], policies: [], check: {}, budgets: {} };

/** The config that is named, or the nearest one. Throws TranscriptError with the path inside it where it is wrong. */
export async function loadConfig(named: string | undefined, terminal: Terminal): Promise<Config> {
  const path = named === undefined ? nearest(terminal.cwd) : resolve(terminal.cwd, named);
  if (path === undefined) return NONE;
  const file = named ?? relative(terminal.cwd, path);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
  const { parseConfig } = await import('./config-schema.js');
  return { file, ...(await parseConfig(text, file, /\.ya?ml$/.test(path))) };
}

/** The files and names of its policies, as seen from the working directory. */
export function policiesIn({ file, policies }: Config): string[] {
  return policies.map((name) => (/[./\\]/.test(name) ? besideConfig(name, file) : name));
}

/** A path in the config, as seen from the working directory. */
export function besideConfig(path: string, file: string | undefined): string {
  return file === undefined || isAbsolute(path) ? path : join(dirname(file), path);
}

function nearest(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const found = NAMES.map((name) => join(folder, name)).find((path) => existsSync(path));
    if (found !== undefined) return found;
    if (dirname(folder) === folder) return undefined;
  }
}
