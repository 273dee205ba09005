/** Merges files written by `stats --format json`, such as the parts of a parallel job. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Picodollars, picodollarsOf } from '../../../decimals.js';
import { type StatsPart, statsPart } from '../../../documents/schemas/stats.js';
import { TranscriptError } from '../../../errors.js';
import { type JsonNode, parse } from '../../../json/node.js';
import type { PriceSnapshot } from '../../../measure/pricing/rates.js';
import { type AuditFacts, createGatherer, type GatherOptions } from '../../../measure/stats/audit.js';
import type { Carried } from '../../../measure/stats/carried.js';
import type { TranscriptFacts } from '../../../measure/stats/facts.js';
import type { RequestFacts } from '../../../measure/stats/request.js';
import type { Billing } from '../../../transcript/types.js';
import { unreadable } from '../../files/input.js';

type TranscriptPart = StatsPart['transcripts'][number];

/** The merged facts of all files. Throws TranscriptError if a file was not written by `stats --format json`. */
export function mergeParts(names: readonly string[], cwd: string, options: GatherOptions): AuditFacts {
  const parts = names.map((name) => readPart(name, cwd)); // report nothing unless all files can be read
  const carries = parts.some(({ part }) => part.transcripts.some(({ carried }) => carried !== undefined));
  const gatherer = createGatherer<RequestFacts>(options, {
    carries,
    price: (request) => request,
    priceList: commonPriceList(parts.map(({ part }) => part)),
  });
  for (const { root, part } of parts) {
    const nodes = root.get('transcripts')!.items();
    part.transcripts.forEach((transcript, at) => {
      const node = nodes[at]!;
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
      gatherer.add(
        factsFrom(transcript, costAt(node.get('totals'), part.version === 1 ? 'cost_usd' : 'prompt_cost_usd')),
        requests,
        { carriedBy: carried && (() => carried) },
      );
    });
  }
  const facts = gatherer.facts();
  return {
    ...facts,
    omissions: {
      unread: parts.flatMap(({ part }) => part.unread.map((rows) => ({ ...rows, isPart: false }))),
      badLines: parts.flatMap(({ part }) => part.bad_lines),
    },
    duplicates: parts.reduce((sum, { part }) => sum + part.totals.duplicates_dropped, facts.duplicates),
  };
}

/** The price list of all parts; undefined if they differ. */
function commonPriceList(parts: readonly { readonly prices: PriceSnapshot | null }[]): PriceSnapshot | undefined {
  const first = parts[0]?.prices ?? undefined;
  const isCommon = parts.every(({ prices }) => prices?.source === first?.source && prices?.date === first?.date);
  return isCommon ? first : undefined;
}

function readPart(name: string, cwd: string): { readonly root: JsonNode; readonly part: StatsPart } {
  const wrong = (what: string) =>
    new TranscriptError('usage', `${what}; --merge takes files written by \`ctx-trim stats --format json\``, {
      file: name,
    });
  let text: string;
  try {
    text = readFileSync(name === '-' ? 0 : resolve(cwd, name), 'utf8');
  } catch (error) {
    throw unreadable(name, error);
  }
  let root: JsonNode;
  try {
    root = parse(text);
  } catch (error) {
    throw wrong(`not JSON: ${(error as Error).message}`);
  }
  const read = statsPart.safeParse(withPromptTokens(JSON.parse(text)));
  if (read.success) return { root, part: read.data };
  const [issue] = read.error.issues;
  if (issue!.path.join('.') !== 'version') throw wrong(`\`${issue!.path.join('.')}\`: ${issue!.message}`);
  throw wrong(`version ${String(root.get('version')?.text)} is unknown; write it again with this version of ctx-trim`);
}

/** In version 1, totals name the tokens of the prompt `tokens`. */
function withPromptTokens(part: unknown): unknown {
  const { version, transcripts } = (part ?? {}) as { version?: unknown; transcripts?: unknown };
  if (version !== 1 || !Array.isArray(transcripts)) return part;
  for (const { totals } of transcripts as { totals?: Record<string, unknown> }[])
    if (totals !== undefined) {
      totals['prompt_tokens'] = totals['tokens'];
      totals['prompt_tokens_source'] = totals['tokens_source'];
    }
  return part;
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

function factsFrom(part: TranscriptPart, cost: Picodollars | undefined): TranscriptFacts {
  const { messages, tool_calls: toolCalls, tool_results: toolResults, prompt_tokens: tokens } = part.totals;
  const { prompt_tokens_source: source } = part.totals;
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
    },
  };
}

function requestFrom(part: TranscriptPart['requests'][number], cost: Picodollars | undefined): RequestFacts {
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

function billingFrom({ tier, region, tool_uses: toolUses, requests }: TranscriptPart['requests'][number]): Billing {
  return {
    ...(tier === null ? {} : { tier }),
    ...(region === null ? {} : { region }),
    ...(toolUses === null ? {} : { toolUses }),
    ...(requests > 1 ? { requests } : {}),
  };
}
