/** Loads plugins: modules that the command line, or a config that it names, names. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { reasonOf, TranscriptError } from '../../errors.js';
import { addFormats } from '../../formats/index.js';
import { KIT, kit } from '../../plugin/kit.js';
import { type Plugin, pluginFrom } from '../../plugin/plugin.js';
import { plugins } from '../files/plugin-mark.js';
import { importModule } from './import-module.js';

/** Adds what these plugins bring to the registries. Returns what takes it out again. */
export async function usePlugins(names: readonly string[], cwd: string): Promise<() => void> {
  Object.assign(globalThis, { [KIT]: kit });
  const undo: (() => void)[] = [];
  const leave = () => {
    for (const step of undo.reverse()) step();
    plugins.mark = '';
  };
  try {
    for (const name of new Set(names)) await add(name, cwd, undo);
  } catch (error) {
    leave();
    throw error;
  }
  return leave;
}

async function add(name: string, cwd: string, undo: (() => void)[]): Promise<void> {
  const path = pathOf(name, cwd);
  const { formats, rules, secrets } = await load(path, name);
  try {
    undo.push(addFormats(formats));
    if (rules !== undefined) undo.push((await import('../../rules/index.js')).addRules(rules));
    if (secrets !== undefined) undo.push((await import('../../secrets/rules/index.js')).addSecrets(secrets));
  } catch (error) {
    throw new TranscriptError('usage', reasonOf(error), { file: name });
  }
  plugins.mark = `-${hashOf(path, plugins.mark)}`;
}

async function load(path: string, name: string): Promise<Plugin> {
  let loaded: { readonly default?: unknown };
  try {
    loaded = await importModule(pathToFileURL(path).href);
  } catch (error) {
    throw new TranscriptError('file', `the plugin cannot be loaded: ${reasonOf(error)}${hintFor(error)}`, {
      file: name,
    });
  }
  return pluginFrom(loaded.default, name);
}

/** A plugin in a folder of its own needs the package that it imports. */
function hintFor(error: unknown): string {
  const isMissing = (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_MODULE_NOT_FOUND';
  return isMissing && reasonOf(error).includes("'ctx-trim'")
    ? '; run npm install ctx-trim where the plugin stands'
    : '';
}

/** A file, or a package that is installed for the working directory or beside this program. */
function pathOf(name: string, cwd: string): string {
  const file = resolve(cwd, name);
  if (isFile(file)) return file;
  for (const from of [join(cwd, 'any.js'), import.meta.url])
    try {
      return createRequire(from).resolve(name);
    } catch {} // the next place
  throw new TranscriptError(
    'file',
    'there is no such file, and no package of this name is installed that exports a `default` module; ' +
      'name the file of the plugin, or run npm install',
    { file: name },
  );
}

/** What is no path at all is no file either. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const MODULE = /\.(?:[cm]?[jt]s|json)$/;

/** Of the modules in the plugin's folder, as it may import what stands beside it. `before`: of earlier plugins. */
function hashOf(path: string, before: string): string {
  const hash = createHash('sha256').update(before);
  const folder = dirname(path);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile() && MODULE.test(entry.name))
      hash.update(entry.name).update(readFileSync(join(folder, entry.name)));
  return hash.digest('hex').slice(0, 16);
}
