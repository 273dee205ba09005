/** Every type of rule has a case that keeps it and one that breaks it. */
import { describe, expect, it } from 'vitest';
import { schemaComplaint } from '../../src/policy/arguments.js';
import { createAudit } from '../../src/policy/audit.js';
import { conversationOf } from '../../src/policy/conversation.js';
import { judge } from '../../src/policy/judge.js';
import { ruleTypes } from '../../src/policy/rules/index.js';
import type { AnyRule, Policy } from '../../src/policy/types.js';
import { chat, type Turns } from '../shared/policy-chat.js';

interface Case {
  readonly rule: Omit<AnyRule, 'id'>;
  readonly ok: readonly Turns[];
  /** With the rule's findings: what is found, at which message. */
  readonly bad: readonly (readonly [
    Turns,
    ...(readonly [message: number | undefined, text: string, severity?: string])[],
  ])[];
  /** Where it applies to nothing. */
  readonly idle?: readonly Turns[];
}

const WORDS: Policy = {
  version: 1,
  aliases: { write: ['write_*', 'delete_*'], changing: ['write'] },
  words: {
    past: { any: ['before', '之前'] },
    now: { any: ['now'] },
    search: { any: ['find'] },
    'long-search': { any: ['find out'] },
  },
  tools: {
    pay: {
      cost: 0.2,
      args: {
        type: 'object',
        required: ['amount'],
        properties: { amount: { type: 'number', minimum: 0 } },
        additionalProperties: false,
      },
    },
    cheap: { cost: 0.1 },
  },
  intents: [
    { intent: 'searching', words: ['search'], tool: 'grep' },
    { intent: 'asking', words: ['long-search'], tool: 'ask' },
  ],
  rules: [],
};

