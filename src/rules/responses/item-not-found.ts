import { defineRule } from '../rule.js';
import { settingOf } from '../shared/own-format.js';
import { type Item, itemsOf, withoutReasoning } from '../shared/response-items.js';

export default defineRule({
  id: 'responses/item-not-found',
  summary: 'an item that only the server has',
  severity: 'warning',
  providers: ['openai-responses'],
  error: 'Item with id `rs_…` not found.',
  cause: 'The item was not stored by the server (`store: false`), or has expired there.',
  asRequest: true,
  example: {
    bad: {
      input: [
        { role: 'user', content: 'x' },
        { type: 'item_reference', id: 'rs_1' },
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
  reported: ['openai/openai-agents-python#2020', 'continuedev/continue#11785'],
  /** What the server was told to store it may still have, but a reference says nothing where it has not. */
  *check(subject) {
    const isStored = settingOf(subject, 'store')?.boolean === true;
    for (const item of itemsOf(subject)) {
      const { index, json, id, type } = item;
      if (type === 'item_reference')
        yield { message: index, node: json, text: `a reference to the item ${id ?? ''}, which is not in the history` };
      else if (!isStored && isKeptByServer(item))
        yield {
          message: index,
          node: json,
          text: `the reasoning ${id} has no encrypted content: only the server has it`,
        };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Drop references to reasoning, and reasoning without encrypted content.',
    apply(subject, problems) {
      const at = new Set(problems.map(({ message }) => message));
      const items = itemsOf(subject).filter(
        (item) => at.has(item.index) && (item.type === 'reasoning' || item.id?.startsWith('rs')),
      );
      return withoutReasoning(subject, new Set(items.map(({ index }) => index)));
    },
  },
});

function isKeptByServer({ type, id, json }: Item): boolean {
  return type === 'reasoning' && !!id && !json.get('encrypted_content')?.string;
}
