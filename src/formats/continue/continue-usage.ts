/**
 * What the requests of a session of Continue used. `usage` of a message states its request, by the command line under
 * OpenAI's names, by the extensions under their own; that of the session sums up all, also those that no message
 * answers: of sub-agents and of compactions. `cost_cents` is rounded to whole cents, so that only the session's cost
 * is read. As of @continuedev/cli 1.5.47: `recordStreamTelemetry` in src/stream/streamChatResponse.helpers.ts, and
 * packages/openai-adapters/src/apis/Anthropic.ts (2026-11-30).
 */
import type { JsonNode } from '../../json/node.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import type { Description } from '../format.js';
import { chatUsage, costField, recordedOf, tokens, usageFromTotals, usageFromUncached } from '../shared/recorded.js';
import { messageIn } from './continue-read.js';

export function usageIn(message: JsonNode | undefined): Recorded | undefined {
  const usage = message?.get('usage');
  if (usage === undefined) return undefined;
  const model = usage.get('model')?.string;
  return recordedOf({ model, usage: isUncached(usage) ? uncached(usage) : (chatUsage(usage, model) ?? camel(usage)) });
}

/** That of Anthropic's API, whose input excludes the cache, begins with what was written to it; no other does. */
function isUncached(usage: JsonNode): boolean {
  return usage.get('prompt_tokens_details')?.members()[0]?.key.text === 'cache_write_tokens';
}

function uncached(usage: JsonNode): Usage | undefined {
  const details = usage.get('prompt_tokens_details');
  return usageFromUncached(tokens(usage, 'prompt_tokens'), tokens(usage, 'completion_tokens'), {
    cacheRead: tokens(details, 'cache_read_tokens') ?? 0,
    cacheWrite5m: tokens(details, 'cache_write_tokens') ?? 0,
  });
}

/** Of the extensions, and of the session. */
function camel(usage: JsonNode, others: Partial<Usage> = {}): Usage | undefined {
  const cached = usage.get('promptTokensDetails');
  return usageFromTotals(tokens(usage, 'promptTokens'), tokens(usage, 'completionTokens'), {
    cacheRead: tokens(cached, 'cachedTokens') ?? 0,
    cacheWrite5m: tokens(cached, 'cacheWriteTokens') ?? 0,
    reasoning: tokens(usage.get('completionTokensDetails'), 'reasoningTokens') ?? 0,
    ...others,
  });
}

export function describeUsage(record: JsonNode): Pick<Description, 'model' | 'reply'> {
  const messages = (record.get('history')?.items() ?? []).map(messageIn);
  const model = messages.map((message) => message?.get('usage')?.get('model')?.string).find((name) => name);
  return { model: model ?? (record.get('chatModelTitle')?.string || undefined), reply: totalIn(record, messages) };
}

/**
 * The command line sums up `cache_read_tokens`, which OpenAI's API calls `cached_tokens`: what the messages state of
 * the cache, and the sum does not, is a part of the sum's input.
 */
function totalIn(record: JsonNode, messages: readonly (JsonNode | undefined)[]): Recorded | undefined {
  const total = record.get('usage');
  const stated = total && camel(total);
  if (total === undefined || stated === undefined) return undefined;
  const states = messages.flatMap((message) => {
    const usage = usageIn(message)?.usage;
    return usage === undefined ? [] : [{ usage, isApart: isUncached(message!.get('usage')!) }];
  });
  const sum = (of: (usage: Usage) => number, isApart: boolean) =>
    states.filter((one) => one.isApart === isApart).reduce((all, { usage }) => all + of(usage), 0);
  const cache = ['cacheRead', 'cacheWrite5m'] as const;
  const [read, write] = cache.map((key) => ({
    within: sum((usage) => usage[key], false),
    apart: sum((usage) => usage[key], true),
  }));
  const running: Usage = {
    ...stated,
    input: Math.max(0, (tokens(total, 'promptTokens') ?? 0) - read!.within - write!.within),
    cacheRead: Math.max(stated.cacheRead, read!.within + read!.apart),
    cacheWrite5m: Math.max(stated.cacheWrite5m, write!.within + write!.apart),
    reasoning: Math.max(
      stated.reasoning,
      states.reduce((all, { usage }) => all + usage.reasoning, 0),
    ),
  };
  const cost = costField(total, 'totalCost');
  return recordedOf({ running, runningCost: Number(cost ?? 0) === 0 ? undefined : cost });
}