const cases: readonly Case[] = [
  {
    rule: { type: 'allow_when', tool: 'h', last_user: { matches: ['past'], not_matches: ['now'] } },
    ok: [[['what before', 'h']], [['x', 'other']]],
    bad: [
      [[['what', 'h']], [1, 'does not ask for `h`']],
      [[['before and now', 'h']], [1, 'it contains "now"']],
      [
        [
          ['before', 'h'],
          ['thanks', 'h'],
        ],
        [4, 'does not ask'],
      ],
    ],
    idle: [[['x', 'other']]],
  },
  {
    rule: { type: 'deny_when', tool: 'h', last_user: { matches: ['now'] } },
    ok: [[['before', 'h']]],
    bad: [[[['right now', 'h']], [1, 'speaks against `h`: "now"']]],
  },
  {
    rule: { type: 'decision', tool: 'h', for: ['past'], against: ['now'], instead: ['live'] },
    ok: [[['之前', 'h']]],
    bad: [[[['now', 'h']], [1, 'something else ("now")']]],
  },
  {
    rule: { type: 'intent', tool: '*' },
    ok: [[['find it', 'read', 'grep']], [['find out', 'ask']]],
    bad: [
      [[['find it', 'read']], [1, 'that is for `grep`']],
      [[['find out', 'grep']], [1, 'the user asks for asking']],
    ],
    idle: [[['hello', 'read']]],
  },
  {
    rule: { type: 'exclusive', tools: ['h', 'write'], reason: 'one at a time' },
    ok: [
      [['x', 'h', 'h']],
      [
        ['x', 'h'],
        ['y', 'write_a'],
      ],
      [['x', 'write_a', 'delete_b']],
    ],
    bad: [
      [[['x', 'h', 'write_a', 'delete_b']], [3, '`write_a` and `h` were called in one turn: one at a time']],
      [[['x', 'write_a+h']], [1, '`write_a` and `h`']],
    ],
    idle: [[['x', 'other']]],
  },
  {
    rule: { type: 'exclusive', tools: ['h', 'write'], tool: 'h', per: 'transcript' },
    ok: [[['x', 'h']]],
    bad: [
      [
        [
          ['x', 'h'],
          ['y', 'write_a'],
          ['z', 'h'],
        ],
        [1, '`h` and `write_a` were called in one transcript'],
        [7, '`h` and'],
      ],
    ],
  },
  {
    rule: { type: 'max_calls', tool: 'h', max: 2, per: 'turn' },
    ok: [
      [
        ['x', 'h', 'h'],
        ['y', 'h'],
      ],
    ],
    bad: [[[['x', 'h', 'h+h']], [3, 'is call 3 of its kind in one turn']]],
  },
  {
    rule: { type: 'max_calls', tool: 'h', max: 1 },
    ok: [[['x', 'h', 'i']]],
    bad: [
      [
        [
          ['x', 'h'],
          ['y', 'h'],
        ],
        [4, 'where at most 1 are allowed'],
      ],
    ],
  },
  {
    rule: {
      type: 'no_repeat',
      tool: '*',
      ignore_args: ['*_id'],
      unless: ['previous_error', 'state_changed'],
      mutators: ['changing'],
    },
    ok: [
      [['x', 'a{"q":1}', 'a{"q":2}']],
      [['x', 'a{"q":1}=!no', 'a{"q":1}']],
      [['x', 'a{"q":1}', 'write_x', 'a{"q":1}']],
      [['x', 'a', 'b']],
    ],
    bad: [
      [[['x', 'a{"q":1,"r":2}', 'a{ "r":2, "q":1.0 }']], [3, 'the same arguments for the second time']],
      [[['x', 'a{"q":1,"req_id":1}', 'a{"q":1,"req_id":2}', 'a{"q":1}']], [3, 'second'], [5, 'third']],
      [[['x', 'a{"q":1}', 'write_x+a{"q":1}']], [3, 'second time', 'warning']],
    ],
  },
  {
    rule: { type: 'no_repeat', tool: 'poll', max: 2, per: 'turn', unless: ['result_differs'] },
    ok: [
      [
        ['x', 'poll=a', 'poll=a', 'poll=b', 'poll=b'],
        ['y', 'poll=b'],
      ],
    ],
    bad: [[[['x', 'poll=a', 'poll=a', 'poll=a']], [5, 'third time']]],
  },
  {
    rule: { type: 'before', first: 'look', then: 'write' },
    ok: [
      [['x', 'look', 'write_a']],
      [
        ['x', 'look'],
        ['y', 'delete_b'],
      ],
    ],
    bad: [
      [[['x', 'write_a', 'look']], [1, '`look` was not called before it in this transcript']],
      [[['x', 'look+write_a']], [1, 'their order is unknown', 'warning']],
    ],
    idle: [[['x', 'look']]],
  },
  {
    rule: { type: 'before', first: 'look', then: 'write', scope: 'turn' },
    ok: [[['x', 'look', 'write_a']]],
    bad: [
      [
        [
          ['x', 'look'],
          ['y', 'write_a'],
        ],
        [4, 'in this turn'],
      ],
    ],
  },
  {
    rule: { type: 'after', trigger: 'write', then: 'test' },
    ok: [[['x', 'write_a', 'write_b', 'test']]],
    bad: [
      [[['x', 'test', 'write_a']], [3, '`test` is not called after it']],
      [[['x', 'write_a+test']], [1, 'their order is unknown', 'warning']],
    ],
    idle: [[['x', 'test']]],
  },
  {
    rule: { type: 'after', trigger: 'write', then: 'test', within: 1 },
    ok: [[['x', 'write_a', 'test']]],
    bad: [[[['x', 'write_a', 'look', 'test']], [1, 'within 1 step']]],
  },
  {
    rule: { type: 'never_after', trigger: 'commit', forbidden: 'write' },
    ok: [[['x', 'write_a', 'commit']]],
    bad: [
      [
        [
          ['x', 'commit'],
          ['y', 'write_a'],
        ],
        [4, '`write_a` is called after `commit`'],
      ],
      [[['x', 'commit+write_a']], [1, 'their order is unknown', 'warning']],
    ],
    idle: [[['x', 'write_a']]],
  },
  {
    rule: { type: 'never_after', trigger: 'commit', forbidden: 'write', within: 1 },
    ok: [[['x', 'commit', 'look', 'write_a']]],
    bad: [[[['x', 'commit', 'write_a']], [3, 'after `commit`']]],
  },
  {
    rule: { type: 'require', tool: 'verify', min: 2 },
    ok: [[['x', 'verify', 'verify']]],
    bad: [[[['x', 'verify']], [undefined, '`verify` is called once, where at least 2 calls are required']]],
  },
  {
    rule: { type: 'require', tool: 'verify', when: { called: 'write' } },
    ok: [[['x', 'write_a', 'verify']]],
    bad: [[[['x', 'write_a']], [undefined, '`verify` is called never']]],
    idle: [[['x', 'look']]],
  },
  {
    rule: { type: 'sequence', tools: ['auth', 'load', 'save'] },
    ok: [[['x', 'auth', 'look', 'load', 'save', 'load']]],
    bad: [
      [[['x', 'auth', 'save', 'load']], [3, '`save` is called too early']],
      [[['x', 'auth', 'load']], [3, '`save` is never called']],
      [[['x', 'auth', 'load+save']], [3, 'some are called only in the same message', 'warning']],
    ],
    idle: [[['x', 'look']]],
  },
  {
    rule: { type: 'sequence', tools: ['auth', 'load'], mode: 'exact' },
    ok: [[['x', 'auth', 'load']]],
    bad: [
      [[['x', 'auth', 'look', 'load']], [3, 'nothing else: auth, look, load']],
      [[['x', 'load+auth']], [1, 'their order is unknown', 'warning']],
    ],
  },
  {
    rule: { type: 'count', tool: 'h', exactly: 1, per: 'turn' },
    ok: [
      [
        ['x', 'h'],
        ['y', 'a', 'h'],
      ],
    ],
    bad: [
      [
        [
          ['x', 'h', 'h'],
          ['y', 'a'],
        ],
        [3, '`h` is called 2 times in one turn, where exactly 1 is expected'],
        [undefined, '`h` is called never'],
      ],
      [
        [['x', 'h'], ['y']],
        [undefined, '`h` is called never'],
      ],
    ],
  },
  {
    rule: { type: 'count', tool: 'h', min: 2, max: 3 },
    ok: [[['x', 'h', 'h']], [['x', 'h', 'h+h']]],
    bad: [
      [[['x', 'h']], [undefined, 'once in one transcript, where 2 to 3 are expected']],
      [[['x', 'h', 'h', 'h', 'h']], [7, '4 times']],
    ],
  },
  {
    rule: { type: 'max_steps', max: 2 },
    ok: [[['x', 'a+b', 'c']]],
    bad: [
      [
        [['x', 'a', 'b', 'c', 'd']],
        [5, '`c` is called in step 3 of one transcript, where at most 2 are allowed'],
        [7, '`d` is called in step 4 of one transcript'],
      ],
    ],
  },
  {
    rule: { type: 'max_errors', max: 1 },
    ok: [[['x', 'a=!no', 'b']]],
    bad: [[[['x', 'a=!no', 'b', 'c=!no']], [5, '`c` is failure 2 in one transcript']]],
  },
  {
    rule: { type: 'max_errors', tool: 'a', max: 1, in_a_row: true },
    ok: [[['x', 'a=!no', 'a', 'a=!no', 'b=!no']]],
    bad: [[[['x', 'a=!no', 'b', 'a=!no']], [5, 'failure 2 in a row']]],
    idle: [[['x', 'b=!no']]],
  },
  {
    rule: { type: 'result_text', tool: 'a', text: { pattern: '^\\d+$', not_matches: ['secrets', 'now'] } },
    ok: [[['x', 'a=12', 'b=x']]],
    bad: [
      [[['x', 'a=1x']], [1, 'the result of `a` does not match ^\\d+$']],
      [[['x', 'a=now']], [1, 'matches the word list `now`: "now"']],
      [[['x', 'a=AKIAIOSFODNN7EXAMPLE']], [1, 'matches the word list `secrets`']],
    ],
    idle: [[['x', 'b=x']]],
  },
  {
    rule: { type: 'trajectory', reference: ['a', { tool: 'b', args: { x: 1 } }] },
    ok: [[['x', 'a{"y":2}', 'b{"x":1.0}']], [['x', 'b{"x":1}+a']]],
    bad: [
      [[['x', 'b{"x":1}', 'a']], [1, '`b` is called where the reference has `a`, call 1 of it']],
      [[['x', 'a', 'b{"x":1,"y":1}']], [3, 'where the reference has `b` with {"x":1}, call 2']],
      [[['x', 'a', 'b{"x":1}', 'c']], [5, '`c` is not one of the calls of the reference']],
      [[['x', 'a']], [undefined, '`b` with {"x":1}, call 2 of the reference, is missing']],
    ],
  },
  {
    rule: { type: 'trajectory', mode: 'unordered', compare_args: 'partial', reference: [{ tool: '*', args: {} }, 'a'] },
    ok: [[['x', 'b', 'a']], [['x', 'a', 'b']], [['x', 'a', 'a']]],
    bad: [
      [[['x', 'b', 'b']], [undefined, '`a`, call 2']],
      [[['x', 'a', 'b', 'c']], [5, '`c` is not one of']],
    ],
  },
  {
    rule: { type: 'trajectory', mode: 'superset', reference: ['b', 'a'] },
    ok: [[['x', 'a', 'c', 'b']]],
    bad: [[[['x', 'a', 'c']], [undefined, '`b`, call 1']]],
  },
  {
    rule: { type: 'trajectory', mode: 'in_order', reference: ['a', 'b'] },
    ok: [[['x', 'c', 'a', 'c', 'b']], [['x', 'b+a']]],
    bad: [[[['x', 'b', 'a']], [undefined, '`b`, call 2 of the reference, is missing at its position']]],
  },
  {
    rule: {
      type: 'trajectory',
      mode: 'subset',
      compare_args: 'ignored',
      reference: ['a', { tool: 'b', args: { x: 1 } }],
    },
    ok: [[['x', 'b', 'b']], [['x', 'a']]],
    bad: [[[['x', 'a', 'c']], [3, '`c` is not one']]],
  },
  {
    rule: { type: 'allowed_tools', tools: ['read', 'write'] },
    ok: [[['x', 'read', 'write_a']]],
    bad: [[[['x', 'exec']], [1, 'is not one of the allowed tools: read, write']]],
  },
  {
    rule: { type: 'denied_tools', tools: ['exec_*'] },
    ok: [[['x', 'exec']]],
    bad: [[[['x', 'exec_a']], [1, '`exec_a` must not be called']]],
  },
  {
    rule: { type: 'args_valid', tool: '*' },
    ok: [[['x', 'pay{"amount":1}']], [['x', 'free{"a":1}']]],
    bad: [
      [[['x', 'pay{}']], [1, '`amount` is missing']],
      [[['x', 'pay{"amount":-1}']], [1, '`amount` is less than 0']],
      [[['x', 'free{"a":']], [1, 'they are not JSON']],
    ],
  },
  {
    rule: { type: 'max_cost', usd: 0.3 },
    ok: [[['x', 'pay', 'cheap', 'free']]],
    bad: [
      [
        [
          ['x', 'pay', 'cheap'],
          ['y', 'cheap'],
        ],
        [6, 'the calls of this transcript cost $0.4, more than $0.3'],
      ],
    ],
  },
  {
    rule: { type: 'max_result_tokens', tool: 'a', max: 3 },
    ok: [[['x', 'a=one two three']]],
    bad: [[[['x', 'a=one two three four']], [1, 'has 4 tokens, more than 3']]],
    idle: [[['x', 'b=one two three four']]],
  },
];

