import { table } from '../../formats/table.js';
import { JsonNode } from '../../json/node.js';
import type { Message } from '../../transcript/types.js';
import { defineRule, type Subject } from '../rule.js';
import { rewireProblems } from '../shared/edits.js';
import { isOwn } from '../shared/own-format.js';

/** What a block of each type may hold in a request; of types that are not here nothing is said. Only a warning: the list may grow, and agents strip fields of their own. https://docs.anthropic.com/en/api/messages */
const FIELDS = table<readonly string[]>({
  text: ['text', 'citations', 'cache_control'],
  image: ['source', 'cache_control'],
  document: ['source', 'title', 'context', 'citations', 'cache_control'],
  search_result: ['source', 'title', 'content', 'citations', 'cache_control'],
  thinking: ['thinking', 'signature'],
  redacted_thinking: ['data'],
  tool_use: ['id', 'name', 'input', 'caller', 'cache_control'],
  tool_result: ['tool_use_id', 'content', 'is_error', 'cache_control'],
  server_tool_use: ['id', 'name', 'input', 'caller', 'cache_control'],
});

export default defineRule({
  id: 'anthropic/extra-fields',
  summary: 'fields that a block cannot have',
  severity: 'warning',
  providers: ['anthropic'],
  error: 'messages.65.content.1.tool_use.text: Extra inputs are not permitted',
  cause:
    'An agent stored its own fields inside of blocks, or kept fields that only responses have, and sent them along.',
  example: {
    bad: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {}, text: 'hm' }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a' }] },
      ],
    },
    repaired: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a' }] },
      ],
    },
  },
  reported: ['anthropics/claude-code#4378', 'anthropics/anthropic-sdk-typescript#862', 'caozhiyuan/copilot-api#145'],
  /** Agents strip their own fields before they send a message: in their logs nothing is wrong with them. */
  *check(subject) {
    for (const [message, said] of subject.transcript.messages.entries()) {
      if (!isOwn(subject, said) || (!subject.asRequest && isOfLog(said, subject))) continue;
      for (const part of said.parts)
        for (const { raw } of part.type === 'result' ? [part, ...part.content] : [part])
          if (raw instanceof JsonNode)
            for (const { type, key, value } of extraFields(raw))
              yield {
                message,
                part,
                ...(part.type === 'call' || part.type === 'result' ? { callId: part.callId } : {}),
                node: value,
                text: `a ${type} block has no field \`${key}\``,
              };
    }
  },
  remedy: {
    safety: 'lossy',
    summary: 'Take the fields away.',
    fix: (subject, problems) => rewireProblems(subject, problems, () => undefined),
  },
});

/** Whether an agent wrote the message down in its own way: in another format, or with fields beside those that messages have. */
function isOfLog({ raw }: Message, { transcript, provider }: Subject): boolean {
  return (
    transcript.format !== provider.format ||
    (raw instanceof JsonNode &&
      raw.get('content') !== undefined &&
      raw.members().some(({ key }) => key.text !== 'role' && key.text !== 'content'))
  );
}

function extraFields(block: JsonNode): { type: string; key: string; value: JsonNode }[] {
  const type = block.get('type')?.string ?? '';
  const known = FIELDS[type];
  if (known === undefined) return [];
  return block
    .members()
    .flatMap(({ key, value }) =>
      key.text === 'type' || known.includes(key.text) ? [] : [{ type, key: key.text, value }],
    );
}
