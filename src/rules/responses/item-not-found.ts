import type { JsonNode } from '../../json/node.js';
import { defineRule } from '../rule.js';
import { settingOf } from '../shared/own-format.js';
import { ID_PREFIXES, type Item, itemsOf, withoutReasoning } from '../shared/response-items.js';

export default defineRule({
  id: 'responses/item-not-found',
  summary: 'an item that is stored only on the server',
  severity: 'warning',
  providers: ['openai-responses'],
  error: 'Item with id `rs_…` not found.',
  cause: 'The server did not store the item (`store: false`), or it has expired.',
  asRequest: true,
  reported: ['openai/openai-agents-python#2020', 'continuedev/continue#11785'],
  /** With `store: true` the server may still have the reasoning; a reference is useless without the server. */
  *check(context) {
    const isStored = settingOf(context, 'store')?.boolean === true;
    for (const item of itemsOf(context)) {
      const { index, json, id, type } = item;
      if (type === 'item_reference')
        yield { message: index, node: json, text: `a reference to the item ${id ?? ''}, which is not in the history` };
      else if (!isStored && isKeptByServer(item))
        yield {
          message: index,
          node: json,
          text: `the reasoning ${id} has no encrypted content: it is stored only on the server`,
        };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Remove references to reasoning, and reasoning without encrypted content.',
    reaches: (_, { node }) => isReasoning(node!),
    apply: (context, problems) => withoutReasoning(context, new Set(problems.map(({ message }) => message!))),
  },
});

/** Reasoning, or a reference to it. */
function isReasoning(item: JsonNode): boolean {
  return (
    item.get('type')?.string === 'reasoning' || item.get('id')?.string?.startsWith(ID_PREFIXES['reasoning']!) === true
  );
}

function isKeptByServer({ type, id, json }: Item): boolean {
  return type === 'reasoning' && !!id && !json.get('encrypted_content')?.string;
}
