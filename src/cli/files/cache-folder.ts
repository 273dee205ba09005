/** Where caches of this program stand, and whom they belong to. */
import { lstatSync, type Stats, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** The folder of our caches; undefined if the environment turns them off (CTX_TRIM_CACHE=off) or names none. */
export function cacheFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const home = env['HOME'];
  const below = (base: string | undefined, ...names: string[]) => (base ? join(base, ...names) : undefined);
  const usual = new Map<string, string | undefined>([
    ['win32', env['LOCALAPPDATA']],
    ['darwin', below(home, 'Library', 'Caches')],
  ]);
  const { platform } = process;
  const folder = env['XDG_CACHE_HOME'] || (usual.has(platform) ? usual.get(platform) : below(home, '.cache'));
  const isGiven = env['CTX_TRIM_CACHE'] !== 'off' && folder !== undefined && isAbsolute(folder);
  return isGiven ? join(folder, 'ctx-trim') : undefined;
}

/** Whether a file, and the link to it, belong to the user. */
export function isOwn(path: string): boolean {
  return isUsers(lstatSync(path)) && isUsers(statSync(path));
}

/** Whether nobody but the user may write it: what runs as code has to be. */
export function isPrivate(stats: Stats): boolean {
  return isUsers(stats) && (process.platform === 'win32' || (stats.mode & 0o022) === 0);
}

export function isUsers({ uid }: Stats): boolean {
  return uid === (process.geteuid?.() ?? uid);
}
