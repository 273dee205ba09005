/** Checks a valid policy for rules that can have no effect, unused names and contradictions. */

import type { Fault } from '../json-schema/faults.js';
import { globOf } from '../text/glob.js';
import { compile, DATA } from './compiled.js';
import { conflicts } from './contradictions.js';
import { PLACEHOLDERS_TEXT } from './fields.js';
import { activeRules, typeOf } from './judge.js';
import { unknownPlaceholders } from './message.js';
import { covers, selectorsIn } from './selectors.js';
import type { AnyRule, Policy } from './types.js';

/** The tools that recordings call or define, with the argument names of their calls. */
export type SeenTools = ReadonlyMap<string, ReadonlySet<string>>;

/** With recordings, also reports tools and arguments that no recording has. */
export function lintPolicy(policy: Policy, seen?: SeenTools): Fault[] {
  return [...faultsOfRules(policy, seen), ...unused(policy), ...ofExamples(policy)];
}

/** Rules that can have no effect, or that contradict each other. */
export function faultsOfRules(policy: Policy, seen?: SeenTools): Fault[] {
  const active = new Set(activeRules(policy));
  const rules = policy.rules.flatMap((rule, index) => (active.has(rule) ? [{ rule, path: ['rules', index] }] : []));
  return [
    ...rules.flatMap(({ rule, path }) =>
      [
        ...ofMessage(rule),
        ...ofWhen(rule),
        ...ofRule(rule, policy),
        ...(seen === undefined ? [] : ofTools(rule, policy, seen)),
      ].map(([field, message]) => ({ path: field === undefined ? path : [...path, field], message })),
    ),
    ...conflicts(rules, policy),
  ];
}

/** A field of the rule (undefined: the whole rule), and what is wrong with it. */
type Complaint = readonly [field: string | undefined, message: string];

function ofMessage({ message }: AnyRule): Complaint[] {
  return unknownPlaceholders(message ?? '').map((name) => [
    'message',
    `\`${name}\` is not a placeholder; use one of ${PLACEHOLDERS_TEXT}`,
  ]);
}

// --- a rule by itself

/** By rule type. */
const CHECKS = new Map<string, (rule: AnyRule, policy: Policy) => readonly Complaint[]>([
  ['allow_when', ({ last_user: condition }) => ofCondition('last_user', condition, 'it can never be violated')],
  ['deny_when', ({ last_user: condition }) => ofCondition('last_user', condition, 'every call violates it')],
  ['result_text', ({ text }) => ofCondition('text', text, 'it can never be violated')],
  ['last_answer', ({ text }) => ofCondition('text', text, 'it can never be violated')],
  [
    'intent',
    (_, { intents = [] }) =>
      intents.length === 0 ? [[undefined, 'the policy has no `intents`: the rule never applies']] : [],
  ],
  [
    'exclusive',
    ({ tools }, policy) =>
      selectorsIn(tools).flatMap((tool, index): Complaint[] => {
        const earlier = selectorsIn(tools)
          .slice(0, index)
          .find((other) => covers(other, tool, policy));
        return earlier === undefined
          ? []
          : [['tools', `\`${tool}\` is part of \`${earlier}\`, which comes before it: the two can never conflict`]];
      }),
  ],
  [
    'no_repeat',
    ({ unless, mutators }) => {
      const isChanging = selectorsIn(unless).includes('state_changed');
      if (isChanging && mutators === undefined)
        return [['unless', '`state_changed` excuses nothing without `mutators`']];
      return !isChanging && mutators !== undefined
        ? [['mutators', 'they have no effect without `unless: [state_changed]`']]
        : [];
    },
  ],
  [
    'before',
    ({ first, then }, policy) =>
      covers(String(then), String(first), policy)
        ? [
            [
              'then',
              `it includes \`${first}\`, whose first call has nothing before it: every transcript violates the rule`,
            ],
          ]
        : [],
  ],
  [
    'after',
    ({ trigger, then }, policy) =>
      covers(String(trigger), String(then), policy)
        ? [
            [
              'trigger',
              `it includes \`${then}\`, whose last call has nothing after it: every transcript violates the rule`,
            ],
          ]
        : [],
  ],
  [
    'count',
    ({ exactly, min, max }) =>
      exactly === undefined && min === undefined && max === undefined
        ? [[undefined, 'it has no `exactly`, `min` or `max`: it can never be violated']]
        : exactly !== undefined && (min !== undefined || max !== undefined)
          ? [['exactly', '`min` and `max` override it']]
          : Number(min ?? 0) > Number(max ?? Infinity)
            ? [['min', '`min` is more than `max`: every transcript violates the rule']]
            : [],
  ],
  [
    'allowed_tools',
    ({ tools }, policy) =>
      selectorsIn(tools).some((tool) => covers(tool, '*', policy))
        ? [['tools', 'all tools are allowed: it can never be violated']]
        : [],
  ],
  [
    'max_cost',
    (_, { tools = {} }) =>
      Object.values(tools).every(({ cost }) => cost === undefined)
        ? [[undefined, 'no tool of the policy has a `cost`: the rule never applies']]
        : [],
  ],
  [
    'violation_rate',
    ({ of }, policy) => {
      const ids = globOf(String(of));
      return policy.rules.some(({ id, type }) => type !== 'violation_rate' && ids.test(id))
        ? []
        : [['of', `no rule has the id \`${of}\`: there is never an alert`]];
    },
  ],
]);

