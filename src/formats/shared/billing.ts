/**
 * What the price of a request depends on besides model, time and tokens, as recordings state it: tier, region, and the
 * uses of tools that the provider runs. All readers return undefined in the usual case, and create nothing then.
 */
import type { JsonNode } from '../../json/node.js';
import { Keys } from '../../json/strings.js';
import type { Billing, ServerTool, Tier } from '../../transcript/types.js';
import { table } from './table.js';

type ToolUses = Partial<Record<ServerTool, number>>;

const ANTHROPIC = { service_tier: 0, speed: 1, inference_geo: 2, server_tool_use: 3 } as const;
const ANTHROPIC_KEYS = new Keys(Object.keys(ANTHROPIC));
const TIERS: readonly Tier[] = ['batch', 'flex', 'priority', 'fast'];
/** Other values (`standard`, `default`, `auto`, `on_demand`, `scale`) have the standard price. */
const TIER_NAMES = new Keys(TIERS);
/** Values of `inference_geo` that have the standard price. */
const ANY_REGION = new Keys(['', 'global', 'not_available']);

/**
 * Anthropic: all in `usage`. `speed` is that of fast mode.
 * https://platform.claude.com/docs/en/api/service-tiers https://platform.claude.com/docs/en/build-with-claude/fast-mode
 * https://platform.claude.com/docs/en/build-with-claude/data-residency
 */
export function anthropicBilling(usage: JsonNode | undefined): Billing | undefined {
  if (usage === undefined) return undefined;
  const found = usage.find(ANTHROPIC_KEYS);
  const isFast = usage.nameAt(found[ANTHROPIC.speed]!, TIER_NAMES) === TIERS.indexOf('fast');
  const tier = isFast ? 'fast' : TIERS[usage.nameAt(found[ANTHROPIC.service_tier]!, TIER_NAMES)];
  const geo = found[ANTHROPIC.inference_geo]!;
  const region = usage.nameAt(geo, ANY_REGION) >= 0 ? undefined : usage.stringAt(geo);
  return billingOf({ tier, region, toolUses: serverToolUses(usage.nodeAt(found[ANTHROPIC.server_tool_use]!)) });
}

/** A tier by its name in an API, in any case: `flex`, `ON_DEMAND_FLEX`. Undefined for the standard tier. */
export function tierNamed(name: string | undefined): Tier | undefined {
  const plain = name?.toLowerCase().replace(/^on_demand_/, '');
  return TIERS.find((tier) => tier === plain);
}

/**
 * OpenAI and compatible APIs, in responses of Chat Completions and of the Responses API. `service_tier` is the tier
 * that served the request. https://platform.openai.com/docs/api-reference/chat/object
 */
export function openaiBilling(response: JsonNode | undefined): Billing | undefined {
  if (response === undefined) return undefined;
  const tier = tierNamed(response.get('service_tier')?.string);
  const usage = response.get('usage');
  const toolUses =
    serverToolUses(usage?.get('server_tool_use')) ??
    builtInToolUses(response.get('output')) ??
    searchesInPrompt(usage?.get('prompt_tokens_details')) ??
    chatSearch(response);
  return billingOf({ tier, toolUses });
}

/** Gemini: the tier is in `usageMetadata`, searches are in a candidate's `groundingMetadata`. */
export function geminiBilling(response: JsonNode, model: string | undefined): Billing | undefined {
  const counts = response.get('usageMetadata') ?? response.get('usage_metadata');
  const tier =
    tierNamed((counts?.get('serviceTier') ?? counts?.get('service_tier'))?.string) ??
    tierNamed((counts?.get('trafficType') ?? counts?.get('traffic_type'))?.string);
  return billingOf({ tier, toolUses: groundedSearches(response, model) });
}

/** Undefined if nothing differs from the standard price. */
export function billingOf(billing: Billing): Billing | undefined {
  const { tier, region, toolUses, requests } = billing;
  return tier === undefined && region === undefined && toolUses === undefined && requests === undefined
    ? undefined
    : billing;
}

