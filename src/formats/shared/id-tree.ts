/** Messages by their ids, each of which names the one before it: a tree, read as branches. */
import type { JsonNode } from '../../json/node.js';

export interface TreeNode {
  readonly id: string;
  readonly node: JsonNode;
}

export interface IdTree {
  readonly byId: ReadonlyMap<string, JsonNode>;
  /** The key of the id of the message before. */
  readonly parent: string;
  readonly leaves: readonly string[];
  /** The last message of the current branch; by default the last leaf. */
  readonly current: string | undefined;
}

/**
 * Each message is in one branch: that of the current message, which comes first, or the first other one that has it,
 * from where it leaves the branches before.
 */
export function branchesOf({ byId, parent, leaves, current }: IdTree): TreeNode[][] {
  const ends = current !== undefined && byId.has(current) ? [current] : leaves.slice(-1);
  const seen = new Set<string>();
  return [...ends, ...leaves, ...byId.keys()].flatMap((end) => {
    const branch: TreeNode[] = [];
    for (let id: string | undefined = end; id !== undefined && !seen.has(id); ) {
      const node = byId.get(id);
      if (node === undefined) break;
      seen.add(id);
      branch.push({ id, node });
      id = node.get(parent)?.string;
    }
    return branch.length === 0 ? [] : [branch.reverse()];
  });
}
