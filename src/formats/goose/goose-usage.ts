/**
 * What the requests of a session of goose used. Since 2026 a message of the model states its request; the session has
 * the sums of all, and the figures of the last one. The input includes what was cached. Members of the session are
 * those of its row (`accumulated_input_tokens`) in early versions.
 * https://github.com/aaif-goose/goose/blob/main/crates/goose/src/session/session_manager.rs (`Session`, 2026-11-30)
 */
import type { JsonNode } from '../../json/node.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import { costField, recordedOf, timeOf, tokens, usageFromTotals } from '../shared/recorded.js';

export function recordedIn(raw: JsonNode): Recorded | undefined {
  const metadata = raw.get('metadata');
  const [usage, inference] = [metadata?.get('usage'), metadata?.get('inference')];
  return recordedOf({
    model: (inference?.get('resolvedModel') ?? inference?.get('requestedModel'))?.string,
    time: timeOf(raw.get('created')),
    usage: usageOf(usage, ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens']),
    cost: costField(usage, 'cost'),
  });
}

const NESTED = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_write_input_tokens'] as const;
const FLAT = ['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens'] as const;
const SUMS = FLAT.map((key) => `accumulated_${key}`);

/** Without sums, there was one request. */
export function gooseTotals(record: JsonNode): Recorded | undefined {
  return recordedOf({
    running:
      usageOf(record.get('accumulated_usage'), NESTED) ??
      usageOf(record, SUMS) ??
      usageOf(record.get('usage'), NESTED) ??
      usageOf(record, FLAT),
    runningCost: costField(record, 'accumulated_cost'),
  });
}

/** By the names of its figures. */
function usageOf(holder: JsonNode | undefined, names: readonly string[]): Usage | undefined {
  const [input, output, cacheRead = 0, cacheWrite5m = 0] = names.map((name) => tokens(holder, name));
  return usageFromTotals(input, output, { cacheRead, cacheWrite5m });
}
