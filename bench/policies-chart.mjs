/** docs/policies.svg from the table of bench/POLICIES.md: `node bench/policies-chart.mjs`, or by `npm run policies`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { barChart } from './bar-chart.mjs';

const POLICIES = ['filter 10', 'filter 3', 'mask 10', 'stale', 'stale + filter 10'];
const SERIES = [
  ['1', 'at each call'],
  ['20', 'every 20 calls'],
  ['auto', 'when it pays (auto)'],
];

/** `table`: bench/POLICIES.md. */
export function policiesChart(table) {
  const [, sessions, least] = /(\d+) recorded sessions of \d+ formats with (\d+)\n/.exec(table);
  /** Under Anthropic's five minutes: all sessions together in percent, and how many get dearer. */
  const figures = (policy, every) => {
    const row = table.split('\n').find((line) => line.startsWith(`| ${policy} | ${every} |`));
    const [, together, dearer] = row.split(' | ')[3].split(' / ');
    return { change: Number(together.replace('−', '-')), dearer };
  };
  return barChart({
    title: "What trimming changes of the bill under Anthropic's prompt cache",
    subtitle: `${sessions} recorded sessions of ${least} tool calls and more together; how many get dearer by over 1 %`,
    series: SERIES.map(([, name]) => name),
    markName: 'planned ahead',
    bars: POLICIES.map((policy) => {
      const all = SERIES.map(([every]) => figures(policy, every));
      return {
        label: policy,
        values: all.map(({ change }) => change),
        notes: all.map(({ dearer }) => `${dearer} dearer`),
        mark: figures(policy, 'best').change,
      };
    }),
  });
}

export const CHART = 'docs/policies.svg';

if (fileURLToPath(import.meta.url) === resolve(process.argv[1]))
  writeFileSync(CHART, policiesChart(readFileSync('bench/POLICIES.md', 'utf8')));
