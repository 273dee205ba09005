import anthropic from '../anthropic/tool-input-not-object.js';
import { defineRule } from '../rule.js';

export default defineRule({
  ...anthropic,
  id: 'bedrock/tool-input-not-object',
  summary: 'a toolUse whose input is not a JSON object',
  providers: ['bedrock'],
  error:
    'The format of the value at messages.1.content.0.toolUse.input is invalid. Provide a json object for the field ' +
    'and try again.',
  reported: ['vercel/ai#19023'],
});
