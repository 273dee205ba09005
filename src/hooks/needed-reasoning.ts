/**
 * Reasoning that goes back into a request. Anthropic: "When `thinking` is enabled, a final `assistant` message must
 * start with a thinking block". OpenAI: "Item 'fc_…' of type 'function_call' was provided without its required
 * 'reasoning' item". https://platform.claude.com/docs/en/build-with-claude/extended-thinking, read 2026-11-29
 */

/** How messages hold reasoning and calls: types of their blocks, and the member with the id of a call. */
interface Shape {
  readonly reasoning: readonly unknown[];
  readonly call: string;
  readonly id: string;
}

export const ANTHROPIC: Shape = { reasoning: ['thinking', 'redacted_thinking'], call: 'tool_use', id: 'id' };
export const VERCEL: Shape = { reasoning: ['reasoning'], call: 'tool-call', id: 'toolCallId' };

type Block = Readonly<Record<string, unknown>>;

/** For `createTrimmer`: replies of the current run, and those that OpenAI knows by ids, begin with what they did. */
export function neededReasoning({ reasoning, call, id }: Shape) {
  const isReasoning = ({ type }: Block) => reasoning.includes(type);
  const callOf = (message: object) => blocksOf(message).find(({ type }) => type === call)?.[id];
  return <M extends object>(before: readonly M[], after: M[]): M[] => {
    const run = after.findLastIndex(isAsking);
    let at = 0; // in the messages before
    const originalOf = (message: M): M | undefined => {
      const called = callOf(message);
      for (let place = at; called !== undefined && place < before.length; place++)
        if (callOf(before[place]!) === called) {
          at = place + 1;
          return before[place];
        }
      return undefined;
    };
    return after.map((message, index) => {
      const original = originalOf(message);
      if (original === undefined || original === message) return message;
      const [old, blocks] = [blocksOf(original), blocksOf(message)];
      const first = old.findIndex((block) => !isReasoning(block));
      const leading = old.slice(0, first);
      const isNeeded = leading.length > 0 && !blocks.some(isReasoning) && (index > run || leading.some(hasItem));
      return isNeeded ? { ...message, content: [...leading, ...blocks] } : message;
    });
  };
}

/** Results come in messages of the user, too. */
function isAsking(message: object): boolean {
  const { role } = message as { readonly role?: unknown };
  return role === 'user' && !blocksOf(message).some(({ type }) => type === 'tool_result');
}

function hasItem({ providerOptions }: Block): boolean {
  return (providerOptions as { readonly openai?: { readonly itemId?: unknown } } | undefined)?.openai?.itemId != null;
}

function blocksOf(message: object): readonly Block[] {
  const { content } = message as { readonly content?: unknown };
  return Array.isArray(content) ? content : [];
}
