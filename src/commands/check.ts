import { checkOptions } from './check-options.js';
import { runCheck } from './check-run.js';
import { defineCommand } from './command.js';

export default defineCommand({
  id: 'check',
  summary: "what a provider's API would refuse, and what is over a budget",
  description:
    'Goes by the rules of the provider that each transcript was sent to, or of another: would this history survive a switch? Each finding says where it is, what the API says, and whether it can be mended. Exits with 1 where there is an error. On GitHub Actions findings show beside their lines.',
  words: '[files...]',
  options: checkOptions,
  examples: [
    ['ctx-trim check logs/', 'every recording below a folder'],
    ['ctx-trim check --provider anthropic --as-request run.json', 'would Claude take this history?'],
    ['ctx-trim check --fix=synthetic --diff session.jsonl', 'see what would be mended'],
    ['ctx-trim check --max-cost 2 --reporter sarif=out.sarif logs/', 'a budget, and a report for code scanning'],
  ],
  run: runCheck,
});
