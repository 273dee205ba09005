/** What is wrong with a policy that can be read: rules that can never apply, never be broken or never be kept, and rules against each other. */
import { globOf } from '../text/glob.js';
import { compile, DATA, expanded } from './compiled.js';
import { activeRules, typeOf } from './judge.js';
import { knownPlaceholders, unknownPlaceholders } from './message.js';
import type { Fault } from './schema-faults.js';
import type { AnyRule, Policy } from './types.js';

/** The tools of recordings, called or defined, each with the names of the arguments that its calls have. */
export type SeenTools = ReadonlyMap<string, ReadonlySet<string>>;

/** With recordings: tools and arguments that none of them has, too. */
export function lintPolicy(policy: Policy, seen?: SeenTools): Fault[] {
  return [...faultsOfRules(policy, seen), ...unused(policy), ...ofExamples(policy)];
}

/** What keeps rules from doing what they were written for. */
export function faultsOfRules(policy: Policy, seen?: SeenTools): Fault[] {
  const active = new Set(activeRules(policy));
  const rules = policy.rules.flatMap((rule, index) => (active.has(rule) ? [{ rule, path: ['rules', index] }] : []));
  return [
    ...rules.flatMap(({ rule, path }) =>
      [...ofMessage(rule), ...ofRule(rule, policy), ...(seen === undefined ? [] : ofTools(rule, policy, seen))].map(
        ([field, message]) => ({ path: field === undefined ? path : [...path, field], message }),
      ),
    ),
    ...conflicts(rules, policy),
  ];
}

/** A field of the rule, or the rule as a whole, and what is wrong with it. */
type Complaint = readonly [field: string | undefined, message: string];

function ofMessage({ message }: AnyRule): Complaint[] {
  return unknownPlaceholders(message ?? '').map((name) => [
    'message',
    `\`${name}\` stands for nothing; there are ${knownPlaceholders()}`,
  ]);
}

// --- a rule by itself

const texts = (value: unknown): readonly string[] => (value === undefined ? [] : [value as string | string[]].flat());

/** By type; a rule with a complaint cannot do what it was written for. */
const CHECKS = new Map<string, (rule: AnyRule, policy: Policy) => readonly Complaint[]>([
  ['allow_when', ({ last_user: condition }) => ofCondition('last_user', condition, 'it can never be broken')],
  ['deny_when', ({ last_user: condition }) => ofCondition('last_user', condition, 'every call breaks it')],
  ['result_text', ({ text }) => ofCondition('text', text, 'it can never be broken')],
  ['last_answer', ({ text }) => ofCondition('text', text, 'it can never be broken')],
  [
    'intent',
    (_, { intents = [] }) =>
      intents.length === 0 ? [[undefined, 'the policy has no `intents`: the rule never applies']] : [],
  ],
  [
    'exclusive',
    ({ tools }, policy) =>
      texts(tools).flatMap((tool, index): Complaint[] => {
        const earlier = texts(tools)
          .slice(0, index)
          .find((other) => covers(other, tool, policy));
        return earlier === undefined
          ? []
          : [['tools', `\`${tool}\` is part of \`${earlier}\`, which stands before it: their calls never meet`]];
      }),
  ],
  [
    'no_repeat',
    ({ unless, mutators }) => {
      const isChanging = texts(unless).includes('state_changed');
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
        ? [['then', `it includes \`${first}\`, whose first call has nothing before it: the rule can never be kept`]]
        : [],
  ],
  [
    'after',
    ({ trigger, then }, policy) =>
      covers(String(trigger), String(then), policy)
        ? [['trigger', `it includes \`${then}\`, whose last call has nothing after it: the rule can never be kept`]]
        : [],
  ],
  [
    'count',
    ({ exactly, min, max }) =>
      exactly === undefined && min === undefined && max === undefined
        ? [[undefined, 'it names no `exactly`, `min` or `max`: it can never be broken']]
        : exactly !== undefined && (min !== undefined || max !== undefined)
          ? [['exactly', '`min` and `max` count instead of it where they are given']]
          : Number(min ?? 0) > Number(max ?? Infinity)
            ? [['min', '`min` is more than `max`: the rule can never be kept']]
            : [],
  ],
  [
    'allowed_tools',
    ({ tools }, policy) =>
      texts(tools).some((tool) => covers(tool, '*', policy))
        ? [['tools', 'all tools are allowed: it can never be broken']]
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
  const both = texts(matches).length > 0 && texts(matches).every((list) => texts(not).includes(list));
  return both ? [[field, 'all lists of `matches` stand in `not_matches` too: it can never hold']] : [];
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
          ['when', `it applies only where \`${notCalled}\` is not called, and is about its calls: it never applies`],
        ] as const)
      : []),
  ];
}

/** Whether each call of `inner` surely is one of `outer`. */
function covers(outer: string, inner: string, policy: Policy): boolean {
  const globs = expanded(outer, policy).flatMap((entry) => (typeof entry === 'string' ? [globOf(entry)] : []));
  return expanded(inner, policy)
    .flatMap((entry) => (typeof entry === 'string' ? [entry] : entry.tool))
    .every((name) => globs.some((glob) => glob.test(name)));
}

