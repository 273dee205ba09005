import { defineCommand } from '../command.js';
import { checkOptions } from './options.js';

export default defineCommand({
  id: 'check',
  group: 'check',
  summary: "what a provider's API would refuse, and what is over a budget",
  description:
    'Goes by the rules of the provider that each transcript was sent to, or of another: would this history survive a switch? Each finding says where it is, what the API says, and whether it can be mended. Exits with 1 where there is an error. Below folders and among the matches of a glob, what .gitignore, node_modules, check.ignore of the config and --exclude leave out is not read, and what is no transcript is passed over. The config sets rules for all files or for some (check.rules, check.overrides) and hides known findings for a time (check.suppress). On GitHub Actions findings show beside their lines, and all of them in the summary of the step.',
  words: '[files...]',
  options: checkOptions,
  examples: [
    ['ctx-trim check logs/', 'every recording below a folder'],
    ['ctx-trim check --provider anthropic --as-request run.json', 'would Claude take this history?'],
    ['ctx-trim check --fix=synthetic --diff session.jsonl', 'see what would be mended'],
    ['ctx-trim check --staged --quiet', 'before a commit: what git is about to commit'],
    ['ctx-trim check --max-cost 2 --reporter sarif=out.sarif logs/', 'a budget, and a report for code scanning'],
  ],
  run: async (...given) => (await import('./run.js')).runCheck(...given),
});
