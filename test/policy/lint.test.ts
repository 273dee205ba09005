/** What is wrong with a policy: each complaint beside a rule that has it, and one that has not. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parsePolicy } from '../../src/policy/file.js';
import { faultsOfRules, lintPolicy } from '../../src/policy/lint.js';
import { queryHistory } from '../../src/policy/query-history/index.js';
import type { AnyRule, Policy } from '../../src/policy/types.js';

const BASE: Policy = {
  version: 1,
  aliases: { write: ['write_*', 'edit'], push: { tool: 'bash', args: { cmd: { pattern: 'push' } } } },
  words: { past: { any: ['before'] } },
  tools: { pay: { cost: 1 } },
  rules: [],
};

function faults(...rules: readonly Omit<AnyRule, 'id'>[]): string[] {
  const named = rules.map((rule, index) => ({ id: `r${index}`, ...rule }) as AnyRule);
  return faultsOfRules({ ...BASE, rules: named }).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('a rule by itself', () => {
  it.each<[Omit<AnyRule, 'id'>, string]>([
    [{ type: 'denied_tools', tools: ['a'], message: '{tol}' }, 'rules.0.message: `{tol}` is not a placeholder'],
    [
      { type: 'allow_when', tool: 'a', last_user: {} },
      'rules.0.last_user: it has no condition: it can never be violated',
    ],
    [{ type: 'deny_when', tool: 'a', last_user: {} }, 'rules.0.last_user: it has no condition: every call violates it'],
    [
      { type: 'allow_when', tool: 'a', last_user: { matches: ['past'], not_matches: ['past'] } },
      'rules.0.last_user: all lists of `matches` are also in `not_matches`',
    ],
    [{ type: 'last_answer', text: {} }, 'rules.0.text: it has no condition'],
    [{ type: 'intent' }, 'rules.0: the policy has no `intents`'],
    [{ type: 'exclusive', tools: ['write', 'edit'] }, 'rules.0.tools: `edit` is part of `write`'],
    [{ type: 'no_repeat', tool: 'a', unless: ['state_changed'] }, 'rules.0.unless: `state_changed` excuses nothing'],
    [{ type: 'no_repeat', tool: 'a', mutators: ['b'] }, 'rules.0.mutators: they have no effect'],
    [{ type: 'before', first: 'read', then: '*' }, 'rules.0.then: it includes `read`'],
    [{ type: 'after', trigger: 'write', then: 'edit' }, 'rules.0.trigger: it includes `edit`'],
    [{ type: 'count', tool: 'a' }, 'rules.0: it has no `exactly`'],
    [{ type: 'count', tool: 'a', min: 3, max: 2 }, 'rules.0.min: `min` is more than `max`'],
    [{ type: 'allowed_tools', tools: ['*'] }, 'rules.0.tools: all tools are allowed'],
    [{ type: 'violation_rate', of: 'x-*', max: 0.1 }, 'rules.0.of: no rule has the id `x-*`'],
    [
      { type: 'max_calls', tool: 'a', max: 1, when: { not_called: 'a' } },
      'rules.0.when: it applies only where `a` is not',
    ],
  ])('%j', (rule, message) => {
    const found = faults(rule);
    expect(found).toHaveLength(1);
    expect(found[0]!.slice(0, message.length)).toBe(message);
  });

  it('no cost', () => {
    const rules: AnyRule[] = [{ id: 'r', type: 'max_cost', usd: 1 }];
    expect(faultsOfRules({ version: 1, rules })).toHaveLength(1);
    expect(faultsOfRules({ ...BASE, rules })).toEqual([]);
  });

  it.each<[Omit<AnyRule, 'id'>]>([
    [{ type: 'denied_tools', tools: ['a'], message: '{tool} {args.path} {"a": 1} {A}' }],
    [{ type: 'before', first: 'read', then: 'write' }],
    [{ type: 'before', first: 'push', then: 'write' }],
    [{ type: 'exclusive', tools: ['push', 'bash'] }], // a call with a condition is only a part
    [{ type: 'require', tool: 'a', when: { not_called: 'a' } }],
    [{ type: 'never_after', trigger: 'a', forbidden: 'a' }],
    [{ type: 'denied_tools', tools: ['*'], severity: 'off', message: '{tol}' }],
  ])('nothing: %j', (rule) => expect(faults(rule)).toEqual([]));
});

describe('rules against each other', () => {
  const need = { type: 'require', tool: 'edit' };
  it.each<[Omit<AnyRule, 'id'>, Omit<AnyRule, 'id'>, string]>([
    [need, { type: 'denied_tools', tools: ['write'] }, '`edit` must be called and must not be called'],
    [{ type: 'allowed_tools', tools: ['read'] }, need, 'is not one of the allowed tools'],
    [{ ...need, min: 3 }, { type: 'max_calls', tool: 'write', max: 2 }, 'at least 3 calls of `edit` are required'],
    [
      { type: 'allowed_tools', tools: ['edit'] },
      { type: 'denied_tools', tools: ['write'] },
      '`edit` is allowed and denied',
    ],
    [{ type: 'before', first: 'a', then: 'b' }, { type: 'before', first: 'b', then: 'a' }, 'each must come before'],
    [{ type: 'before', first: 'a', then: 'b' }, { type: 'never_after', trigger: 'a', forbidden: 'b' }, '`b` needs `a`'],
    [
      { type: 'after', trigger: 'a', then: 'b' },
      { type: 'never_after', trigger: 'a', forbidden: '*' },
      '`b` must come',
    ],
  ])('%j and %j', (one, other, why) => {
    for (const pair of [[one, other] as const, [other, one] as const]) {
      expect(faults(...pair)).toHaveLength(1);
      expect(faults(...pair)[0]).toContain(why);
    }
    const sometimes = { ...other, when: { called: 'c' } };
    expect(faults(one, sometimes)).toEqual([]);
  });

  it('kept at once', () => {
    expect(
      faults(need, { type: 'denied_tools', tools: ['push'] }, { type: 'max_calls', tool: 'edit', max: 1 }),
    ).toEqual([]);
    expect(faults({ type: 'require', tool: 'bash' }, { type: 'denied_tools', tools: ['push'] })).toEqual([]);
    expect(faults({ type: 'allowed_tools', tools: ['write'] }, need)).toEqual([]);
  });
});

it('tools and arguments that no recording has', () => {
  const rules: AnyRule[] = [
    { id: 'a', type: 'before', first: 'read', then: 'edt', same_arg: { read: 'path', edit: 'file' } },
    { id: 'b', type: 'max_calls', tool: 'edit', max: 1, args: { 'o.p': { equals: 1 }, pth: { equals: 1 } } },
  ];
  const seen = new Map([
    ['read', new Set(['path'])],
    ['edit', new Set(['o', 'path'])],
  ]);
  expect(faultsOfRules({ version: 1, rules }, seen).map(({ message }) => message)).toEqual([
    'no recording has a tool `edt`',
    'no recorded call has an argument `file`',
    'no recorded call has an argument `pth`',
  ]);
  expect(faultsOfRules({ version: 1, rules })).toEqual([]);
});

it('finds nothing in the policies that we ship and show', async () => {
  expect(lintPolicy(queryHistory)).toEqual([]);
  for (const name of ['example', 'airline', 'coding']) {
    const file = `fixtures/policies/${name}.yaml`;
    expect(lintPolicy(await parsePolicy(readFileSync(file, 'utf8'), file))).toEqual([]);
  }
});
