/** Searches values for what looks like content. */
import type { JsonNode } from '../../json/node.js';
import { firstFrom } from '../../lists.js';
import { isIn } from './cover.js';
import { looksOf } from './looks.js';
import { isPlain } from './plain.js';
import type { Sign } from './signs.js';

/** Whether there is a text, a call or a result anywhere in a value, outside of what is covered. */
export function looksLikeContent(root: JsonNode, cover: readonly number[] = []): boolean {
  return walked(root, cover).length > 0;
}

/** The signs in a value outside of what is covered: tape indices in ascending order. */
export function signsIn(root: JsonNode, cover: readonly number[]): readonly Sign[] {
  return isPlain(root, cover) ? [] : walked(root, cover);
}

function walked(root: JsonNode, cover: readonly number[]): readonly Sign[] {
  let found: Map<number, Sign> | undefined;
  const pending = [root]; // a loop, as the value can be nested deeply
  while (pending.length > 0) {
    const node = pending.pop()!;
    if (isIn(cover, node.at)) continue;
    if (node.isArray) {
      for (const item of node.items().reverse()) if (isContainer(item)) pending.push(item);
      continue;
    }
    const { signs, inside } = looksOf(node);
    for (const sign of signs) {
      if (touches(cover, sign.node)) continue;
      found ??= new Map();
      found.set(sign.node.at, sign);
    }
    if (found?.has(node.at)) continue;
    for (let i = inside.length - 1; i >= 0; i--) pending.push(inside[i]!);
  }
  return found === undefined ? [] : [...found.values()];
}

function isContainer(node: JsonNode): boolean {
  return node.isObject || node.isArray;
}

/** Whether the value or something in it is covered. */
function touches(cover: readonly number[], { at, source }: JsonNode): boolean {
  const next = cover[firstFrom(cover, at)];
  return next !== undefined && next < source.tape[at + 3]!;
}