describe.each(
  cases.map((one) => [`${one.rule.type} ${JSON.stringify({ ...one.rule, type: undefined })}`, one] as const),
)('%s', (_, { rule, ok, bad, idle = [] }) => {
  const policy: Policy = { ...WORDS, rules: [{ id: 'r', ...rule } as AnyRule] };
  const judged = (turns: Turns) =>
    judge(policy, conversationOf(chat(turns)), { count: (text) => text.split(' ').length });

  it.each(ok.map((turns) => [JSON.stringify(turns), turns] as const))('ok: %s', (_name, turns) => {
    expect(judged(turns).findings).toEqual([]);
  });

  it.each(bad.map(([turns, ...found]) => [JSON.stringify(turns), turns, found] as const))(
    'bad: %s',
    (_name, turns, found) => {
      const { findings } = judged(turns);
      expect(findings.map(({ call, severity }) => [call?.message, severity])).toEqual(
        found.map(([message, , severity = 'error']) => [message, severity]),
      );
      findings.forEach(({ text }, index) => void expect(text).toContain(found[index]![1]));
    },
  );

  it.each(idle.map((turns) => [JSON.stringify(turns), turns] as const))('does not apply: %s', (_name, turns) => {
    const audit = createAudit(policy, { count: () => 0 });
    audit.add(conversationOf(chat(turns)), { file: 'a', line: 1, index: 0, transcript: undefined });
    expect(audit.facts().notExercised).toEqual(['r']);
  });
});

