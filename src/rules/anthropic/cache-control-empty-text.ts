import { type Json, patch } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import type { NodeChange } from '../../json/replace.js';
import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { cacheMarks } from '../shared/cache-marks.js';
import { rewireNodes } from '../shared/edits.js';

export default errorRule({
  id: 'anthropic/cache-control-empty-text',
  summary: 'a cache breakpoint on an empty text block',
  providers: ['anthropic'],
  error: 'messages.87.content.1.text: cache_control cannot be set for empty text blocks',
  cause: 'The breakpoint was set on the last block without checking that it has text.',
  reported: commaList(`
    anthropics/claude-code#55302, anthropics/claude-code#50082, anthropics/claude-code#54013, askalf/dario#1066,
    NousResearch/hermes-agent#1216, serialx/vibecore#8
  `),
  *check(context) {
    for (const { message, part, block } of cacheMarks(context)) {
      if (block.get('type')?.string === 'text' && block.get('text')?.string === '')
        yield { message, part, node: block, text: 'cache_control is set on an empty text block' };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Remove the empty block and set the breakpoint on the block before it.',
    apply(context, problems) {
      const changes = new Map<number, readonly NodeChange[]>();
      for (const { message, node } of problems) {
        const list = listAround(
          context.wire(context.transcript.messages[message!]!) ??
            (context.transcript.messages[message!]!.raw as JsonNode),
          node!,
        );
        const changed = new Set((changes.get(message!) ?? []).map((change) => change.node.start));
        // the next round handles the next block of this list
        if (list === undefined || list.items().some(({ start }) => changed.has(start))) continue;
        changes.set(message!, [...(changes.get(message!) ?? []), ...moved(list.items(), node!)]);
      }
      return rewireNodes(context, changes);
    },
  },
});

/**
 * Removes the block and marks the last block before it that can be marked. If there is none, removes the block where
 * the
 * message has others, else only its mark.
 */
function moved(blocks: readonly JsonNode[], block: JsonNode): NodeChange[] {
  const at = blocks.findIndex((other) => other.is(block));
  const before = blocks.slice(0, at).findLast(canBeMarked);
  if (before === undefined) return [{ node: block, value: blocks.length > 1 ? undefined : unmarked(block) }];
  return [
    { node: block, value: undefined },
    ...(before.get('cache_control') === undefined
      ? [{ node: before, value: patch(before, { cache_control: block.get('cache_control') }) }]
      : []),
  ];
}

function canBeMarked(block: JsonNode): boolean {
  const type = block.get('type')?.string;
  return type !== undefined && type !== 'thinking' && type !== 'redacted_thinking' && block.get('text')?.string !== '';
}

function unmarked(block: JsonNode): Json {
  return patch(block, { cache_control: undefined });
}

/** The array that a value is an element of. */
function listAround(root: JsonNode, node: JsonNode): JsonNode | undefined {
  if (root.start > node.start || root.end < node.end) return undefined;
  const inside = [...root.items(), ...root.members().map(({ value }) => value)];
  return root.isArray && inside.some((item) => item.is(node))
    ? root
    : inside.map((child) => listAround(child, node)).find((found) => found !== undefined);
}
