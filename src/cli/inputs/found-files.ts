/** Expands folders, globs and git's index to files, without ignored ones. Loaded only if needed. */
import { resolve } from 'node:path';
import { expandInputs, type Skip } from '../files/files.js';
import { type Exclusion, exclusionOf, gitignoreExclusion, isWithin } from '../files/ignored.js';
import type { NamedInput } from '../files/input.js';
import type { Terminal } from '../terminal/terminal.js';

export { expandInputs } from '../files/files.js';
export { overridesOf, suppressionsOf } from './chosen-files.js';

export interface Selection {
  /** Patterns relative to the working directory. */
  readonly exclude: readonly string[];
  /** Patterns of the config, and its folder. */
  readonly ignore: readonly string[];
  readonly folder: string;
  readonly staged: boolean;
  /** Apply the patterns to named files too, and allow files that are no transcripts. */
  readonly forceExclude: boolean;
}

/** The inputs of `check` and `audit`. */
export async function selectInputs(
  words: readonly string[],
  { exclude, ignore, folder, staged, forceExclude }: Selection,
  terminal: Terminal,
): Promise<readonly NamedInput[]> {
  const { cwd } = terminal;
  const exclusions = [exclusionOf(exclude, cwd), exclusionOf(ignore, folder)];
  const isLeftOut: Skip = (path, isFolder) => exclusions.some((exclusion) => exclusion(path, isFolder) === true);
  const isOut = (name: string) => exclusions.some((exclusion) => isWithin(resolve(cwd, name), exclusion));
  if (staged) {
    const { stagedInputs } = await import('../files/staged.js');
    return stagedInputs(words, terminal).filter(({ name }) => !isOut(name));
  }
  const inputs = await expandInputs(words, terminal, (root) => skipper(gitignoreExclusion(root), isLeftOut));
  if (!forceExclude) return inputs;
  return inputs.flatMap((input) => {
    if (input.folder !== undefined || input.name === '-') return [input];
    return isOut(input.name) ? [] : [{ ...input, isOptional: true }];
  });
}

/** Folders of other projects' files. */
const FOREIGN = /[\\/](?:node_modules|\.git)$/;

function skipper(ignored: Exclusion, isLeftOut: Skip): Skip {
  return (path, isFolder) =>
    (isFolder && FOREIGN.test(path)) || ignored(path, isFolder) === true || isLeftOut(path, isFolder);
}

/** Reports found files that are no transcripts: one line in total, or one per file with the reasons. */
export function skippedTexts(
  skipped: readonly (readonly [name: string, why: string])[],
  verbose: boolean | undefined,
): string[] {
  if (verbose || skipped.length < 2) return skipped.map(([name, why]) => `ctx-trim: ${name}: skipped: ${why}`);
  const first = skipped.slice(0, 2).map(([name]) => name);
  const rest = skipped.length > 2 ? ` and ${skipped.length - 2} more` : '';
  return [`ctx-trim: ${skipped.length} files skipped: no transcripts (${first.join(', ')}${rest}; --verbose says why)`];
}
