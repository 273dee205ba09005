import { patch } from '../../json/edit.js';
import { errorRule } from '../rule.js';
import { mapProblemMessages } from '../shared/edits.js';
import { hasForeignIds, itemsOf, withoutId } from '../shared/response-items.js';

/** The error allows dashes, but the API rejected them (CopilotKit/CopilotKit#6117). */
const ALLOWED = /^[A-Za-z0-9_]+$/;

export default errorRule({
  id: 'responses/item-id-charset',
  summary: 'an item id with characters other than letters, digits and underscores',
  providers: ['openai-responses'],
  error:
    "Invalid 'input[2].id': ''. Expected an ID that contains letters, numbers, underscores, or dashes, but this " +
    'value contained additional characters.',
  cause: 'The id is empty, or the client made it with a dash. The API rejects dashes although its error allows them.',
  reported: ['langchain-ai/langchainjs#11044', 'anomalyco/opencode#25065', 'CopilotKit/CopilotKit#6117'],
  *check(context) {
    if (hasForeignIds(context)) return;
    for (const { index, json, id, type } of itemsOf(context)) {
      if (id === undefined || type === 'item_reference' || ALLOWED.test(id)) continue;
      yield {
        message: index,
        node: json.get('id')!,
        text:
          id === ''
            ? `the id of the ${type} item is empty`
            : `the id ${id} of the ${type} item has characters other than letters, digits and underscores`,
      };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Replace these characters with underscores; remove an id that is empty or would then be a duplicate.',
    apply(context, problems) {
      const taken = new Set(itemsOf(context).map(({ id }) => id));
      return mapProblemMessages(context, problems, (message) => {
        const json = context.wire(message)!;
        const id = json.get('id')!.text.replace(/[^A-Za-z0-9_]/g, '_');
        if (id === '' || taken.has(id)) return withoutId(context, message);
        taken.add(id);
        return context.rewire(message, patch(json, { id }));
      });
    },
  },
});
