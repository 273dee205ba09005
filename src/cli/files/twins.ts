/** Links beside the files that they lead to, such as `latest.json`: what a file holds is read, and counted, once. */
import { realpathSync } from 'node:fs';
import { safe, shown } from '../../safe/text.js';
import { plural } from '../../text/words.js';
import type { Terminal } from '../terminal/terminal.js';
import { type NamedInput, pathOf } from './input.js';

/** Leaves out links that were found to files that are read under another name, and says so. */
export function withoutTwins(
  inputs: readonly NamedInput[],
  { cwd, stderr }: Pick<Terminal, 'cwd' | 'stderr'>,
): readonly NamedInput[] {
  if (!inputs.some(({ isLink }) => isLink)) return inputs;
  const names = new Map<string, string>();
  for (const input of inputs) if (!input.isLink) names.set(fileOf(input, cwd) ?? '', input.name);
  const twins: string[] = [];
  const left = inputs.filter((input) => {
    const file = input.isLink ? fileOf(input, cwd) : undefined;
    if (file === undefined) return true;
    const name = names.get(file);
    names.set(file, name ?? input.name);
    if (name !== undefined) twins.push(`${input.name} → ${name}`);
    return name === undefined;
  });
  if (twins.length > 0) stderr.write(safe`ctx-trim: ${shown(twinsText(twins))}\n`);
  return left;
}

const SHOWN = 2;

function twinsText(twins: readonly string[]): string {
  const more = twins.length > SHOWN ? ` and ${twins.length - SHOWN} more` : '';
  const which = `${twins.slice(0, SHOWN).join(', ')}${more}`;
  return `${plural(twins.length, 'link')} left out, to what is read under another name (${which})`;
}

/** Undefined for what is no file, and for a link that leads nowhere, which is reported when it is opened. */
function fileOf(input: NamedInput, cwd: string): string | undefined {
  const path = pathOf(input, { cwd });
  try {
    return path === undefined ? undefined : realpathSync.native(path);
  } catch {
    return undefined;
  }
}
