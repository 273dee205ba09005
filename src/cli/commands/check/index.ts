import { defineCommand } from '../../options/command.js';
import { checkOptions } from './options.js';

export default defineCommand({
  id: 'check',
  group: 'check',
  summary: 'find what a provider would reject, and budget overruns',
  description:
    'Checks each transcript against the rules of its own provider, or of another one. Each finding shows its ' +
    'position, the API error of its provider if that is known, and whether it can be fixed. The exit code is 1 if ' +
    'there are errors. In folders and globs, check skips node_modules, files that .gitignore, check.ignore of the ' +
    'config or --exclude match, and files that are not transcripts. The config can set rules for all files or for ' +
    'some (check.rules, check.overrides) and hide known findings for a time (check.suppress). On GitHub Actions, ' +
    'findings appear as annotations and in the step summary.',
  words: '[files...]',
  options: checkOptions,
  examples: [
    ['ctx-trim check logs/', 'every recording below a folder'],
    ['ctx-trim check --provider anthropic --as-request run.json', 'would the Anthropic API accept this history?'],
    ['ctx-trim check --fix=synthetic --diff session.jsonl', 'preview all fixes'],
    ['ctx-trim check --staged --quiet', 'before a commit: the staged files'],
    ['ctx-trim check --max-cost 2 --reporter sarif=out.sarif logs/', 'a budget, and a report for code scanning'],
  ],
  run: async (...given) => (await import('./run.js')).runCheck(...given),
});