function ofCondition(field: string, condition: unknown, otherwise: string): Complaint[] {
  const { matches, not_matches: not, ...patterns } = condition as Readonly<Record<string, unknown>>;
  if (matches === undefined && not === undefined && Object.keys(patterns).length === 0)
    return [[field, `it has no condition: ${otherwise}`]];
  const both = selectorsIn(matches).length > 0 && selectorsIn(matches).every((list) => selectorsIn(not).includes(list));
  return both ? [[field, 'all lists of `matches` are also in `not_matches`: it can never match']] : [];
}

/** Of `when`: a condition without content. */
function ofWhen({ when = {} }: AnyRule): Complaint[] {
  const { last_user: user, last_assistant: assistant } = when;
  return [user, assistant].flatMap((condition) =>
    condition === undefined ? [] : ofCondition('when', condition, 'it changes nothing'),
  );
}

function ofRule(rule: AnyRule, policy: Policy): Complaint[] {
  const { called, not_called: notCalled } = rule.when ?? {};
  const judged = (typeOf(rule).narrows ?? typeOf(rule).judges)(rule as never);
  const excluded = notCalled === undefined ? [] : [...(called === undefined ? [] : [called]), ...judged];
  const isIdle =
    notCalled !== undefined &&
    rule.type !== 'require' &&
    rule.type !== 'count' &&
    ((called !== undefined && covers(notCalled, called, policy)) ||
      (excluded.length > 0 && excluded.every((selector) => covers(notCalled, selector, policy))));
  return [
    ...(CHECKS.get(rule.type)?.(rule, policy) ?? []),
    ...(isIdle
      ? ([
          ['when', `it applies only where \`${notCalled}\` is not called, but checks calls of it: it never applies`],
        ] as const)
      : []),
  ];
}

// --- unknown tools, unknown rules, unused names

const SELECTORS = ['tool', 'tools', 'first', 'then', 'trigger', 'forbidden', 'mutators'];

function ofTools(rule: AnyRule, policy: Policy, seen: SeenTools): Complaint[] {
  const { isOneOf } = compile(policy);
  const toolsOf = (selector: string) => [...seen.keys()].filter((tool) => isOneOf(tool, selector));
  const unknown = SELECTORS.flatMap((field) =>
    selectorsIn(rule[field]).flatMap((selector): Complaint[] =>
      toolsOf(selector).length > 0 ? [] : [[field, `no recording has a tool \`${selector}\``]],
    ),
  );
  const judged = (typeOf(rule).narrows ?? typeOf(rule).judges)(rule as never).flatMap(toolsOf);
  const hasNo = (tools: readonly string[], name: string) =>
    tools.length > 0 && tools.every((tool) => !seen.get(tool)!.has(name) && !seen.get(tool)!.has(name.split('.')[0]!));
  const same = typeof rule.same_arg === 'string' ? { '*': rule.same_arg } : (rule.same_arg ?? {});
  return [
    ...unknown,
    ...Object.keys(rule.args ?? {}).flatMap((name): Complaint[] =>
      hasNo(judged, name) ? [['args', `no recorded call has an argument \`${name}\``]] : [],
    ),
    ...Object.entries(same).flatMap(([selector, name]): Complaint[] =>
      hasNo(toolsOf(selector), name) ? [['same_arg', `no recorded call has an argument \`${name}\``]] : [],
    ),
  ];
}

/** Examples that name unknown rules. */
function ofExamples({ examples, rules }: Policy): Fault[] {
  const ids = new Set(rules.map(({ id }) => id));
  return (examples?.transcripts ?? []).flatMap(({ findings }, index) =>
    (Array.isArray(findings) ? (findings as readonly string[]) : Object.keys(findings))
      .filter((id) => !ids.has(id))
      .map((id) => ({ path: ['examples', 'transcripts', index, 'findings'], message: `no rule has the id \`${id}\`` })),
  );
}

/** Unused aliases and word lists. */
function unused({ aliases = {}, words = {}, rules, intents, tools = {} }: Policy): Fault[] {
  const named = new Set<string>();
  const ahead: unknown[] = [rules, intents, Object.keys(tools), Object.values(aliases)];
  for (let value = ahead.pop(); ahead.length > 0 || value !== undefined; value = ahead.pop()) {
    if (typeof value === 'string') named.add(value);
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) {
        named.add(key);
        if (!DATA.includes(key) || Array.isArray(value)) ahead.push(inner);
      }
  }
  const idle = (kind: string, table: object, what: string) =>
    Object.keys(table).flatMap((name) =>
      named.has(name) ? [] : [{ path: [kind, name], message: `no rule uses this ${what}` }],
    );
  return [
    ...idle('aliases', aliases, 'alias'),
    ...idle('words', words, 'word list').filter(({ path }) => path[1] !== 'errors' && path[1] !== 'secrets'),
  ];
}
