/** Finds and loads `ctx-trim.config.json|yaml`, upward from the working directory. */
import { lstatSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Options } from '../../options/option.js';
import { safe, shown } from '../../safe/text.js';
import type { Every } from '../../transforms/every.js';
import { textFile, textIn } from '../files/text-file.js';
import type { Terminal } from '../terminal/terminal.js';
import type { BudgetConfig, CheckConfig } from './config-schema.js';

/** Steps as on the command line: `filter:max-tool-calls=3`. `every`: for all that have this option. */
export type Pipeline = readonly string[] | { readonly steps: readonly string[]; readonly every?: Every | undefined };

export interface Config {
  /** The file name for messages; undefined without a config. */
  readonly file?: string;
  /** Found, not named by `--config`: its defaults must not write, run code or read other files. */
  readonly isFound?: boolean;
  /** Values for options that no flag gives, by their names as flags: `max-length`. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly pipelines: Readonly<Record<string, Pipeline>>;
  /** Price files, relative to the config file. */
  readonly prices: readonly string[];
  /** Folders or globs of folders by the name of their project. */
  readonly projects: Readonly<Record<string, readonly string[]>>;
  /** Policy files, relative to the config file, or names of built-in policies. */
  readonly policies: readonly string[];
  readonly check: CheckConfig;
  readonly budgets: BudgetConfig;
}

const NONE: Config = { defaults: {}, pipelines: {}, prices: [], projects: {}, policies: [], check: {}, budgets: {} };

/**
 * Loads the named config, or the nearest one. Throws TranscriptError with the path of an invalid value.
 * `allOptions`: the options of each command, to validate the defaults.
 */
export async function loadConfig(
  named: string | undefined,
  terminal: Terminal,
  allOptions: () => Promise<readonly Options[]>,
): Promise<Config> {
  const config = named === undefined ? await find(terminal) : await parse(textFile(named, terminal.cwd), named);
  if (Object.keys(config.defaults).length > 0)
    (await import('./found-config.js')).rejectDefaults(config, await allOptions());
  return config;
}

const NAMES = ['ctx-trim.config.json', 'ctx-trim.config.yaml', 'ctx-trim.config.yml'];

/**
 * Searches from the working directory up to the repository (with `.git`), the home folder or the root. Skips files that
 * another user owns or may write.
 */
async function find({ cwd, stderr }: Terminal): Promise<Config> {
  const home = homedir();
  for (let folder = cwd; ; folder = dirname(folder)) {
    for (const path of NAMES.map((name) => join(folder, name))) {
      if (!isThere(path)) continue;
      const { openTrusted } = await import('./found-config.js');
      const file = relative(cwd, path);
      const opened = openTrusted(path);
      if (typeof opened === 'object') return checked(await parse(textIn(opened.bytes, file), file), folder, cwd);
      if (opened === undefined) continue;
      const name = shown(file);
      const hint = safe`to use it: --config ${name}`;
      stderr.write(safe`ctx-trim: warning: ${name} skipped: ${shown(opened)}; ${hint}\n`);
    }
    if (dirname(folder) === folder || isThere(join(folder, '.git')) || isSame(folder, home)) return NONE;
  }
}

async function checked(config: Config, folder: string, cwd: string): Promise<Config> {
  const { file, prices, policies } = config;
  (await import('./found-config.js')).rejectEscapes(file!, folder, [
    ...prices.map((path, index) => ({ key: `prices[${index}]`, path, base: folder })),
    ...policies.map((path, index) => ({
      key: `policies[${index}]`,
      path,
      base: isPath(path) ? folder : cwd, // as readPolicy resolves it
    })),
  ]);
  return { ...config, isFound: true };
}

function isThere(path: string): boolean {
  return found(path, lstatSync) !== undefined;
}

/** Compares inodes, because the home folder may be a link. */
function isSame(folder: string, home: string): boolean {
  if (folder === home) return true;
  const [one, other] = [found(folder, statSync), found(home, statSync)];
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev;
}

/** Undefined where nothing is, or may be looked for. */
function found(path: string, stat: typeof statSync): Stats | undefined {
  try {
    return stat(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return undefined;
    throw error;
  }
}

async function parse(text: string, file: string): Promise<Config> {
  const { parseConfig } = await import('./config-schema.js');
  return { file, ...(await parseConfig(text, file, /\.ya?ml$/.test(file))) };
}

/** A name without a dot or a slash is a built-in policy. */
export const isPath = (name: string) => /[./\\]/.test(name);
