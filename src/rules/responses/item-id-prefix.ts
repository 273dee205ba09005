import { defineRule } from '../rule.js';
import { withMessagesMended } from '../shared/edits.js';
import { hasForeignIds, ID_PREFIXES, itemsOf, withoutId } from '../shared/response-items.js';

export default defineRule({
  id: 'responses/item-id-prefix',
  summary: 'an item’s id that does not say what it is',
  severity: 'error',
  providers: ['openai-responses'],
  covers: ['responses/item-id-charset'],
  error:
    "Invalid 'input[1].id': 'item_…'. Expected an ID that begins with 'fc'. (also 'msg', 'rs', 'ctc'; code invalid_value / invalid_id_prefix)",
  cause:
    'The ids come from another provider, are UUIDs, or the `call_id` was copied: a saved session goes on with another model.',
  example: {
    bad: {
      input: [
        { role: 'user', content: 'x' },
        { type: 'function_call', id: 'call_1', call_id: 'call_1', name: 'ls', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'a' },
      ],
    },
    repaired: {
      input: [
        { role: 'user', content: 'x' },
        { type: 'function_call', call_id: 'call_1', name: 'ls', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'a' },
      ],
    },
  },
  reported: [
    'Wei-Shaw/sub2api#3785',
    'Wei-Shaw/sub2api#3981',
    'nodetool-ai/nodetool#4252',
    'openai/codex#33176',
    'mastra-ai/mastra#10815',
    'UKGovernmentBEIS/inspect_ai#1545',
    'continuedev/continue#11785',
    'Alishahryar1/free-claude-code#1826',
  ],
  *check(subject) {
    if (hasForeignIds(subject)) return;
    for (const { index, json, id, type } of itemsOf(subject)) {
      const prefix = ID_PREFIXES[type];
      if (prefix !== undefined && id && !id.startsWith(prefix))
        yield {
          message: index,
          node: json.get('id')!,
          text: `the id ${id} of an item ${type} does not begin with ${prefix}`,
        };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Take the id away.',
    apply: (subject, problems) => withMessagesMended(subject, problems, (message) => withoutId(subject, message)),
  },
});
