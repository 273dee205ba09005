import { patch } from '../../json/edit.js';
import { defineRule } from '../rule.js';
import { withMessagesMended } from '../shared/edits.js';
import { hasForeignIds, itemsOf, withoutId } from '../shared/response-items.js';

/** The error allows dashes; they were refused all the same (CopilotKit/CopilotKit#6117). */
const ALLOWED = /^[A-Za-z0-9_]+$/;

export default defineRule({
  id: 'responses/item-id-charset',
  summary: 'an item’s id with other characters than letters, digits and underscores',
  severity: 'error',
  providers: ['openai-responses'],
  error:
    "Invalid 'input[2].id': ''. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.",
  cause: 'The id is empty, or the client made it, with a dash in it: dashes are refused in spite of the error’s text.',
  example: {
    bad: {
      input: [
        { role: 'user', content: 'x' },
        { type: 'message', role: 'assistant', id: 'msg-92Y7', content: [{ type: 'output_text', text: 'y' }] },
      ],
    },
    repaired: {
      input: [
        { role: 'user', content: 'x' },
        { type: 'message', role: 'assistant', id: 'msg_92Y7', content: [{ type: 'output_text', text: 'y' }] },
      ],
    },
  },
  reported: ['langchain-ai/langchainjs#11044', 'anomalyco/opencode#25065', 'CopilotKit/CopilotKit#6117'],
  *check(subject) {
    if (hasForeignIds(subject)) return;
    for (const { index, json, id, type } of itemsOf(subject)) {
      if (id === undefined || type === 'item_reference' || ALLOWED.test(id)) continue;
      yield {
        message: index,
        node: json.get('id')!,
        text:
          id === ''
            ? `the id of an item ${type} is empty`
            : `the id ${id} of an item ${type} has other characters than letters, digits and underscores`,
      };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Put underscores for those characters; an id that is empty, or then another’s, goes.',
    apply(subject, problems) {
      const taken = new Set(itemsOf(subject).map(({ id }) => id));
      return withMessagesMended(subject, problems, (message) => {
        const json = subject.wire(message)!;
        const id = json.get('id')!.text.replace(/[^A-Za-z0-9_]/g, '_');
        if (id === '' || taken.has(id)) return withoutId(subject, message);
        taken.add(id);
        return subject.rewire(message, patch(json, { id }));
      });
    },
  },
});
