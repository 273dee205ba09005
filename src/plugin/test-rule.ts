/** `testRule`: what holds for every rule, for the tests of plugins. */
import { isTranscriptError } from '../errors.js';
import type { Safety } from '../findings.js';
import { formatNamed } from '../formats/index.js';
import { allRules } from '../rules/index.js';
import { ownProvider } from '../rules/own-provider.js';
import { judgeOf, providerNamed } from '../rules/providers.js';
import type { Rule } from '../rules/rule.js';
import { applyFixes, type RuleFinding, type RuleOptions, rulesFor, runRules } from '../rules/run-rules.js';
import { open, save } from '../source/recording.js';
import { spelled } from './difference.js';
import { pluginFrom } from './plugin.js';

/**
 * Tries a rule on its example: it finds the bad history and not the repaired one, and its fix makes one that no rule of
 * the provider minds, and leaves the repaired one as it is. Throws an Error that says what does not hold.
 */
export function testRule(rule: Rule): void {
  pluginFrom({ rules: [rule] });
  const faults = [...faultsOf(rule)];
  if (faults.length > 0) throw new Error([`\`${rule.id}\` breaks the laws of rules:`, ...faults].join('\n- '));
}

function* faultsOf(rule: Rule): Iterable<string> {
  const unknown = rule.providers.find((id) => id !== 'any' && providerNamed(id) === undefined);
  if (unknown !== undefined) return yield `no provider is called \`${unknown}\`; \`any\` is all of them`;
  const [bad, repaired] = [rule.example?.bad, rule.example?.repaired].map((history) => JSON.stringify(history)!);
  try {
    yield* faultsIn(rule, bad!, repaired!);
  } catch (error) {
    if (!isTranscriptError(error)) throw error;
    yield `the example cannot be opened: ${error.message}`;
  }
}

function* faultsIn(rule: Rule, bad: string, repaired: string): Iterable<string> {
  const found = look(bad, [rule], rule).findings;
  if (found.length === 0) yield `it finds nothing in its bad example ${spelled(rule.example?.bad)}`;
  const lines = found.find(({ text }) => text.includes('\n'))?.text;
  if (lines !== undefined) yield `what it says has several lines: ${spelled(lines)}`;
  const still = look(repaired, [rule], rule).findings[0];
  if (still !== undefined) yield `it finds in its repaired example: ${still.text}`;
  if (rule.fix === undefined) return;
  const mended = look(bad, [rule], rule).mended();
  const left = look(mended, family(rule), rule).findings.find((finding) => isFault(finding, rule));
  if (left !== undefined)
    yield `the fix makes ${spelled(JSON.parse(mended))}, in which ${left.rule.id} finds: ${left.text}`;
  if (look(mended, [rule], rule).mended() !== mended) yield 'its fix changes again what it has fixed';
  if (look(repaired, [rule], rule).mended() !== repaired) yield 'its fix changes the repaired example';
}

/** A warning of another rule may be right where nothing is wrong. */
const isFault = ({ rule }: RuleFinding, own: Rule) => rule === own || rule.severity === 'error';

const family = (rule: Rule) => [rule, ...allRules().filter((other) => other !== rule)];

interface Look {
  readonly findings: readonly RuleFinding[];
  mended(): string;
}

const ALL: ReadonlySet<Safety> = new Set(['safe', 'lossy', 'synthetic']);

/** A history as the rule's first provider sees it, under some rules. */
function look(text: string, among: readonly Rule[], { providers: [id], asRequest = false }: Rule): Look {
  const named = id === 'any' ? undefined : providerNamed(id!);
  const recording = open(text, named && { from: named.format });
  const all = recording.pieces.flatMap((piece) =>
    'type' in piece ? piece.transcripts.map((transcript) => ({ transcript, record: piece.record })) : [],
  );
  const looks = all.map(({ transcript, record }) => {
    const provider = named === undefined ? ownProvider(transcript) : judgeOf(named, transcript.model);
    const contextUse = () => ({ tokens: transcript.messages.length, window: undefined });
    const options: RuleOptions = { provider, asRequest, format: formatNamed(transcript.format), record, contextUse };
    return { transcript, options, chosen: rulesFor(among, provider, asRequest) };
  });
  return {
    findings: looks.flatMap(({ transcript, options, chosen }) => runRules(transcript, chosen, options)),
    mended: () =>
      Buffer.from(
        save(
          recording,
          looks.map(({ transcript, options, chosen }) => applyFixes(transcript, chosen, ALL, options)),
        ),
      ).toString(),
  };
}
