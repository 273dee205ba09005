/** Breakpoints of Anthropic's prompt cache in prompts of the AI SDK: an option of messages and of their parts. */
import type { Mark, Marks } from './breakpoints.js';

interface Marked {
  readonly role?: unknown;
  readonly type?: unknown;
  readonly content?: unknown;
  readonly providerOptions?: { readonly anthropic?: { readonly cacheControl?: Mark; readonly cache_control?: Mark } };
}

export const vercelMarks: Marks<object> = {
  of: (message) => ((message as Marked).role === 'system' ? [] : marksIn(message)),
  hasCall: (message) => partsOf(message).some(({ type }) => type === 'tool-call'),
  put(message: Marked, mark) {
    if (message.role === 'system' || partsOf(message).at(-1)?.type === 'reasoning') return undefined;
    const { providerOptions = {} } = message;
    const anthropic = { ...providerOptions.anthropic, cacheControl: { ...mark } };
    return { ...message, providerOptions: { ...providerOptions, anthropic } };
  },
};

/** The breakpoints of tools and system messages, which are before all others. */
export function marksBefore(tools: readonly object[] = [], prompt: readonly object[]): Mark[] {
  return [...tools, ...prompt.filter((message) => (message as Marked).role === 'system')].flatMap(marksIn);
}

function marksIn(message: object): Mark[] {
  return [...partsOf(message).flatMap(markOf), ...markOf(message)];
}

function markOf({ providerOptions }: Marked): Mark[] {
  const own = providerOptions?.anthropic?.cacheControl ?? providerOptions?.anthropic?.cache_control;
  return own === undefined ? [] : [own];
}

function partsOf(message: object): readonly Marked[] {
  const { content } = message as Marked;
  return Array.isArray(content) ? content : [];
}
