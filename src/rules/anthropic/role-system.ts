import { patch } from '../../json/edit.js';
import { commaList } from '../../lists.js';
import { withMessages } from '../../transcript/edit.js';
import { textOf } from '../../transcript/text.js';
import type { Message, Transcript } from '../../transcript/types.js';
import { errorRule } from '../rule.js';
import { firstSpoken } from '../shared/ends.js';

/**
 * Models that accept no system message after the first user message: those before Claude Opus 4.8.
 * https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages
 */
const EARLIER = /claude-(?:instant|v?[1-3])|(?:sonnet|haiku)-4|opus-4(?![-.](?:[89]|\d\d)(?!\d))/;

export default errorRule({
  id: 'anthropic/role-system',
  summary: 'a role that Anthropic does not accept in messages',
  providers: ['anthropic'],
  covers: ['anthropic/schema'],
  error:
    'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" ' +
    "as an input message role. | messages.2.role: Input should be 'user' or 'assistant'",
  cause: 'The history was written for OpenAI, where the system prompt and the results are messages of their own roles.',
  reported: commaList(`
    ianarawjo/ChainForge#271, sgl-project/sglang#368, anthropics/anthropic-sdk-python#382, promptfoo/promptfoo#2128
  `),
  *check({ transcript, wire }) {
    const spoken = firstSpoken(transcript);
    const isLaterTaken = !EARLIER.test(transcript.model ?? 'unknown');
    for (const [index, message] of transcript.messages.entries()) {
      const json = wire(message);
      const role = json?.get('role');
      if (
        role?.string === undefined ||
        json?.get('content') === undefined ||
        role.string === 'user' ||
        role.string === 'assistant'
      )
        continue;
      if (role.string === 'system' && index > spoken && spoken >= 0 && isLaterTaken) continue;
      yield {
        message: index,
        node: role,
        text: `the role is "${role.string}"; only "user" and "assistant" are allowed`,
      };
    }
  },
  fix: {
    safety: 'safe',
    summary:
      'Move a leading system message to the system prompt, if there is a separate one; make any other a user message.',
    reaches: ({ transcript }, { message }) => {
      const { role, parts } = transcript.messages[message!]!;
      return role !== 'meta' && !(role === 'system' && parts.some(({ type }) => type === 'opaque'));
    },
    apply({ transcript, wire, rewire }, problems) {
      const { messages } = transcript;
      const beside = messages[0]?.role === 'system' && wire(messages[0]) === undefined ? messages[0] : undefined;
      const spoken = firstSpoken(transcript);
      const wrong = new Set(problems.map(({ message }) => message!));
      const joins = (index: number) =>
        beside !== undefined && wrong.has(index) && index < spoken && messages[index]!.role === 'system';
      const asUser = (message: Message) =>
        rewire(message, patch(wire(message)!, { role: message.role === 'assistant' ? 'assistant' : 'user' }));
      const left = messages.flatMap((message, index) =>
        joins(index) ? [] : [wrong.has(index) ? asUser(message) : message],
      );
      return withMessages(transcript, beside === undefined ? left : left.with(0, withTexts(beside, transcript, joins)));
    },
  },
});

/** Appends the texts of the joining messages to the system prompt: to its text, or as more blocks. */
function withTexts(prompt: Message, { messages }: Transcript, joins: (index: number) => boolean): Message {
  const added = messages.flatMap(({ parts }, index) => (joins(index) ? parts : []));
  const [first] = prompt.parts;
  if (added.length === 0) return prompt;
  if (prompt.parts.length !== 1 || first?.type !== 'text' || first.raw !== prompt.raw)
    return { ...prompt, parts: [...prompt.parts, ...added] };
  const texts = added.flatMap((part) => (part.type === 'text' ? [textOf(part.text)] : []));
  return { ...prompt, parts: [{ ...first, text: [textOf(first.text), ...texts].join('\n\n') }] };
}
