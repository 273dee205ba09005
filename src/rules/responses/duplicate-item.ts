import { SHELL_OUTPUT } from '../../formats/openai/openai-responses-items.js';
import { withMessages } from '../../transcript/edit.js';
import { errorRule, type RuleContext } from '../rule.js';
import { type Item, itemsOf, withoutId } from '../shared/response-items.js';

export default errorRule({
  id: 'responses/duplicate-item',
  summary: 'the same item twice',
  providers: ['openai-responses'],
  cleaned: true,
  error: 'Duplicate item found with id rs_…. Remove duplicate items from your input and try again.',
  cause: 'The same item was appended twice.',
  reported: ['OpenRouterTeam/ai-sdk-provider#254'],
  *check(context) {
    for (const { index, id, json, type } of repeatsOf(context).keys())
      yield { message: index, node: json.get('id')!, text: `the ${type} item ${id} is a duplicate` };
  },
  fix: {
    safety: 'safe',
    summary: 'Keep the first copy; remove only the id from a different item that reuses it.',
    apply(context) {
      const withResult = context.pairing.calls.filter(({ results }) => results.length > 0);
      const answered = new Set(withResult.map(({ message }) => message));
      const repeats = new Map(
        [...repeatsOf(context)].map(([repeat, first]) => [repeat.index, isSame(repeat, first, answered)]),
      );
      return withMessages(
        context.transcript,
        context.transcript.messages.flatMap((message, index) =>
          !repeats.has(index) ? message : repeats.get(index) ? [] : withoutId(context, message),
        ),
      );
    },
  },
});

/** The items that reuse an id, each with the first item of that id. A local shell's output may have its call's. */
function repeatsOf(context: RuleContext): Map<Item, Item> {
  const firsts = new Map<string, Item>();
  const repeats = new Map<Item, Item>();
  for (const item of itemsOf(context)) {
    if (!item.id) continue;
    const first = firsts.get(item.id);
    if (first === undefined) firsts.set(item.id, item);
    else if (item.type !== SHELL_OUTPUT || first.type !== 'local_shell_call') repeats.set(item, first);
  }
  return repeats;
}

/** Whether it is a mere copy, or a reference to the first. Two calls that each have a result are different calls. */
function isSame(repeat: Item, first: Item, answered: ReadonlySet<number>): boolean {
  const areBothAnswered = answered.has(repeat.index) && answered.has(first.index);
  return repeat.type === 'item_reference' || (repeat.json.text === first.json.text && !areBothAnswered);
}
