/** The conventions for messages in attributes: which attributes hold the input and the output of a request. */
import { nested } from '../../json/nested.js';
import { printed } from '../../json/print.js';
import { findMessages, type Side } from '../shared/conversation.js';
import { type EmbeddedMessage, plainText } from '../shared/embedded-messages.js';
import { type ContentEdits, syncMessage } from '../shared/sync-copies.js';
import { aiSdkReply, replyKeys } from './ai-sdk-side.js';
import type { AttributeEdits, Attributes } from './attributes.js';
import { numberedAt, type SpanSide } from './numbered-messages.js';

/** A convention: the two sides of a request in a span's attributes, undefined if absent. */
interface Convention {
  input(attributes: Attributes): SpanSide | undefined;
  output(attributes: Attributes): SpanSide | undefined;
}

/** OpenTelemetry's GenAI, OpenInference, OpenLLMetry, the AI SDK, Pydantic AI; the first that applies is used. */
export const CONVENTIONS: readonly Convention[] = [
  {
    input: (attributes) => withInstructions(attributes, valueAt(attributes, 'gen_ai.input.messages', 'user')),
    output: (attributes) => valueAt(attributes, 'gen_ai.output.messages', 'assistant'),
  },
  {
    input: (attributes) => numberedAt(attributes, 'llm.input_messages'),
    output: (attributes) => numberedAt(attributes, 'llm.output_messages'),
  },
  {
    input: (attributes) => numberedAt(attributes, 'gen_ai.prompt'),
    output: (attributes) => numberedAt(attributes, 'gen_ai.completion'),
  },
  {
    input: (attributes) => valueAt(attributes, 'ai.prompt.messages', 'user'),
    output: aiSdkOutput,
  },
  {
    input: (attributes) =>
      valueAt(attributes, 'pydantic_ai.all_messages', 'user') ?? valueAt(attributes, 'all_messages_events', 'user'),
    output: () => undefined,
  },
];

/** A text alone may have become a list of messages. */
function aiSdkOutput(attributes: Attributes): SpanSide | undefined {
  const reply = aiSdkReply(attributes);
  if (reply !== undefined) return reply;
  const [key, ...copies] = replyKeys(attributes, 'text');
  const side = valueAt(attributes, key!, 'assistant');
  return side === undefined || copies.length === 0 ? side : withCopies(side, key!, copies);
}

/** Other attributes repeat the value of one. */
function withCopies(side: SpanSide, key: string, copies: readonly string[]): SpanSide {
  return {
    ...side,
    edit(puts, edits) {
      side.edit(puts, edits);
      if (edits.values.has(key)) for (const copy of copies) edits.values.set(copy, edits.values.get(key));
    },
  };
}

/** Adds to `edits` what applies `changes` to a reply of the AI SDK that has no edits yet, however short it is. */
export function followReply(attributes: Attributes, changes: ContentEdits, edits: AttributeEdits): void {
  const isEdited = [...edits.values.keys()].some((key) => /^ai\.(?:response|result)\./.test(key));
  const side = isEdited ? undefined : aiSdkOutput(attributes);
  const messages = side?.messages ?? [];
  const puts = messages.flatMap(({ lens, message }, from) => {
    const now = syncMessage(message, lens, changes);
    return now === undefined ? [] : [{ message: now, from }];
  });
  if (puts.length < messages.length || puts.some(({ message, from }) => message !== messages[from]!.message))
    side!.edit(puts, edits);
}

function valueAt(attributes: Attributes, key: string, side: Side): SpanSide | undefined {
  const value = attributes.get(key);
  const spoken = findMessages(value, side);
  if (spoken === undefined) return undefined;
  return {
    messages: spoken.messages,
    isList: spoken.isList,
    edit(puts, edits) {
      const written = spoken.replace(puts);
      if (written !== value) edits.values.set(key, written);
    },
  };
}

/**
 * The messages with the system prompt, which has its own attribute, as their first message.
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
 */
function withInstructions(attributes: Attributes, side: SpanSide | undefined): SpanSide | undefined {
  const value = attributes.get('gen_ai.system_instructions');
  if (value === undefined || side === undefined) return side;
  const inner = nested(value);
  const system: EmbeddedMessage = { lens: plainText('system'), message: inner.value, beside: true };
  if (!inner.value.isString && !inner.value.isArray) return side;
  return {
    isList: side.isList,
    messages: [system, ...side.messages],
    edit(puts, edits) {
      const prompt = puts.find(({ from }) => from === 0)?.message ?? '';
      if (prompt !== inner.value)
        edits.values.set('gen_ai.system_instructions', inner.strings.length === 0 ? prompt : printed(prompt));
      const others = puts
        .filter(({ from }) => from !== 0)
        .map(({ message, from }) => ({ message, from: from === undefined ? undefined : from - 1 }));
      side.edit(others, edits);
    },
  };
}