// --- uses of tools

const USES = { web_search_requests: 0, web_fetch_requests: 1, code_execution_requests: 2 } as const;
const USES_KEYS = new Keys(Object.keys(USES));

/** Anthropic's counts by tool. https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool */
function serverToolUses(counts: JsonNode | undefined): ToolUses | undefined {
  if (counts === undefined) return undefined;
  const found = counts.find(USES_KEYS);
  const countAt = (at: number) => (at < 0 ? undefined : counts.nodeAt(at)?.number) ?? 0;
  const searches = countAt(found[USES.web_search_requests]!);
  const fetches = countAt(found[USES.web_fetch_requests]!);
  const executions = countAt(found[USES.code_execution_requests]!);
  return usesOf({ web_search: searches, web_fetch: fetches, code_execution: executions });
}

/** The uses above 0; undefined if there are none. */
function usesOf(uses: Readonly<ToolUses>): ToolUses | undefined {
  let found: ToolUses | undefined;
  for (const tool of TOOLS) {
    const count = uses[tool] ?? 0;
    if (count > 0) found = { ...found, [tool]: count };
  }
  return found;
}
const TOOLS: readonly ServerTool[] = ['web_search', 'web_fetch', 'code_execution', 'file_search'];

const BUILT_IN_TOOLS = table<ServerTool>({
  web_search_call: 'web_search',
  file_search_call: 'file_search',
  code_interpreter_call: 'code_execution',
});

/**
 * Calls of built-in tools among the items of a response. Of web searches only the action `search` has a price; the code
 * interpreter is paid by container. https://platform.openai.com/docs/pricing
 */
function builtInToolUses(output: JsonNode | undefined): ToolUses | undefined {
  const uses: ToolUses = {};
  const containers = new Set<string>();
  for (const item of output?.items() ?? []) {
    const tool = BUILT_IN_TOOLS[item.get('type')?.string ?? ''];
    if (tool === undefined) continue;
    const container = item.get('container_id')?.string ?? item.get('id')?.string ?? '';
    const isKnown = tool === 'code_execution' && containers.has(container);
    if (tool === 'code_execution') containers.add(container);
    const isFree = tool === 'web_search' && (item.get('action')?.get('type')?.string ?? 'search') !== 'search';
    if (!isKnown && !isFree) uses[tool] = (uses[tool] ?? 0) + 1;
  }
  return usesOf(uses);
}

/** LiteLLM's count of searches, in the details of the prompt. */
function searchesInPrompt(details: JsonNode | undefined): ToolUses | undefined {
  return usesOf({ web_search: details?.get('web_search_requests')?.number ?? 0 });
}

/**
 * A reply of Chat Completions that cites web pages searched once.
 * https://platform.openai.com/docs/guides/tools-web-search
 */
function chatSearch(response: JsonNode): ToolUses | undefined {
  const annotations = response.get('choices')?.items(1)[0]?.get('message')?.get('annotations');
  return annotations?.items().some((annotation) => annotation.get('type')?.string === 'url_citation')
    ? { web_search: 1 }
    : undefined;
}

/** Models that pay for a prompt with searches, not for each search. https://ai.google.dev/gemini-api/docs/pricing */
const PAYS_BY_PROMPT = /(?:^|\/)gemini-[12]/;

function groundedSearches(response: JsonNode, model: string | undefined): ToolUses | undefined {
  const holders = [response, ...(response.get('candidates')?.items() ?? [])];
  const queries = holders.reduce((count, holder) => {
    const grounding = holder.get('groundingMetadata') ?? holder.get('grounding_metadata');
    return count + ((grounding?.get('webSearchQueries') ?? grounding?.get('web_search_queries'))?.length ?? 0);
  }, 0);
  return usesOf({ web_search: PAYS_BY_PROMPT.test(model ?? '') ? Math.min(1, queries) : queries });
}
