/** What the rules of Bedrock's Converse API look at. */
import { JsonNode } from '../../json/node.js';
import type { Message, Part } from '../../transcript/types.js';
import type { RuleContext } from '../rule.js';

/** The message that the API gets: a file of a Strands session holds it in `message`. */
export function converseMessage(json: JsonNode): JsonNode {
  const message = json.get('message_id') === undefined ? undefined : json.get('message');
  return message?.isObject ? message : json;
}

/** Whether Claude answers; true where the model is not known. */
export function isClaude({ transcript: { model } }: RuleContext): boolean {
  return model === undefined || /claude/i.test(model);
}

export interface Block {
  readonly message: number;
  readonly part: Part;
  /** The value of the block's only member. */
  readonly node: JsonNode;
}

/** The blocks of a type, outside of results. */
export function* blocksOf({ transcript: { messages } }: RuleContext, type: string): Generator<Block> {
  for (const [message, { parts }] of messages.entries())
    for (const part of parts) {
      const node = blockIn(part, type);
      if (node !== undefined) yield { message, part, node };
    }
}

export function blockIn({ raw }: Part, type: string): JsonNode | undefined {
  return raw instanceof JsonNode ? raw.get(type) : undefined;
}

/** The messages whose blocks can be seen, with their indexes. */
export function* ownMessages({ transcript: { messages }, wire }: RuleContext): Generator<readonly [number, Message]> {
  for (const [index, message] of messages.entries()) if (wire(message) !== undefined) yield [index, message];
}
