import { printed } from '../../../documents/print.js';
import { unknownRule } from '../../../engine/check/plan.js';
import { rulesByError } from '../../../engine/check/rules-by-error.js';
import { TranscriptError } from '../../../errors.js';
import { allRules, rulesOf } from '../../../rules/index.js';
import { providerIn } from '../../../rules/own-provider.js';
import { type ListedRule, RESUME_RULES } from '../../../rules/resume-rules.js';
import { rulesFor } from '../../../rules/run-rules.js';
import { joined, safe, shown } from '../../../safe/text.js';
import type { ExitCode } from '../../options/command.js';
import { tableStyleFor } from '../../outputs/colors.js';
import type { Terminal } from '../../terminal/terminal.js';
import { examples } from './examples.static.js';
import type { RulesOptions } from './options.js';

export async function runRules(
  words: readonly string[],
  { provider: named, format, color }: RulesOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { ruleJson, rulesTable, ruleText } = await import('../../../reports/rules.js');
  const { stdout } = terminal;
  const provider = providerIn(named);
  const known: ListedRule[] =
    provider === undefined ? [...allRules(), ...RESUME_RULES] : rulesFor(rulesOf(provider), provider, true);
  const chosen = words.length === 0 ? known.sort((a, b) => (a.id < b.id ? -1 : 1)) : rulesFound(words);
  if (format === 'json')
    stdout.write(printed({ version: 1, rules: chosen.map((rule) => ruleJson(rule, exampleOf(rule))) }));
  else {
    const style = await tableStyleFor(stdout, terminal, color);
    if (words.length === 0) stdout.write(rulesTable(chosen, style, stdout.columns));
    else stdout.write(ruleText(chosen[0]!, exampleOf(chosen[0]!), style, stdout.columns));
    const others = chosen.slice(1).map(({ id }) => shown(`  ctx-trim rules ${id}`));
    if (words.length > 0 && others.length > 0) stdout.write(safe`\nOr\n${joined(others, '\n')}\n`);
  }
  return 0;
}

const exampleOf = ({ id, example }: ListedRule) => example ?? examples[id]!;

/** The rule with this id, or the rules whose API error is like the text; the best first. */
function rulesFound(words: readonly string[]): readonly ListedRule[] {
  const rules: ListedRule[] = [...allRules(), ...RESUME_RULES];
  const named = rules.filter(({ id }) => words.includes(id));
  if (words.length > 1 && named.length > 0) throw new TranscriptError('usage', 'rules explains one rule at a time');
  const text = words.join(' ');
  if (named.length === 0 && /^[a-z-]+\/[a-z-]+$/.test(text)) throw unknownRule(text);
  const found = named.length > 0 ? named : rulesByError(text, rules);
  if (found.length > 0) return found;
  if (!/\s/.test(text)) throw unknownRule(text);
  throw new TranscriptError('usage', 'no rule has an API error like this text; `ctx-trim rules` lists the rules');
}
