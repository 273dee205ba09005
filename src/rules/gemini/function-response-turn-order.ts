import type { Part } from '../../transcript/types.js';
import { defineRule } from '../rule.js';
import { standsBehindIn } from '../shared/model-turns.js';
import { CLEAR_STRAYS, strayResults } from '../shared/results.js';

export default defineRule({
  id: 'gemini/function-response-turn-order',
  summary: 'a function response that does not follow its call',
  severity: 'error',
  providers: ['gemini'],
  error: 'Please ensure that function response turn comes immediately after a function call turn',
  cause: 'Another turn came between a call and its response, or the call was cut off.',
  example: {
    bad: {
      contents: [
        { role: 'user', parts: [{ text: 'x' }] },
        { role: 'model', parts: [{ text: 'y' }] },
        { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { r: 1 } } }] },
      ],
    },
    repaired: {
      contents: [
        { role: 'user', parts: [{ text: 'x' }] },
        { role: 'model', parts: [{ text: 'y' }] },
      ],
    },
  },
  reported: ['langchain-ai/langchain#27799', 'google-gemini/gemini-cli#26956'],
  /** Neighbouring turns of the model are one: the responses to all their calls follow them. */
  *check(subject) {
    const behind = new Set<Part | undefined>(
      subject.pairing.results.filter(standsBehindIn(subject.transcript.messages)).map(({ part }) => part),
    );
    for (const problem of strayResults(subject)) if (!behind.has(problem.part)) yield problem;
  },
  fix: CLEAR_STRAYS,
});
