import { defineRule } from '../rule.js';
import { isFreeText, nameOfCall } from '../shared/calls.js';
import { definedTools } from '../shared/own-tools.js';

export default defineRule({
  id: 'core/tool-unknown',
  summary: 'a call of a tool that the record does not define',
  severity: 'warning',
  providers: ['any'],
  error: "tool call validation failed: attempted to call tool 'listFiles' which was not in request.tools",
  cause: 'The model made up a name, or the history was recorded with other tools than those that it is sent with.',
  reported: ['mastra-ai/mastra#9688'],
  *check({ transcript, pairing }) {
    const defined = pairing.calls.length === 0 ? undefined : definedTools(transcript);
    if (defined === undefined || defined.isOpen) return;
    for (const { part, message } of pairing.calls)
      if (part.tool !== '' && !isFreeText(part) && !defined.names.has(part.tool))
        yield {
          message,
          part,
          callId: part.callId,
          text: `${nameOfCall(part)}: the record defines no such tool, but ${few([...defined.names])}`,
        };
  },
});

const SHOWN = 5;

function few(names: readonly string[]): string {
  const rest = names.length - SHOWN;
  return `${names.slice(0, SHOWN).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
