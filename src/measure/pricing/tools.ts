/** What tools that the provider runs cost beside the tokens. */
import { decimal, type Picodollars } from '../../decimals.js';
import type { Billing, ServerTool } from '../../transcript/types.js';
import { type Sourced, sourced } from './corrections.js';
import { bareName } from './names.js';
import type { Quote, ToolPrice } from './rates.js';

interface ToolRow extends Sourced {
  /** As the price package names it. */
  readonly provider: string;
  readonly tools: readonly ServerTool[];
  /** Matches names of models without their provider, in lower case. */
  readonly model: RegExp;
  readonly usdPerThousand: string;
  readonly per: ToolPrice['per'];
}

const ANTHROPIC = {
  provider: 'anthropic',
  model: /./,
  per: 'use',
  ...sourced('https://platform.claude.com/docs/en/about-claude/pricing', '2026-11-22'),
} as const;
const OPENAI = {
  provider: 'openai',
  per: 'use',
  ...sourced('https://developers.openai.com/api/docs/pricing', '2026-11-22'),
} as const;
const GOOGLE = {
  provider: 'google',
  tools: ['web_search'],
  ...sourced('https://ai.google.dev/gemini-api/docs/pricing', '2026-11-22'),
} as const;
const XAI = {
  provider: 'x-ai',
  model: /./,
  per: 'use',
  ...sourced('https://docs.x.ai/developers/pricing', '2026-11-22'),
} as const;

/**
 * The first row of a provider and tool that matches the model applies. Free quotas count as used up, except where a
 * row says so.
 */
export const TOOL_PRICES: readonly ToolRow[] = [
  { tools: ['web_search'], usdPerThousand: '10', ...ANTHROPIC },
  { tools: ['web_fetch'], usdPerThousand: '0', ...ANTHROPIC },
  // $0.05 for an hour of a container, after 1,550 free hours a month: not known from uses, and usually free.
  { tools: ['code_execution'], usdPerThousand: '0', ...ANTHROPIC },
  // `web_search_preview` of models without reasoning, with the found text for free. The recording of `web_search`, at
  // $10 and with the found text as input, is the same.
  { tools: ['web_search'], model: /^gpt-4(?:o|\.1)/, usdPerThousand: '25', ...OPENAI },
  { tools: ['web_search'], model: /./, usdPerThousand: '10', ...OPENAI },
  { tools: ['file_search'], model: /./, usdPerThousand: '2.5', ...OPENAI },
  // From $0.03 for a container of 20 minutes, which several calls may share: not known from uses.
  { tools: ['code_execution'], model: /./, usdPerThousand: '0', ...OPENAI },
  // Each prompt that was grounded, however many searches it took; each search from Gemini 3 on.
  { model: /^gemini-(?:1|2|flash|pro)/, usdPerThousand: '35', per: 'request', ...GOOGLE },
  { model: /^gemini/, usdPerThousand: '14', per: 'use', ...GOOGLE },
  { ...GOOGLE, tools: ['code_execution', 'web_fetch'], model: /./, usdPerThousand: '0', per: 'use' },
  { tools: ['web_search', 'code_execution'], usdPerThousand: '5', ...XAI },
  { tools: ['file_search'], usdPerThousand: '2.5', ...XAI },
];

/**
 * The cost of the tools that n requests used. Undefined (unpriced) if the provider charges for a tool at prices that
 * are not known for this model; tools that it is not known to charge for cost nothing.
 */
export function toolsCost(
  quote: Quote,
  uses: NonNullable<Billing['toolUses']>,
  requests: number,
): Picodollars | undefined {
  let sum = 0n;
  for (const [tool, count] of Object.entries(uses) as [ServerTool, number | undefined][]) {
    if (count === undefined || count <= 0) continue;
    const price = quote.tools?.[tool] ?? toolPrice(quote, tool);
    if (price === undefined) return undefined;
    sum += price.usd * BigInt(Math.round(price.per === 'use' ? count : Math.min(count, requests)));
  }
  return sum;
}

/** By quote and tool. */
const known = new WeakMap<Quote, Map<ServerTool, ToolPrice | undefined>>();

function toolPrice(quote: Quote, tool: ServerTool): ToolPrice | undefined {
  const prices = known.get(quote) ?? new Map<ServerTool, ToolPrice | undefined>();
  known.set(quote, prices);
  if (!prices.has(tool)) prices.set(tool, findPrice(quote, tool));
  return prices.get(tool);
}

function findPrice({ provider, matched }: Quote, tool: ServerTool): ToolPrice | undefined {
  const rows = TOOL_PRICES.filter((row) => row.provider === provider && row.tools.includes(tool));
  if (rows.length === 0) return { usd: 0n, per: 'use' };
  const row = rows.find(({ model }) => model.test(bareName(matched.toLowerCase())));
  return row && { usd: decimal(row.usdPerThousand, 9), per: row.per };
}
