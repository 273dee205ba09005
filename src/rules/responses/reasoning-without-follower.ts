import { defineRule, type Problem } from '../rule.js';
import { hasForeignIds, type Item, itemsOf, withoutReasoning } from '../shared/response-items.js';

export default defineRule({
  id: 'responses/reasoning-without-follower',
  summary: 'reasoning that leads to nothing',
  severity: 'error',
  providers: ['openai-responses'],
  error: "Item 'rs_…' of type 'reasoning' was provided without its required following item.",
  cause:
    'The message or call that the reasoning led to was removed or lost its id, or the history ends with reasoning.',
  example: {
    bad: {
      input: [
        { role: 'user', content: 'x' },
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { role: 'user', content: 'y' },
      ],
    },
    repaired: {
      input: [
        { role: 'user', content: 'x' },
        { role: 'user', content: 'y' },
      ],
    },
  },
  reported: [
    'continuedev/continue#8933',
    'continuedev/continue#10428',
    'mastra-ai/mastra#14048',
    'vercel/ai#7099',
    'vercel/ai#8379',
    'openai/openai-agents-python#1611',
    'openai/openai-node#1567',
    'openai/openai-agents-js#326',
  ],
  /** Only reasoning that goes by an id is looked up. What the history ends with may go on, unless it is about to be sent. */
  *check(subject) {
    if (hasForeignIds(subject)) return;
    const { asRequest, transcript } = subject;
    let next: Item | undefined; // behind the item, reasoning apart
    const loose: Problem[] = [];
    for (const item of itemsOf(subject).reverse()) {
      const { index, message, json, id, type } = item;
      if (message.role === 'meta') continue;
      if (type !== 'reasoning') next = item;
      else if (
        id &&
        (next === undefined ? asRequest && !transcript.traits.endsOnReply : next.message.role !== 'assistant')
      )
        loose.push({ message: index, node: json, text: `the reasoning ${id} leads to ${nameOf(next)}` });
    }
    yield* loose.reverse();
  },
  fix: {
    safety: 'lossy',
    summary: 'Drop the reasoning.',
    apply: (subject, problems) => withoutReasoning(subject, new Set(problems.flatMap(({ message }) => message ?? []))),
  },
});

function nameOf(item: Item | undefined): string {
  if (item === undefined) return 'the end of the history';
  return item.type === 'message' ? `a message of role ${item.message.role}` : `an item ${item.type}`;
}
