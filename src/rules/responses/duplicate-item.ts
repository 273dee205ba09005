import { withMessages } from '../../transcript/edit.js';
import { defineRule, type RuleContext } from '../rule.js';
import { type Item, itemsOf, withoutId } from '../shared/response-items.js';

export default defineRule({
  id: 'responses/duplicate-item',
  summary: 'the same item twice',
  severity: 'error',
  providers: ['openai-responses'],
  cleaned: true,
  error: 'Duplicate item found with id rs_…. Remove duplicate items from your input and try again.',
  cause: 'The same item was appended twice.',
  example: {
    bad: {
      input: [
        { role: 'user', content: 'x' },
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'ls', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'a' },
      ],
    },
    repaired: {
      input: [
        { role: 'user', content: 'x' },
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'ls', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'a' },
      ],
    },
  },
  reported: ['OpenRouterTeam/ai-sdk-provider#254'],
  *check(subject) {
    for (const { index, id, json, type } of repeatsOf(subject).keys())
      yield { message: index, node: json.get('id')!, text: `an item ${type} with the id ${id} stands here again` };
  },
  fix: {
    safety: 'safe',
    summary: 'Keep the first and drop those that say the same; another item with its id loses the id.',
    apply(subject) {
      const repeats = new Map(
        [...repeatsOf(subject)].map(([repeat, first]) => [repeat.index, isSame(repeat, first, subject)]),
      );
      return withMessages(
        subject.transcript,
        subject.transcript.messages.flatMap((message, index) =>
          !repeats.has(index) ? message : repeats.get(index) ? [] : withoutId(subject, message),
        ),
      );
    },
  },
});

/** The items whose id an item before them has, each with that one. */
function repeatsOf(subject: RuleContext): Map<Item, Item> {
  const firsts = new Map<string, Item>();
  const repeats = new Map<Item, Item>();
  for (const item of itemsOf(subject)) {
    if (!item.id) continue;
    const first = firsts.get(item.id);
    if (first === undefined) firsts.set(item.id, item);
    else repeats.set(item, first);
  }
  return repeats;
}

/** A reference to an item that is there says nothing; two calls that each have their result were made twice. */
function isSame(repeat: Item, first: Item, { pairing }: RuleContext): boolean {
  const isAnswered = ({ index }: Item) =>
    pairing.calls.some(({ message, results }) => message === index && results.length > 0);
  return (
    repeat.type === 'item_reference' ||
    (repeat.json.text === first.json.text && !(isAnswered(repeat) && isAnswered(first)))
  );
}
