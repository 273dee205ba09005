import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { mapProblemMessages } from '../shared/edits.js';
import { hasForeignIds, ID_PREFIXES, itemsOf, withoutId } from '../shared/response-items.js';

export default errorRule({
  id: 'responses/item-id-prefix',
  summary: 'an item id without the prefix of its type',
  providers: ['openai-responses'],
  covers: ['responses/item-id-charset'],
  error:
    "Invalid 'input[1].id': 'item_…'. Expected an ID that begins with 'fc'. (also 'msg', 'rs', 'ctc'; code " +
    'invalid_value / invalid_id_prefix)',
  cause:
    'The ids come from another provider, are UUIDs, or are copies of the `call_id`, often after a switch of models.',
  reported: commaList(`
    Wei-Shaw/sub2api#3785, Wei-Shaw/sub2api#3981, nodetool-ai/nodetool#4252, openai/codex#33176,
    mastra-ai/mastra#10815, UKGovernmentBEIS/inspect_ai#1545, continuedev/continue#11785,
    Alishahryar1/free-claude-code#1826
  `),
  *check(context) {
    if (hasForeignIds(context)) return;
    for (const { index, json, id, type } of itemsOf(context)) {
      const prefix = ID_PREFIXES[type];
      if (prefix !== undefined && id && !id.startsWith(prefix))
        yield {
          message: index,
          node: json.get('id')!,
          text: `the id ${id} of the ${type} item does not begin with ${prefix}`,
        };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Remove the id.',
    apply: (context, problems) => mapProblemMessages(context, problems, (message) => withoutId(context, message)),
  },
});
