import { defineRule, type RuleContext } from '../rule.js';
import { withMessagesMended } from '../shared/edits.js';
import { settingOf } from '../shared/own-format.js';
import { hasForeignIds, type Item, itemsOf, withoutId } from '../shared/response-items.js';

/** Where a request says which reasoning its history once had. */
const RECORDED = 'x-recorded-reasoning';

export default defineRule({
  id: 'responses/call-without-reasoning',
  summary: 'a function call without the reasoning that led to it',
  severity: 'error',
  providers: ['openai-responses'],
  error: "Item 'fc_…' of type 'function_call' was provided without its required 'reasoning' item: 'rs_…'.",
  cause: 'Reasoning items were filtered out, and the calls they led to kept their ids.',
  example: {
    bad: {
      input: [
        { role: 'user', content: 'x' },
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'ls', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'a' },
      ],
      'x-recorded-reasoning': ['rs_1'],
    },
    repaired: {
      input: [
        { role: 'user', content: 'x' },
        { type: 'function_call', call_id: 'call_1', name: 'ls', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'a' },
      ],
      'x-recorded-reasoning': ['rs_1'],
    },
  },
  reported: [
    '0xPlaygrounds/rig#751',
    'cline/cline#12242',
    'continuedev/continue#10018',
    'continuedev/continue#10880',
    'continuedev/continue#11785',
  ],
  /** No item says what led to it: silent unless the recording says that there was reasoning. */
  *check(subject) {
    if (hasForeignIds(subject)) return;
    const items = itemsOf(subject).filter(({ message }) => message.role !== 'meta');
    const isGone = reasoningIsGone(subject, items);
    let isLed = false;
    for (const { index, json, id, type, message } of items) {
      if (type === 'reasoning') isLed = true;
      else if (message.role !== 'assistant') isLed = false;
      else if (type === 'function_call' && id?.startsWith('fc') && !isLed && isGone(index))
        yield {
          message: index,
          node: json.get('id')!,
          ...(json.get('call_id')?.string === undefined ? {} : { callId: json.get('call_id')!.text }),
          text: `the function call ${id} is here, the reasoning that led to it is not`,
        };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Take the id of the item away: its call_id is enough.',
    apply: (subject, problems) => withMessagesMended(subject, problems, (message) => withoutId(subject, message)),
  },
});

/** Whether reasoning before an item was recorded: by name, or as tokens of the reply that it is of. */
function reasoningIsGone(subject: RuleContext, items: readonly Item[]): (index: number) => boolean {
  const present = new Set(items.map(({ id }) => id));
  const isNamed =
    settingOf(subject, RECORDED)
      ?.items()
      .some((id) => !present.has(id.string)) === true;
  const { messages, reply } = subject.transcript;
  const asked = messages.findLastIndex(({ role }) => role !== 'assistant' && role !== 'meta');
  return (index) => isNamed || ((reply?.usage?.reasoning ?? 0) > 0 && index > asked);
}
