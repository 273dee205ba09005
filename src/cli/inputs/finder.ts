/** Finds the inputs of `check` and `audit`, without ignored files; with `--staged`, the files staged in git. */

import type { Config } from '../config/config.js';
import { folderOf } from '../config/paths.js';
import { plainInputs } from '../files/input.js';
import type { SelectionOptions } from '../options/options.js';
import type { Terminal } from '../terminal/terminal.js';
import type { Traversal } from './reading.js';

export function finderOf(
  { exclude, staged, forceExclude }: Omit<SelectionOptions, 'quiet'>,
  config: Config,
  terminal: Terminal,
): NonNullable<Traversal['find']> {
  return async (words) => {
    const plain = staged || forceExclude ? undefined : plainInputs(words, terminal.cwd);
    if (plain !== undefined) return plain;
    const { selectInputs } = await import('./found-files.js');
    const selection = {
      exclude,
      ignore: config.check.ignore ?? [],
      folder: folderOf(config, terminal),
      staged: staged === true,
      forceExclude: forceExclude === true,
    };
    return selectInputs(words, selection, terminal);
  };
}
