import { patch } from '../../json/edit.js';
import { errorRule } from '../rule.js';
import { mapProblemMessages } from '../shared/edits.js';
import { hasForeignIds, itemsOf, withoutId } from '../shared/response-items.js';

/**
 * The API rejected `msg-92Y7…` although its error allows dashes (CopilotKit/CopilotKit#6117). Behind the prefix it
 * takes them: Codex makes ids such as `msg_01a22c51-6da2-…` (openai/codex#28814).
 */
const ALLOWED = /^(?:[A-Za-z0-9]+_[\w-]+|\w+)$/;

export default errorRule({
  id: 'responses/item-id-charset',
  summary: 'an item id with characters that are not allowed',
  providers: ['openai-responses'],
  error:
    "Invalid 'input[2].id': ''. Expected an ID that contains letters, numbers, underscores, or dashes, but this " +
    'value contained additional characters.',
  cause: 'The id is empty, or the client wrote `msg-` in place of `msg_`. Dashes are allowed only behind the prefix.',
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
            : `the id ${id} of the ${type} item has other characters than letters, digits, underscores, and dashes ` +
              'behind the prefix',
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
