import { type Outcome, PHRASES } from '../phrases.js';
import type { RuleResult } from '../types.js';
import type { Found } from '../words.js';
import { defineRuleType, type PolicyContext } from './rule.js';

/** How sure each outcome is: the figures of the guard that this type of rule is made after. */
const CONFIDENCE: Readonly<Record<Outcome, number>> = {
  explicit: 1,
  onlyFor: 0.9,
  onlyAgainst: 0.95,
  forFirst: 0.7,
  againstFirst: 0.8,
  neither: 0.6,
};
const ALLOWED: readonly Outcome[] = ['explicit', 'onlyFor', 'forFirst'];

export default defineRuleType({
  type: 'decision',
  summary:
    'Decides by the words of the last user text whether the tool is allowed, in this order: a word of ' +
    '`explicit` allows it (confidence 1); only words of `for` allow it (0.9); only words of `against` deny it ' +
    '(0.95); of both kinds, the one that comes first decides (allowed 0.7, denied 0.8); without any it is ' +
    'denied (0.6), or with `mode: lenient` allowed with a warning.',
  judgesSingleCalls: true,
  fields: (z, { selector, lists, selectors }) => ({
    tool: selector,
    explicit: lists.optional(),
    for: lists,
    against: lists,
    mode: z.enum(['strict', 'lenient']).optional(),
    instead: selectors.optional().describe('tools to use instead, unless an intent of the policy names one'),
  }),
  judges: ({ tool }) => [tool],
  *check(rule, context) {
    for (const call of context.calls) {
      if (!context.is(call, rule.tool)) continue;
      const { outcome, ...decision } = decided(rule, call.lastUserText, context);
      if (ALLOWED.includes(outcome)) {
        yield { call, decision };
        continue;
      }
      const meant = context.intentOf(call.lastUserText, ({ tool }) => context.isOneOf(tool, rule.tool));
      const wrong = PHRASES[context.language].denied(call.tool, decision.reason);
      yield {
        call,
        wrong,
        decision,
        instead: meant === undefined ? rule.instead : [meant.tool],
        unsure: outcome === 'neither' && rule.mode === 'lenient',
      };
    }
  },
});

interface Lists {
  readonly explicit?: readonly string[];
  readonly for: readonly string[];
  readonly against: readonly string[];
}

function decided(
  { explicit = [], for: good, against: bad }: Lists,
  text: string,
  context: PolicyContext,
): NonNullable<RuleResult['decision']> & { readonly outcome: Outcome } {
  const { reasons, quoted } = PHRASES[context.language];
  const [named, pro, contra] = [explicit, good, bad].map((lists) => context.find(lists, text)) as [
    Found[],
    Found[],
    Found[],
  ];
  const outcome = outcomeOf(named, pro, contra);
  const made = outcome === 'explicit' ? named : ALLOWED.includes(outcome) ? pro : contra;
  const others = made === pro ? contra : pro;
  const isAmbiguous = outcome === 'forFirst' || outcome === 'againstFirst';
  const words = (isAmbiguous ? [...pro, ...contra].sort((a, b) => a.at - b.at) : made).map(({ word }) => word);
  return {
    outcome,
    confidence: CONFIDENCE[outcome],
    words,
    isAmbiguous,
    reason: reasons[outcome](quoted(made.map(({ word }) => word)), quoted(others.map(({ word }) => word))),
  };
}

function outcomeOf(named: readonly Found[], [pro]: readonly Found[], [contra]: readonly Found[]): Outcome {
  if (named.length > 0) return 'explicit';
  if (contra === undefined) return pro === undefined ? 'neither' : 'onlyFor';
  if (pro === undefined) return 'onlyAgainst';
  return pro.at <= contra.at ? 'forFirst' : 'againstFirst';
}
