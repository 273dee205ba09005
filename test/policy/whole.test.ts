/** The whole policies of docs/policies.md: each finds what its examples say, and nothing where it is kept. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { policyNamed } from '../../src/policy/built-in.js';
import type { Conversation } from '../../src/policy/conversation.js';
import { decide } from '../../src/policy/decide.js';
import { judge } from '../../src/policy/judge.js';
import { runProgram } from '../shared/program.js';

const FOLDER = 'fixtures/policies/whole';

describe.each(readdirSync(FOLDER).filter((file) => file.endsWith('.yaml')))('%s', (file) => {
  const recording = (kind: string) =>
    `${FOLDER}/${readdirSync(FOLDER).find((name) => name.startsWith(file.replace('.yaml', `.${kind}.`)))!}`;
  const check = (kind: string) =>
    runProgram(['check', '--policy', `${FOLDER}/${file}`, '--rule', 'policy/*', recording(kind)]);

  it('passes its own examples, and has no faults', () => {
    expect(runProgram(['policy', 'test', `${FOLDER}/${file}`])).toMatchObject({ status: 0 });
    expect(runProgram(['policy', 'lint', `${FOLDER}/${file}`])).toMatchObject({ status: 0 });
  });

  it('finds nothing in the recording that keeps it, and something in the other', () => {
    expect(check('kept').status).toBe(0);
    expect(check('broken').status).toBe(1);
  });
});

it('allows a question about an earlier choice, and knows what asks for the structure of a project', () => {
  const policy = policyNamed('query-history')!;
  expect(decide(policy, { text: '为什么我们选择用JWT？' })).toMatchObject({ decision: 'allow' });
  expect(decide(policy, { text: '获取系统信息' })).toMatchObject({ tool: 'get_project_structure' });
});

describe('trajectory', () => {
  const call = (tool: string, args: object, step: number) => ({
    ...{ tool, args, step, callId: undefined, message: step, turn: 1, lastUserText: '', result: undefined },
  });
  const findings = (rule: object, ...calls: Conversation['calls']) =>
    judge({ version: 1, rules: [{ id: 'r', type: 'trajectory', ...rule }] }, { calls, lastUserText: '' }).findings
      .length;
  const reference = [
    { tool: 'read', args: { path: 'a' } },
    { tool: 'find', args: { query: 'b' } },
  ];

  it('compares arguments as each tool asks for', () => {
    const calls = [call('read', { path: 'a' }, 1), call('find', { query: 'other' }, 2)];
    expect(findings({ reference, compare_args: { find: 'ignored' } }, ...calls)).toBe(0);
    expect(findings({ reference, compare_args: { read: 'ignored' } }, ...calls)).toBe(1);
  });

  it('counts the calls of a subset where it is asked to', () => {
    const twice = [call('read', { path: 'a' }, 1), call('read', { path: 'a' }, 2)];
    expect(findings({ reference, mode: 'subset' }, ...twice)).toBe(0);
    expect(findings({ reference, mode: 'subset', counted: true }, ...twice)).toBe(1);
  });
});

describe('max_sum', () => {
  const findings = (...amounts: readonly unknown[]) => {
    const calls = amounts.map((amount, step) => ({
      ...{ tool: 'pay', args: { amount }, step, callId: undefined, message: step, turn: 1, lastUserText: '' },
      result: undefined,
    }));
    const rule = { id: 'r', type: 'max_sum', tool: 'pay', arg: 'amount', max: 2000 };
    const policy = { version: 1, rules: [rule] } as const;
    return judge(policy, { calls, lastUserText: '' }).findings.map(({ severity }) => severity);
  };

  it('reads amounts as they are written', () => {
    const amounts = ['1,500', '$1,500', '1,500.00', 'USD 1,500', '1,500 €', '¥1500', ' 1500 ', 1500, '1.5e3'];
    for (const amount of amounts) expect([amount, findings(amount, amount)]).toEqual([amount, ['error']]);
    expect(findings('-$0.50')).toEqual([]);
    expect(findings('$2,000.00')).toEqual([]);
  });

  it('warns of what may be another number', () => {
    for (const amount of ['1,5', '1.500,00', '15,00', 'a lot', '$', '1,500 or 2', '', null])
      expect([amount, findings(amount)]).toEqual([amount, ['warning']]);
  });
});
