/** What a rewind of a Gemini CLI log (`{"$rewindTo": id}`) takes away. */

/** Ids of the messages so far, in the order in which they came first. */
export function rewindableIds() {
  const order: string[] = [];
  const places = new Map<string, number>();
  return {
    /** An id that is there keeps its place. */
    add(id: string): void {
      if (!places.has(id)) places.set(id, order.push(id) - 1);
    },
    /** Drops this id and what came after it, or all if it is not there. Returns what it dropped. */
    dropFrom(id: string): string[] {
      const dropped = order.splice(places.get(id) ?? 0);
      for (const each of dropped) places.delete(each);
      return dropped;
    },
    dropAll(): void {
      order.length = 0;
      places.clear();
    },
  };
}
