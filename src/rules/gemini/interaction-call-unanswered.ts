import { defineRule } from '../rule.js';
import { ANSWER, unansweredCalls } from '../shared/unanswered.js';

export default defineRule({
  id: 'gemini/interaction-call-unanswered',
  summary: 'a function call among steps without its result',
  severity: 'warning',
  providers: ['gemini-interactions'],
  error:
    'Please ensure that the number of function response parts is equal to the number of function call parts of ' +
    'the function call turn.',
  cause: 'The run was interrupted. The error is that of `generateContent`; what this API says is not known.',
  reported: ['google-gemini/gemini-cli#7705', 'microsoft/vscode#299295'],
  check: unansweredCalls,
  fix: ANSWER,
});
