import { patch, patchItems } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { defineRule } from '../rule.js';
import { withMessagesMended } from '../shared/edits.js';
import { itemsOf } from '../shared/response-items.js';

export default defineRule({
  id: 'responses/content-type-role',
  summary: 'text of a type that is another role’s',
  severity: 'error',
  providers: ['openai-responses'],
  error: "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'. (param input[1].content[0])",
  cause: 'What the assistant said was stored as `input_text`, as the user’s is.',
  example: {
    bad: {
      input: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [{ type: 'input_text', text: 'y' }] },
      ],
    },
    repaired: {
      input: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [{ type: 'output_text', text: 'y' }] },
      ],
    },
  },
  reported: ['missdeer/ace-tool-rs#11', 'sunwu51/TabPilot#46', 'danny-avila/LibreChat#11814'],
  *check(subject) {
    for (const { index, json, type } of itemsOf(subject)) {
      if (type !== 'message') continue;
      for (const block of json.get('content')?.items() ?? []) {
        const wanted = typeFor(json, block);
        if (wanted !== undefined)
          yield {
            message: index,
            node: block,
            text: `text of type ${block.get('type')!.text} in a message of role ${json.get('role')!.text}, which has ${wanted}`,
          };
      }
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Give the text the type of its role.',
    apply(subject, problems) {
      const { wire, rewire } = subject;
      return withMessagesMended(subject, problems, (message) => {
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

/** The type that the text should have, where it has another. */
function typeFor(message: JsonNode, block: JsonNode): string | undefined {
  const role = message.get('role')?.string;
  const type = block.get('type')?.string;
  if (role === undefined || type === undefined) return undefined;
  if (role === 'assistant') return type === 'input_text' || type === 'text' ? 'output_text' : undefined;
  return type === 'output_text' || type === 'text' ? 'input_text' : undefined;
}
