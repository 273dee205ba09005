import { commaList } from '../../lists.js';
import { errorRule, type RuleContext } from '../rule.js';
import { mapProblemMessages } from '../shared/edits.js';
import { settingOf } from '../shared/own-format.js';
import { hasForeignIds, type Item, itemsOf, withoutId } from '../shared/response-items.js';

/** A field with the ids of reasoning that the history once had. */
const RECORDED = 'x-recorded-reasoning';

export default errorRule({
  id: 'responses/call-without-reasoning',
  summary: 'a function call without its reasoning',
  providers: ['openai-responses'],
  error: "Item 'fc_…' of type 'function_call' was provided without its required 'reasoning' item: 'rs_…'.",
  cause: 'Reasoning items were filtered out, but the calls after them kept their ids.',
  reported: commaList(`
    0xPlaygrounds/rig#751, cline/cline#12242, continuedev/continue#10018, continuedev/continue#10880,
    continuedev/continue#11785
  `),
  /** Items do not name their reasoning, so this needs a recording that mentions it. */
  *check(context) {
    if (hasForeignIds(context)) return;
    const items = itemsOf(context).filter(({ message }) => message.role !== 'meta');
    const isGone = reasoningIsGone(context, items);
    let isLed = false;
    for (const { index, json, id, type, message } of items) {
      if (type === 'reasoning') isLed = true;
      else if (message.role !== 'assistant') isLed = false;
      else if (type === 'function_call' && id?.startsWith('fc') && !isLed && isGone(index))
        yield {
          message: index,
          node: json.get('id')!,
          ...(json.get('call_id')?.string === undefined ? {} : { callId: json.get('call_id')!.text }),
          text: `the function call ${id} is in the history, but not the reasoning before it`,
        };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Remove the id of the item: its call_id is enough.',
    apply: (context, problems) => mapProblemMessages(context, problems, (message) => withoutId(context, message)),
  },
});

/** Tests whether reasoning before an item was recorded: by id, or as reasoning tokens of the reply. */
function reasoningIsGone(context: RuleContext, items: readonly Item[]): (index: number) => boolean {
  const present = new Set(items.map(({ id }) => id));
  const isNamed =
    settingOf(context, RECORDED)
      ?.items()
      .some((id) => !present.has(id.string)) === true;
  const { messages, reply } = context.transcript;
  const lastPrompt = messages.findLastIndex(({ role }) => role !== 'assistant' && role !== 'meta');
  return (index) => isNamed || ((reply?.usage?.reasoning ?? 0) > 0 && index > lastPrompt);
}
