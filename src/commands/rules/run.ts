import { unknownRule } from '../../app/check/plan.js';
import { TranscriptError } from '../../errors.js';
import type { Terminal } from '../../io/terminal.js';
import { rules } from '../../rules/index.js';
import { providerIn } from '../../rules/own-provider.js';
import { rulesFor } from '../../rules/run-rules.js';
import { safeJson } from '../../safe/json.js';
import { safe } from '../../safe/text.js';
import type { ExitCode } from '../command.js';
import { tableStyleFor } from '../shared/colors.js';
import type { RulesOptions } from '../shared/options.js';

export async function runRules(
  words: readonly string[],
  { provider: named, format, color }: RulesOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (words.length > 1) throw new TranscriptError('usage', 'rules explains one rule at a time');
  const { ruleJson, rulesTable, ruleText } = await import('../../reports/rules.js');
  const { stdout } = terminal;
  const provider = providerIn(named);
  const known = provider === undefined ? [...rules] : rulesFor(rules, provider, true);
  const [id] = words;
  const chosen =
    id === undefined ? known.sort((a, b) => (a.id < b.id ? -1 : 1)) : rules.filter((rule) => rule.id === id);
  if (id !== undefined && chosen.length === 0) throw unknownRule(id);
  if (format === 'json') stdout.write(safe`${safeJson({ version: 1, rules: chosen.map(ruleJson) }, 2)}\n`);
  else {
    const style = await tableStyleFor(stdout, terminal, color);
    stdout.write(
      id === undefined ? rulesTable(chosen, style, stdout.columns) : ruleText(chosen[0]!, style, stdout.columns),
    );
  }
  return 0;
}
