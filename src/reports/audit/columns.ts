/** The rows of `audit --by`, and their columns. */

import { amountIn, callCost, converted, costText } from '../../engine/audit/amounts.js';
import type { AuditReport } from '../../engine/audit/report.js';
import { percent } from '../../policy/alerts.js';
import { type AuditRow, rateOf } from '../../policy/audit.js';
import { compile } from '../../policy/compiled.js';
import { type Amount, roundedNumber } from '../../policy/costs.js';
import { grouped } from '../../text/words.js';
import type { Column } from '../rows.js';

export function rowsOf({ facts, by }: AuditReport): readonly AuditRow[] {
  return { tool: facts.tools, rule: facts.rules, file: facts.files, day: facts.days }[by];
}

export function columnsOf({ facts: { policy }, by, currency }: AuditReport, hasRange = true): Column<AuditRow>[] {
  const money = (amount: Amount | undefined) => (amount === undefined ? '' : amountIn(amount, currency));
  const count = (title: 'calls' | 'valid' | 'warned' | 'denied' | 'invalid'): Column<AuditRow> => ({
    title,
    align: 'right',
    text: (row) => grouped(row[title]),
    value: (row) => row[title],
  });
  return [
    {
      title: by,
      text: ({ name }) => name,
      ...(by === 'file' ? { width: 40, keeps: 'end' as const } : {}),
      value: ({ name }) => name,
    },
    ...(['calls', 'valid', 'warned', 'denied', 'invalid'] as const).map(count),
    { title: 'rate', align: 'right', text: (row) => percent(rateOf(row)), value: (row) => rateOf(row) },
    ...(by === 'tool'
      ? [
          {
            title: hasRange ? 'cost per call' : 'cost',
            align: 'right' as const,
            text: ({ name }: AuditRow) => costText(compile(policy).specOf(name)?.cost, currency, hasRange),
            value: ({ name }: AuditRow) => callCost(policy, name, currency),
          },
        ]
      : []),
    {
      title: 'wasted',
      align: 'right',
      text: ({ wasted }) => money(wasted),
      value: ({ wasted }) => (wasted === undefined ? undefined : roundedNumber(converted(wasted, currency))),
    },
  ];
}
