/** `stats --tools`: what tool results cost in all the requests that carried them. */
import { toNumber } from '../decimals.js';
import { type CarriedTool, carriedBasis } from '../engine/stats/carried-by-tool.js';
import type { Carried } from '../measure/stats/carried.js';
import type { RequestSum } from '../measure/stats/request-sum.js';
import { type Currency, moneyColumn } from '../text/money.js';
import { grouped, markedCost, percent, tokensText } from '../text/words.js';
import type { Column } from './rows.js';

type Source = 'exact' | 'estimated';

export function carriedToolColumns(
  source: Source,
  rows: readonly CarriedTool[],
  paid: RequestSum,
  currency: Currency,
): readonly Column<CarriedTool>[] {
  return [
    { title: 'tool', text: ({ tool }) => tool },
    { title: 'results', align: 'right', text: ({ results }) => grouped(results), value: ({ results }) => results },
    tokensColumn(source),
    {
      title: 'carried_\ntokens',
      align: 'right',
      text: ({ carriedTokens }) => tokensText(carriedTokens, source),
      value: ({ carriedTokens }) => carriedTokens,
    },
    costColumn(source, rows, currency),
    {
      title: `share\nof ${carriedBasis(rows, paid)}`,
      align: 'right',
      text: ({ share }) => percent(share),
      value: ({ share }) => share,
    },
  ];
}

export function carriedColumns(
  source: Source,
  rows: readonly Carried[],
  currency: Currency,
): readonly Column<Carried>[] {
  return [
    { title: 'result', width: 31, keeps: 'end', text: placeOf, value: placeOf },
    { title: 'tool', width: 18, text: ({ tool }) => tool, value: ({ tool }) => tool },
    tokensColumn(source),
    { title: 'requests', align: 'right', text: ({ requests }) => grouped(requests), value: ({ requests }) => requests },
    costColumn(source, rows, currency),
  ];
}

const placeOf = ({ file, line, index }: Carried) => `${file}:${line}#${index}`;

function tokensColumn(source: Source): Column<{ readonly tokens: number }> {
  return {
    title: 'tokens',
    align: 'right',
    text: ({ tokens }) => tokensText(tokens, source),
    value: ({ tokens }) => tokens,
  };
}

function costColumn(
  source: Source,
  rows: readonly { readonly cost: bigint | undefined }[],
  currency: Currency,
): Column<{ readonly cost: bigint | undefined }> {
  const money = moneyColumn(
    rows.map(({ cost }) => cost ?? 0n),
    currency,
  );
  return {
    title: `cost_${currency.code.toLowerCase()}`,
    align: 'right',
    text: ({ cost }) => (cost === undefined ? 'unpriced' : markedCost(money(cost), source)),
    value: ({ cost }) => (cost === undefined ? undefined : toNumber(cost)),
  };
}
