/** The user's own price list, which `prices --update` writes and all commands read. */
import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Terminal } from '../terminal/terminal.js';

/**
 * `ctx-trim/prices.json` in $XDG_CONFIG_HOME, on Windows in %APPDATA%, else in ~/.config. Undefined if none of them is
 * known.
 */
export function userPricesPath({ env }: Pick<Terminal, 'env'>): string | undefined {
  const { XDG_CONFIG_HOME: xdg, APPDATA: appData, HOME: home } = env;
  const folder = xdg || appData || (home ? join(home, '.config') : undefined);
  return folder && join(folder, 'ctx-trim', 'prices.json');
}

/** The path of the list, if there is one. */
export function userPrices(terminal: Pick<Terminal, 'env'>): string | undefined {
  const path = userPricesPath(terminal);
  return path !== undefined && existsSync(path) ? path : undefined;
}

/** The path as people write it: `~/.config/…`. */
export function fromHome(path: string, { env }: Pick<Terminal, 'env'>): string {
  const home = env['HOME'];
  return home && path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
