/** How `check` and `audit` find their inputs: they leave out what a repository does not hold, and take what git is about to commit. */
import { plainInputs } from '../../io/input.js';
import type { Terminal } from '../../io/terminal.js';
import { type Config, folderOf } from './config.js';
import type { SelectionOptions } from './options.js';
import type { Walk } from './reading.js';

export function finderOf(
  { exclude, staged, forceExclude }: Omit<SelectionOptions, 'quiet'>,
  config: Config,
  terminal: Terminal,
): NonNullable<Walk['find']> {
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
