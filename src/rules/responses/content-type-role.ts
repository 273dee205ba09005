import { patch, patchItems } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { errorRule } from '../rule.js';
import { mapProblemMessages } from '../shared/edits.js';
import { itemsOf } from '../shared/response-items.js';

export default errorRule({
  id: 'responses/content-type-role',
  summary: 'a text type that does not match the role',
  providers: ['openai-responses'],
  error: "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'. (param input[1].content[0])",
  cause: 'The text of the assistant was stored as `input_text`, like that of the user.',
  reported: ['missdeer/ace-tool-rs#11', 'sunwu51/TabPilot#46', 'danny-avila/LibreChat#11814'],
  *check(context) {
    for (const { index, json, type } of itemsOf(context)) {
      if (type !== 'message') continue;
      for (const block of json.get('content')?.items() ?? []) {
        const expected = typeFor(json, block);
        if (expected !== undefined)
          yield {
            message: index,
            node: block,
            text:
              `text of type ${block.get('type')!.text} in a message of role ${json.get('role')!.text}, which must ` +
              `have ${expected}`,
          };
      }
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Set the text type of the role.',
    apply(context, problems) {
      const { wire, rewire } = context;
      return mapProblemMessages(context, problems, (message) => {
        const json = wire(message)!;
        const content = json.get('content')!;
        const blocks = content
          .items()
          .map((block) => patch(block, { type: typeFor(json, block) ?? block.get('type') }));
        return rewire(message, patch(json, { content: patchItems(content, blocks) }));
      });
    },
  },
});

/** The type that the text must have; undefined if it has it. */
function typeFor(message: JsonNode, block: JsonNode): string | undefined {
  const role = message.get('role')?.string;
  const type = block.get('type')?.string;
  if (role === undefined || type === undefined) return undefined;
  if (role === 'assistant') return type === 'input_text' || type === 'text' ? 'output_text' : undefined;
  return type === 'output_text' || type === 'text' ? 'input_text' : undefined;
}
