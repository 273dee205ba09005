/** Merges files written by `stats --format json`, such as the parts of a parallel job. */
import { type Picodollars, picodollarsOf } from '../../../decimals.js';
import type { StatsPartTranscript } from '../../../documents/schemas/stats.js';
import type { JsonNode } from '../../../json/node.js';
import { type PriceSnapshot, snapshotText } from '../../../measure/pricing/rates.js';
import { type AuditFacts, createGatherer, type Gatherer, type GatherOptions } from '../../../measure/stats/audit.js';
import type { Carried } from '../../../measure/stats/carried.js';
import type { TranscriptFacts } from '../../../measure/stats/facts.js';
import type { RequestFacts } from '../../../measure/stats/request.js';
import type { Billing } from '../../../transcript/types.js';
import { type PartTranscript, partReader } from './part.js';

/**
 * The merged facts of all files. Throws TranscriptError if a file was not written by `stats --format json`: nothing is
 * reported then, so all are read twice, one transcript at a time.
 */
export function mergeParts(names: readonly string[], cwd: string, options: GatherOptions): AuditFacts {
  const read = partReader(cwd);
  let carries = false;
  const look = ({ transcript }: PartTranscript) => {
    carries ||= transcript.carried !== undefined;
  };
  const rests = names.map((name) => read(name, look));
  const gatherer = createGatherer<RequestFacts>(options, {
    carries,
    price: (request) => request,
    priceList: commonPriceList(rests),
  });
  for (const name of names) read(name, (one) => addTo(gatherer, one));
  const facts = gatherer.facts();
  return {
    ...facts,
    omissions: {
      unreadable: rests.flatMap(({ unreadable = [] }) => unreadable),
      unread: rests.flatMap(({ unread }) => unread.map((rows) => ({ ...rows, isPart: false }))),
      badLines: rests.flatMap(({ bad_lines: badLines }) => badLines),
    },
    duplicates: rests.reduce((sum, { totals }) => sum + totals.duplicates_dropped, facts.duplicates),
  };
}

function addTo(gatherer: Gatherer<RequestFacts>, { transcript, node, version }: PartTranscript): void {
  const costs = costsAt(node, 'requests');
  const carriedCosts = costsAt(node, 'carried');
  const { file, line } = transcript;
  const carried = transcript.carried?.map(
    ({ carried_tokens: carriedTokens, ...rest }, index): Carried => ({
      file,
      line,
      ...rest,
      carriedTokens,
      cost: carriedCosts[index],
    }),
  );
  const requests = transcript.requests.map((request, index) => requestFrom(request, costs[index]));
  const facts = factsFrom(transcript, costAt(node.get('totals'), version === 1 ? 'cost_usd' : 'prompt_cost_usd'));
  gatherer.add(facts, requests, { carriedBy: carried && (() => carried) });
}

/** The price list of all parts; undefined if they differ. */
function commonPriceList(parts: readonly { readonly prices: PriceSnapshot | null }[]): PriceSnapshot | undefined {
  const first = parts[0]?.prices ?? undefined;
  const textOf = (prices: PriceSnapshot | null | undefined) => prices && snapshotText(prices);
  const isCommon = parts.every(({ prices }) => textOf(prices) === textOf(first));
  return isCommon ? first : undefined;
}

/** Reads a cost from its digits, because a double would round it. */
function costAt(node: JsonNode | undefined, key = 'cost_usd'): Picodollars | undefined {
  const cost = node?.get(key);
  return cost === undefined || cost.isNull ? undefined : picodollarsOf(cost.text);
}

function costsAt(transcript: JsonNode, key: string): (Picodollars | undefined)[] {
  return (
    transcript
      .get(key)
      ?.items()
      .map((item) => costAt(item)) ?? []
  );
}

function factsFrom(part: StatsPartTranscript, cost: Picodollars | undefined): TranscriptFacts {
  const { messages, tool_calls: toolCalls, tool_results: toolResults, prompt_tokens: tokens } = part.totals;
  const { prompt_tokens_source: source, unstated_replies: unstated } = part.totals;
  const isUncounted = tokens === null;
  return {
    file: part.file,
    line: part.line,
    id: part.id ?? undefined,
    agent: part.subagent ?? undefined,
    project: part.project ?? undefined,
    title: part.title ?? undefined,
    format: part.format,
    model: part.model ?? undefined,
    contextWindow: part.context_window ?? undefined,
    messages: part.messages,
    roles: part.roles,
    tools: part.tools,
    definitionTokens: part.definition_tokens,
    requestTokens: part.request_tokens,
    ...(part.attachments === undefined ? {} : { attachments: part.attachments }),
    hints: part.hints,
    turnStarts: part.turn_starts,
    totals: {
      messages,
      toolCalls,
      toolResults,
      tokens: tokens ?? 0,
      tokensSource: source ?? 'exact',
      cost: isUncounted ? 0n : cost,
      costSource: isUncounted || cost !== undefined ? 'estimated' : 'unpriced',
      isUncounted,
      ...(unstated === undefined ? {} : { unstated }),
    },
  };
}

function requestFrom(part: StatsPartTranscript['requests'][number], cost: Picodollars | undefined): RequestFacts {
  const { input, output, reasoning, requests } = part;
  const { cache_read: cacheRead, cache_write_5m: cacheWrite5m, cache_write_1h: cacheWrite1h } = part;
  return {
    key: part.key ?? undefined,
    index: part.index,
    model: part.model ?? undefined,
    session: part.session ?? undefined,
    branch: part.branch ?? undefined,
    time: part.time === null ? undefined : Date.parse(part.time),
    usage: { input, cacheRead, cacheWrite5m, cacheWrite1h, output, reasoning },
    requests,
    agent: part.subagent ?? undefined,
    isUnanswered: part.unanswered,
    isRemainder: part.unexplained,
    billing: billingFrom(part),
    tokensSource: part.tokens_source,
    recordedCost: part.cost_source === 'recorded' ? cost : undefined,
    cost,
    costSource: part.cost_source,
  };
}

function billingFrom({
  tier,
  region,
  tool_uses: toolUses,
  requests,
}: StatsPartTranscript['requests'][number]): Billing {
  return {
    ...(tier === null ? {} : { tier }),
    ...(region === null ? {} : { region }),
    ...(toolUses === null ? {} : { toolUses }),
    ...(requests > 1 ? { requests } : {}),
  };
}
