/** Faults of messages by the tables of shapes: what a provider's published schema refuses, each at its value. */
import { JsonNode } from '../../json/node.js';
import type { Message, Part } from '../../transcript/types.js';
import type { Problem, RuleContext } from '../rule.js';
import { type Fault, faultsIn, type Shape } from '../shapes/shape.js';

export interface Shaped {
  readonly node: JsonNode;
  readonly shape: Shape;
  /** Where the value stands in its message; empty for the message itself. */
  readonly path?: string;
}

/** The faults of all messages that `shapeOf` knows a shape of. */
export function* schemaFaults(
  subject: RuleContext,
  shapeOf: (message: Message, json: JsonNode | undefined) => Shaped | undefined,
): Generator<Fault & { readonly message: number }> {
  for (const [message, said] of subject.transcript.messages.entries()) {
    const shaped = shapeOf(said, subject.wire(said));
    if (shaped === undefined) continue;
    for (const fault of faultsIn(shaped.node, shaped.shape, shaped.path ?? '')) yield { ...fault, message };
  }
}

/** The fault as a problem of the part that it stands in, where it stands in one. */
export function problemOf(
  { transcript }: RuleContext,
  { message, node, text }: Fault & { readonly message: number },
): Problem {
  const part = transcript.messages[message]!.parts.find(({ raw }) => raw instanceof JsonNode && holds(raw, node));
  return { message, node, text, ...(part === undefined ? {} : { part, ...callOf(part) }) };
}

function callOf(part: Part): { callId?: string } {
  return (part.type === 'call' || part.type === 'result') && part.callId ? { callId: part.callId } : {};
}

/** Whether a value stands in another, or is it. */
export function holds(outer: JsonNode, inner: JsonNode): boolean {
  return outer.source === inner.source && outer.start <= inner.start && inner.end <= outer.end;
}
