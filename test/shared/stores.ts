/** What the agents of a made-up home (`../shared/cases/stores`) cost: for us, for ccusage, and why they differ. */
import { readFileSync } from 'node:fs';

export const STORES = '../shared/cases/stores';

interface Cost {
  /** In US dollars. */
  readonly ours: number;
  readonly ccusage: number | undefined;
  /** Why it is another. */
  readonly why?: string | undefined;
}

const OURS: Readonly<Record<string, readonly [cost: number, why?: string]>> = {
  amp: [0.0298],
  cline: [0.0421, 'does not read it'],
  copilot: [0.1934544],
  droid: [0.031875],
  'gemini-cli': [0.0266],
  goose: [0.021],
  'kilo-code': [0.0421, 'reads another store of it'],
  kimi: [
    0.17641106,
    'leaves out the request that compacts ($0.0129), which Kimi records as `usageScope: "session"`; takes ' +
      'kimi-k2.5 for a session that names no model ($0.0014), which is unpriced here',
  ],
  openclaw: [0.02, 'counts one answer, which two files hold with the same time and tokens, twice'],
  opencode: [0.0500276],
  'qwen-code': [
    0.00455,
    'counts cached tokens twice, which `promptTokenCount` includes, and no thoughts: `totalTokenCount` is 5,070',
  ],
  'roo-code': [0.0421, 'does not read it'],
};

const { stores } = JSON.parse(readFileSync('fixtures/vectors/ccusage-20.json', 'utf8')) as {
  readonly stores: Readonly<Record<string, number>>;
};

export const COSTS: ReadonlyMap<string, Cost> = new Map(
  Object.entries(OURS).map(([agent, [ours, why]]) => [agent, { ours, ccusage: stores[agent], why }]),
);

/** For bench/LEDGER.md. */
export function storesTable(): string[] {
  const dollars = (cost: number | undefined) => (cost === undefined ? '' : cost.toFixed(7));
  return [
    'A made-up home with the stores of many agents, and what ccusage makes of it (`npm run ccusage`):',
    '',
    'opencode and goose keep SQLite databases, read by `ctx-trim stats @all --by agent` of Node 22.13 or later. Queries',
    'of our own (`node:sqlite`) give the same:',
    "`SELECT sum(json_extract(data, '$.cost')) FROM message` is $0.05 in `opencode.db` (its JSON files have the rest);",
    '`SELECT * FROM sessions` of goose is 4,500 tokens in and 500 out of claude-sonnet-4-5: $0.0135 + $0.0075.',
    '',
    '| agent | ours | ccusage | ccusage differs: it … |',
    '| --- | --: | --: | --- |',
    ...[...COSTS].map(
      ([agent, { ours, ccusage, why }]) => `| ${[agent, dollars(ours), dollars(ccusage), why ?? ''].join(' | ')} |`,
    ),
  ];
}
