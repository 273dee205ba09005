/** `ctx-trim.config.json|yaml`: defaults, named pipelines, price files, budgets and what is checked, found upward from the working directory. */
import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { unreadable } from '../io/input.js';
import type { Terminal } from '../io/terminal.js';
import type { BudgetConfig, CheckConfig } from './config-schema.js';
import { findConfig, rejectEscapes } from './find-config.js';

export interface Config {
  /** The file as it is named in messages; undefined where there is none. */
  readonly file?: string;
  /** Nobody named it: it was found. Its defaults must not write, run code or read other files. */
  readonly isFound?: boolean;
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
  if (named !== undefined) return parse(read(resolve(terminal.cwd, named), named), named);
  const found = findConfig(terminal);
  if (found === undefined) return NONE;
  const file = relative(terminal.cwd, found.path);
  const config = { ...(await parse(found.text, file)), isFound: true };
  const folder = dirname(found.path);
  rejectEscapes(file, folder, [
    ...config.prices.map((path, index) => ({ key: `prices[${index}]`, path, base: folder })),
    ...config.policies.map((path, index) => ({
      key: `policies[${index}]`,
      path,
      base: isPath(path) ? folder : terminal.cwd, // as it is looked for
    })),
  ]);
  return config;
}

async function parse(text: string, file: string): Promise<Config> {
  const { parseConfig } = await import('./config-schema.js');
  return { file, ...(await parseConfig(text, file, /\.ya?ml$/.test(file))) };
}

function read(path: string, file: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** The files and names of its policies, as seen from the working directory. */
export function policiesIn({ file, policies }: Config): string[] {
  return policies.map((name) => (isPath(name) ? besideConfig(name, file) : name));
}

/** Without a dot or a slash it is the name of a built-in policy. */
const isPath = (name: string) => /[./\\]/.test(name);

/** A path in the config, as seen from the working directory. */
export function besideConfig(path: string, file: string | undefined): string {
  return file === undefined || isAbsolute(path) ? path : join(dirname(file), path);
}
