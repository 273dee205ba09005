import { JsonNode } from '../json/node.js';
import { textOf } from '../transcript/text.js';
import type { Message } from '../transcript/types.js';

/**
 * Whether a message has words that none of its parts was read from, such as those of a member with a strange name. Why
 * a request failed is no content of its empty reply, and neither is when, whatever stands there.
 */
export function hasOtherWords({ raw, parts }: Message): boolean {
  if (!(raw instanceof JsonNode)) return false;
  const said = parts.flatMap((part) => ('text' in part && part.text !== undefined ? textOf(part.text) : []));
  const pending = [raw];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (parts.some((part) => node!.is(part.raw))) continue;
    const text = node.string;
    if (text !== undefined && WORDS.test(text) && !said.some((one) => one.includes(text))) return true;
    for (const item of node.items()) pending.push(item);
    for (const { key, value } of node.members()) if (!NO_CONTENT.test(key.text)) pending.push(value);
  }
  return false;
}

const NO_CONTENT = /^(?:error|timestamp)/;
/** A label or an id is a single word, and a date has at most one; some languages have no spaces between theirs. */
const WORDS = /\p{L}\S*\s+\S*\p{L}|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]{2}/u;
