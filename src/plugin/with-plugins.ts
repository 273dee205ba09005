/** Rules and secrets of plugins count for one call; their formats stay known, for whatever was opened in them. */
import { addAll } from '../lists.js';
import { type Plugin, pluginFrom } from './plugin.js';

/** `add` puts what a plugin has into registries, and returns what takes it out again. */
export function withPlugins<T>(
  plugins: readonly Plugin[] | undefined,
  add: (plugin: Plugin) => readonly (() => void)[],
  run: () => T,
): T {
  const undo: (() => void)[] = [];
  try {
    for (const plugin of plugins ?? []) addAll(undo, add(pluginFrom(plugin)));
    return run();
  } finally {
    for (const step of undo) step();
  }
}
