import { textOf } from '../../transcript/text.js';
import { defineRule } from '../rule.js';
import { isFreeText, nameOfCall } from '../shared/calls.js';
import { definedTools } from '../shared/own-tools.js';

export default defineRule({
  id: 'core/arguments-invalid',
  summary: 'arguments that the schema of the tool refuses',
  severity: 'warning',
  providers: ['any'],
  error:
    'tool call validation failed: parameters for tool fetch_pod_logs did not match schema: errors: [missing ' +
    "properties: 'start_time']",
  cause: 'The model left out an argument, made one up, or wrote it with another type.',
  reported: ['HolmesGPT/holmesgpt#2217', 'laravel/ai#342'],
  *check({ transcript, pairing }) {
    const defined = pairing.calls.length === 0 ? undefined : definedTools(transcript);
    if (defined === undefined) return;
    for (const { part, message } of pairing.calls) {
      const wrong = isFreeText(part) ? undefined : defined.refuses(part.tool, argumentsIn(textOf(part.input)));
      if (wrong !== undefined) yield { message, part, callId: part.callId, text: `${nameOfCall(part)}: ${wrong}` };
    }
  },
});

/** What is no JSON is another rule's concern. */
function argumentsIn(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
