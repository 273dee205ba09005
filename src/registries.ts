/** Registries that plugins add to: lists that the rest of the program reads, with our own entries. */
import { TranscriptError } from './errors.js';

/**
 * Puts what is not in the list yet before everything else. Returns what takes it out again. Throws TranscriptError
 * where another entry, or one of `taken`, has its id. `what`: the kind of the entries, for the error.
 */
export function register<T extends { readonly id: string }>(
  list: T[],
  entries: readonly T[],
  what: string,
  taken: readonly string[] = [],
): () => void {
  const fresh = entries.filter((entry) => !list.includes(entry));
  for (const [index, { id }] of fresh.entries())
    if (taken.includes(id) || [...list, ...fresh.slice(0, index)].some((known) => known.id === id))
      throw new TranscriptError('usage', `there is a ${what} \`${id}\` already; a plugin needs an id of its own`);
  for (const entry of [...fresh].reverse()) list.unshift(entry);
  return () => {
    for (const entry of fresh) list.splice(list.indexOf(entry), 1);
  };
}
