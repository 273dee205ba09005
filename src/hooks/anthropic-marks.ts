/** Breakpoints in messages of Anthropic's Messages API, and in LangChain's messages with such blocks. */
import type { Mark, Marks } from './breakpoints.js';

interface Block {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly content?: unknown;
  readonly cache_control?: Mark | null;
}

/** What the API takes a breakpoint on. https://platform.claude.com/docs/en/build-with-claude/prompt-caching */
const CARRIERS: ReadonlySet<unknown> = new Set(['text', 'image', 'document', 'tool_use', 'tool_result']);

export const anthropicMarks: Marks<object> = {
  of: (message) => marksOf((message as Block).content),
  hasCall: (message) => blocksOf((message as Block).content).some(({ type }) => type === 'tool_use'),
  put(message, mark) {
    const { content } = message as Block;
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : blocksOf(content);
    const last = blocks.at(-1);
    if (last === undefined || !CARRIERS.has(last.type) || last.text === '') return undefined;
    return withContent(message, [...blocks.slice(0, -1), { ...last, cache_control: { ...mark } }]);
  },
};

/** The breakpoints of a list of blocks or tools, those of the blocks within results included. */
export function marksOf(blocks: unknown): Mark[] {
  return blocksOf(blocks).flatMap((block) => [...blocksOf(block.content).flatMap(markOf), ...markOf(block)]);
}

function markOf({ cache_control: own }: Block): Mark[] {
  return own ? [own] : [];
}

function blocksOf(content: unknown): readonly Block[] {
  return Array.isArray(content) ? content.filter((block) => typeof block === 'object' && block !== null) : [];
}

/** LangChain's messages stay instances. */
function withContent(message: object, content: readonly Block[]): object {
  return Object.assign(Object.create(Object.getPrototypeOf(message)), message, { content });
}
