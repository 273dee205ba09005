import { commaList } from '../../lists.js';
import { errorRule, type Problem } from '../rule.js';
import { hasForeignIds, type Item, itemsOf, withoutReasoning } from '../shared/response-items.js';

export default errorRule({
  id: 'responses/reasoning-without-follower',
  summary: 'reasoning without a following item',
  providers: ['openai-responses'],
  error: "Item 'rs_…' of type 'reasoning' was provided without its required following item.",
  cause: 'The message or call after the reasoning was removed or lost its id, or the history ends with reasoning.',
  reported: commaList(`
    continuedev/continue#8933, continuedev/continue#10428, mastra-ai/mastra#14048, vercel/ai#7099, vercel/ai#8379,
    openai/openai-agents-python#1611, openai/openai-node#1567, openai/openai-agents-js#326
  `),
  /** Only reasoning with an id is checked by the API. At the end of a recording the following item may still come. */
  *check(context) {
    if (hasForeignIds(context)) return;
    const { asRequest, transcript } = context;
    let next: Item | undefined; // the next item that is not reasoning
    const loose: Problem[] = [];
    for (const item of itemsOf(context).reverse()) {
      const { index, message, json, id, type } = item;
      if (message.role === 'meta') continue;
      if (type !== 'reasoning') next = item;
      else if (
        id &&
        (next === undefined ? asRequest && !transcript.traits.endsOnReply : next.message.role !== 'assistant')
      )
        loose.push({ message: index, node: json, text: `the reasoning ${id} is followed by ${nameOf(next)}` });
    }
    yield* loose.reverse();
  },
  fix: {
    safety: 'lossy',
    summary: 'Remove the reasoning.',
    apply: (context, problems) => withoutReasoning(context, new Set(problems.flatMap(({ message }) => message ?? []))),
  },
});

function nameOf(item: Item | undefined): string {
  if (item === undefined) return 'the end of the history';
  return item.type === 'message' ? `a message of role ${item.message.role}` : `a ${item.type} item`;
}