it('has an ok and a bad case of every type', () => {
  const tested = new Set(cases.filter(({ ok, bad }) => ok.length > 0 && bad.length > 0).map(({ rule }) => rule.type));
  // below, in conditions.test.ts, and in whole.test.ts
  const elsewhere = ['max_rate', 'max_sum', 'max_run_cost', 'max_latency', 'last_answer', 'violation_rate'];
  expect(ruleTypes.map(({ type }) => type).filter((type) => !tested.has(type))).toEqual(elsewhere);
});

describe('violation_rate', () => {
  const rate = (rule: object, ...transcripts: readonly Turns[]) => {
    const audit = createAudit({
      ...WORDS,
      rules: [
        { id: 'past-only', type: 'allow_when', tool: 'h', last_user: { matches: ['past'] }, severity: 'warning' },
        { id: 'rate', type: 'violation_rate', of: 'past-only', max: 0.5, ...rule },
      ],
    } as Policy);
    transcripts.forEach(
      (turns, index) =>
        void audit.add(conversationOf(chat(turns)), { file: `${index}`, line: 1, index: 0, transcript: undefined }),
    );
    return audit.facts().alerts;
  };
  const [good, wrong]: Turns = [
    ['before', 'h'],
    ['x', 'h'],
  ];

  it('ok: at the threshold, of all transcripts together', () => expect(rate({}, [good!], [wrong!])).toEqual([]));
  it('bad: above it', () =>
    expect(rate({}, [good!], [wrong!, wrong!])).toMatchObject([{ rule: 'rate', of: 'past-only', calls: 3, wrong: 2 }]));
  it('needs so many calls', () => expect(rate({ min_calls: 4 }, [wrong!, wrong!, wrong!])).toEqual([]));
  it('per transcript', () =>
    expect(rate({ per: 'transcript' }, [good!, good!], [wrong!])).toMatchObject([
      { place: { file: '1' }, calls: 1, wrong: 1 },
    ]));
});

