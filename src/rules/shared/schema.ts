/** Schema faults of messages, located at the faulty value. */
import { JsonNode } from '../../json/node.js';
import type { Message, Part } from '../../transcript/types.js';
import type { Problem, RuleContext } from '../rule.js';
import { fits } from '../shapes/fits.js';
import { type Fault, faultsIn, type Shape } from '../shapes/shape.js';

export interface Shaped {
  readonly node: JsonNode;
  readonly shape: Shape;
  /** The path of the value inside its message; empty for the message itself. */
  readonly path?: string;
}

/** The faults of all messages for which `shapeOf` returns a shape. */
export function* schemaFaults(
  context: RuleContext,
  shapeOf: (message: Message, json: JsonNode | undefined) => Shaped | undefined,
): Generator<Fault & { readonly message: number }> {
  for (const [index, message] of context.transcript.messages.entries()) {
    const shaped = shapeOf(message, context.wire(message));
    if (shaped === undefined || fits(shaped.node, shaped.shape)) continue;
    for (const fault of faultsIn(shaped.node, shaped.shape, shaped.path ?? '')) yield { ...fault, message: index };
  }
}

/** The fault as a problem, with the part that contains it, if any. */
export function problemOf(
  { transcript }: RuleContext,
  { message, node, text }: Omit<Fault, 'isExtra'> & { readonly message: number },
): Problem {
  const part = transcript.messages[message]!.parts.find(({ raw }) => raw instanceof JsonNode && raw.encloses(node));
  return { message, node, text, ...(part === undefined ? {} : { part, ...callOf(part) }) };
}

function callOf(part: Part): { callId?: string } {
  return (part.type === 'call' || part.type === 'result') && part.callId ? { callId: part.callId } : {};
}
