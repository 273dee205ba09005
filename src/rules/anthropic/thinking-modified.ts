import { JsonNode } from '../../json/node.js';
import { commaList } from '../../lists.js';
import { originOf } from '../../transcript/compare.js';
import { textOf } from '../../transcript/text.js';
import type { Message } from '../../transcript/types.js';
import { errorRule } from '../rule.js';

export default errorRule({
  id: 'anthropic/thinking-modified',
  summary: 'edited thinking in the last assistant message',
  providers: ['anthropic'],
  error:
    'messages.5.content.1: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be ' +
    'modified. These blocks must remain as they were in the original response.',
  cause: 'Thinking blocks of the last reply were reordered, merged, edited or removed.',
  reported: commaList(`
    anthropics/claude-code#19539, anthropics/claude-code#63203, anthropics/claude-code#63221,
    anthropics/claude-code#63404, anthropics/claude-code#64004, anthropics/claude-code#25361,
    anthropics/claude-code#63361, anthropics/claude-code#63248
  `),
  /** Only edits made here are visible, through the message's original JSON. Removing all thinking is allowed. */
  *check({ transcript: { messages }, wire }) {
    const last = messages.findLast(({ role }) => role === 'assistant');
    for (const [index, message] of messages.entries()) {
      if (
        message.role !== 'assistant' ||
        (message !== last && (message.group === undefined || message.group !== last?.group))
      )
        continue;
      const before = wire({ ...message, raw: originOf(message) });
      const now = thoughtsOf(message);
      if (before === undefined || now.length === 0) continue;
      const then = (before.get('content')?.items() ?? [])
        .filter(isSealed)
        .map((block) => asText(block, block.get('thinking')?.string ?? ''));
      if (now.length === then.length && now.every((thought, index) => thought === then[index])) continue;
      const part = message.parts.find(({ type }) => type === 'thinking');
      yield {
        message: index,
        part,
        text:
          now.length === then.length
            ? 'a thinking block of the last assistant message was edited'
            : `${now.length} of ${then.length} thinking blocks of the last assistant message are left`,
      };
    }
  },
});

/** Whether the API returned this block: it signs all thinking. */
function isSealed(block: JsonNode): boolean {
  return Boolean(block.get('signature')?.string || block.get('data')?.string);
}

/** A key for each thinking block, to compare its text and signature. */
function thoughtsOf({ parts }: Message): string[] {
  return parts.flatMap((part) =>
    part.type === 'thinking' && part.raw instanceof JsonNode && isSealed(part.raw)
      ? [asText(part.raw, textOf(part.text))]
      : [],
  );
}

function asText(block: JsonNode, text: string): string {
  return JSON.stringify([text, block.get('signature')?.string, block.get('data')?.string]);
}