// --- rules against each other

interface Placed {
  readonly rule: AnyRule;
  readonly path: readonly PropertyKey[];
}

/** Those that hold always, and of all calls. */
function isUnconditional({ rule }: Placed): boolean {
  return [rule.when, rule.args, rule.result, rule.same_arg].every((field) => field === undefined);
}

function conflicts(rules: readonly Placed[], policy: Policy): Fault[] {
  const always = rules.filter(isUnconditional);
  return always.flatMap((placed, index) =>
    always
      .slice(index + 1)
      .flatMap((other) => conflict(placed.rule, other.rule, policy) ?? conflict(other.rule, placed.rule, policy) ?? [])
      .map((message) => ({ path: placed.path, message })),
  );
}

/** Why the two cannot both be kept; undefined where they can, or the other way round only. */
function conflict(one: AnyRule, other: AnyRule, policy: Policy): string | undefined {
  const covered = (outer: unknown, inner: unknown) =>
    texts(inner).every((selector) => texts(outer).some((whole) => covers(whole, selector, policy)));
  const least =
    one.type === 'require'
      ? Number(one['min'] ?? 1)
      : one.type === 'count'
        ? Number(one['exactly'] ?? one['min'] ?? 0)
        : 0;
  const against = (why: string) => `\`${one.id}\` and \`${other.id}\` are against each other: ${why}`;
  if (least > 0 && other.type === 'denied_tools' && covered(other['tools'], one['tool']))
    return against(`\`${one['tool']}\` has to be called and may not be`);
  if (least > 0 && other.type === 'allowed_tools' && !overlaps(other['tools'], one['tool'], policy))
    return against(`\`${one['tool']}\` has to be called and is not among the tools that may be`);
  const most =
    other.type === 'max_calls' ? other['max'] : other.type === 'count' ? (other['exactly'] ?? other['max']) : undefined;
  if (most !== undefined && least > Number(most) && other['per'] !== 'turn' && covered(other['tool'], one['tool']))
    return against(`at least ${least} calls of \`${one['tool']}\` have to be, and at most ${most} may be`);
  if (one.type === 'allowed_tools' && other.type === 'denied_tools') {
    const both = texts(one['tools']).filter((tool) => covered(other['tools'], tool));
    if (both.length > 0) return against(`\`${both[0]}\` is allowed and denied`);
  }
  if (one.type === 'before' && other.type === 'before' && one.id < other.id)
    return covered(one['first'], other['then']) && covered(other['first'], one['then'])
      ? against('each has to come before the other')
      : undefined;
  if (one.type === 'before' && other.type === 'never_after')
    return covered(other['trigger'], one['first']) &&
      covered(other['forbidden'], one['then']) &&
      other['within'] === undefined
      ? against(`\`${one['then']}\` needs \`${one['first']}\` before it, and may not come after it`)
      : undefined;
  if (one.type === 'after' && other.type === 'never_after')
    return covered(other['trigger'], one['trigger']) && covered(other['forbidden'], one['then'])
      ? against(`\`${one['then']}\` has to come after \`${one['trigger']}\`, and may not`)
      : undefined;
  return undefined;
}

function overlaps(some: unknown, others: unknown, policy: Policy): boolean {
  return texts(some).some((a) => texts(others).some((b) => covers(a, b, policy) || covers(b, a, policy)));
}

// --- tools that recordings do not have, and what no rule asks for

const SELECTORS = ['tool', 'tools', 'first', 'then', 'trigger', 'forbidden', 'mutators'];

function ofTools(rule: AnyRule, policy: Policy, seen: SeenTools): Complaint[] {
  const { isOneOf } = compile(policy);
  const toolsOf = (selector: string) => [...seen.keys()].filter((tool) => isOneOf(tool, selector));
  const unknown = SELECTORS.flatMap((field) =>
    texts(rule[field]).flatMap((selector): Complaint[] =>
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

/** Examples of recordings that name rules which the policy has not. */
function ofExamples({ examples, rules }: Policy): Fault[] {
  const ids = new Set(rules.map(({ id }) => id));
  return (examples?.transcripts ?? []).flatMap(({ findings }, index) =>
    (Array.isArray(findings) ? (findings as readonly string[]) : Object.keys(findings))
      .filter((id) => !ids.has(id))
      .map((id) => ({ path: ['examples', 'transcripts', index, 'findings'], message: `no rule has the id \`${id}\`` })),
  );
}

/** Aliases and word lists that nothing names. */
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
      named.has(name) ? [] : [{ path: [kind, name], message: `no rule names this ${what}` }],
    );
  return [
    ...idle('aliases', aliases, 'alias'),
    ...idle('words', words, 'word list').filter(({ path }) => path[1] !== 'errors' && path[1] !== 'secrets'),
  ];
}
