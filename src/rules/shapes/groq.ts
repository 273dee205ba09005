/** The members of chat messages by the types of `groq-sdk` 1.6.0 (2026-11): the API refuses any other. */
import type { Shape, Shapes } from './shape.js';

const closed = (...keys: readonly string[]): Shape => ({
  fields: Object.fromEntries(['role', 'content', ...keys].map((key) => [`${key}?`, 'any'])),
  closed: true,
});
const instructions = closed('name');
/** A message, by its role. `reasoning_content` and unknown roles have rules of their own. */
export const GROQ_MESSAGE: Shape = {
  tag: 'role',
  of: {
    system: instructions,
    developer: instructions,
    user: instructions,
    assistant: closed('function_call', 'name', 'reasoning', 'reasoning_content', 'tool_calls'),
    tool: closed('name', 'tool_call_id'),
    function: instructions,
  } satisfies Shapes,
};
