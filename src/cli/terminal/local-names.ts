/** The names of the user and of this computer. */
import { hostname } from 'node:os';
import { basename } from 'node:path';

export function localNames(env: Readonly<Record<string, string | undefined>>): string[] {
  const names = [env['USER'], env['USERNAME'], env['LOGNAME'], basename(env['HOME'] ?? ''), hostname()];
  return [...new Set(names.filter((name): name is string => name !== undefined && name !== ''))];
}
