import { JsonNode } from '../../json/node.js';
import { commaList } from '../../lists.js';
import { mapMessages } from '../../transcript/edit.js';
import type { Part } from '../../transcript/types.js';
import { errorRule, type Problem, type RuleContext } from '../rule.js';
import { type Block, blocksOf } from '../shared/bedrock.js';
import { bodyOf } from '../shared/own-format.js';

/** https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html (2026-11) */
const MOST = 4;

export default errorRule({
  id: 'bedrock/cache-points',
  summary: 'too many cache points, or one in a wrong place',
  providers: ['bedrock'],
  error:
    'A maximum of 4 blocks with cache_control may be provided. Found 5. | There is nothing available to cache. ' +
    'Please remove the invalid cache point and try again. | Cache point cannot be inserted after reasoning block. ' +
    'Please remove the invalid cache point and try again.',
  cause: 'Each turn sets a cache point and none is removed, or what stood before it was filtered out.',
  reported: commaList(`
    anomalyco/opencode#36517, 0xPlaygrounds/rig#1673, strands-agents/harness-sdk#1820, vercel/ai#19851
  `),
  *check(context) {
    const points = [...blocksOf(context, 'cachePoint')];
    const misplaced = new Map(points.flatMap((block) => misplacedAt(context, block)));
    for (const [{ message, part, node }, text] of misplaced) yield { message, part, node, text };
    const rest = points.filter((block) => !misplaced.has(block));
    const total = rest.length + toolPoints(context);
    const inMessages = rest.filter(({ message }) => context.transcript.messages[message]!.role !== 'system');
    for (const { message, part, node } of inMessages.slice(0, Math.max(0, total - MOST)))
      yield { message, part, node, text: `one of ${total} cache points; at most ${MOST} are allowed` };
  },
  fix: {
    safety: 'safe',
    summary: 'Remove misplaced cache points, and keep the last ones of the messages.',
    apply({ transcript }, problems: readonly Problem[]) {
      const removed = new Set(problems.map(({ part }) => part));
      return mapMessages(transcript, (message) =>
        message.parts.some((part) => removed.has(part))
          ? { ...message, parts: message.parts.filter((part) => !removed.has(part)) }
          : message,
      );
    },
  },
});

function misplacedAt({ transcript: { messages } }: RuleContext, block: Block): [Block, string][] {
  const { parts } = messages[block.message]!;
  const before = parts[parts.indexOf(block.part) - 1];
  if (before === undefined) return [[block, 'there is nothing before the cache point in its message']];
  if (isOf(before, 'reasoningContent')) return [[block, 'the cache point stands right after reasoning']];
  return isOf(before, 'cachePoint') ? [[block, 'the cache point stands right after another one']] : [];
}

function isOf({ raw }: Part, type: string): boolean {
  return raw instanceof JsonNode && raw.get(type) !== undefined;
}

function toolPoints(context: RuleContext): number {
  const tools = bodyOf(context)?.get('toolConfig')?.get('tools')?.items() ?? [];
  return tools.filter((tool) => tool.get('cachePoint') !== undefined).length;
}
