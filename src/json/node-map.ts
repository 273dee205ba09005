/** Values by the place of JSON nodes: a value may have several nodes. */
import type { JsonNode } from './node.js';
import type { JsonSource } from './strings.js';

/** Finds what stands for a node; the first one counts where several do. */
export function nodeMap<T>(entries: Iterable<readonly [JsonNode, T]>): (node: JsonNode) => T | undefined {
  const bySource = new Map<JsonSource, Map<number, T>>();
  for (const [{ source, at }, value] of entries) {
    const places = bySource.get(source) ?? new Map<number, T>();
    bySource.set(source, places);
    if (!places.has(at)) places.set(at, value);
  }
  return ({ source, at }) => bySource.get(source)?.get(at);
}
