/** The files and folders that a config names. */
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Terminal } from '../terminal/terminal.js';
import { type Config, isPath } from './config.js';

/** The policies of the config: names, and paths relative to the working directory. */
export function policiesIn({ file, policies }: Config): string[] {
  return policies.map((name) => (isPath(name) ? besideConfig(name, file) : name));
}

/** Makes a path in the config relative to the working directory. */
export function besideConfig(path: string, file: string | undefined): string {
  return file === undefined || isAbsolute(path) ? path : join(dirname(file), path);
}

/** The folder that patterns in the config are relative to. */
export function folderOf({ file }: Config, { cwd }: Pick<Terminal, 'cwd'>): string {
  return file === undefined ? cwd : dirname(resolve(cwd, file));
}