describe('severity and when', () => {
  const of = (rule: object, turns: Turns) =>
    judge(
      { ...WORDS, rules: [{ id: 'r', type: 'denied_tools', tools: ['h'], ...rule } as AnyRule] },
      conversationOf(chat(turns)),
    );
  it('off is off', () => expect(of({ severity: 'off' }, [['x', 'h']]).findings).toEqual([]));
  it('a warning warns', () =>
    expect([...of({ severity: 'warning' }, [['x', 'h']]).statuses.values()]).toEqual(['warned']));
  it('a message of its own', () =>
    expect(of({ message: 'no h here' }, [['x', 'h']]).findings[0]!.text).toBe('no h here'));
  it('when the user said it', () => {
    expect(
      of({ when: { last_user: { matches: ['now'] } } }, [
        ['before', 'h'],
        ['now', 'h'],
      ]).findings.map(({ call }) => call!.message),
    ).toEqual([4]);
  });
  it('when a tool was not called', () => {
    expect(of({ when: { not_called: 'ask' } }, [['x', 'ask', 'h']]).findings).toEqual([]);
  });
});

describe('JSON Schema', () => {
  it.each([
    [{ type: 'integer' }, 1, undefined],
    [{ type: 'integer' }, 1.5, 'the value is number, not integer'],
    [{ type: ['string', 'null'] }, null, undefined],
    [{ enum: ['a', { b: 1 }] }, { b: 1 }, undefined],
    [{ enum: ['a'] }, 'b', 'the value is "b", not one of "a"'],
    [{ properties: { a: { items: { maxLength: 1 } } } }, { a: ['x', 'yy'] }, '`a[1]` is longer than 1'],
    [{ additionalProperties: false, patternProperties: { '^x': {} } }, { xa: 1 }, undefined],
    [{ additionalProperties: false }, { b: 1 }, '`b` is unknown'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, true, 'the value is boolean, not string'],
    [{ oneOf: [{ type: 'number' }, { type: 'integer' }] }, 1, 'the value matches 2 of the schemas, not exactly one'],
    [{ not: { type: 'string' } }, 'a', 'the value matches a schema that it must not match'],
    [
      { $ref: '#/$defs/t', $defs: { t: { type: 'object', properties: { t: { $ref: '#/$defs/t' } } } } },
      { t: { t: 1 } },
      '`t.t` is number, not object',
    ],
    [{ pattern: '^\\d+$', minLength: 2 }, '1', 'the value is shorter than 2'],
    [{ multipleOf: 0.1 }, 0.3, undefined],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      'the value has a duplicate item',
    ],
  ])('%j of %j', (schema, value, expected) => {
    expect(schemaComplaint(value, schema)).toBe(expected);
  });
});
