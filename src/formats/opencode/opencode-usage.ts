/** What opencode's messages record about their requests. */
import type { JsonNode } from '../../json/node.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import { costField, recordedOf, timeOf, tokens, usageOf } from '../shared/recorded.js';
import { isMessageFile } from './opencode-files.js';

/** What a message, in an export or in its own file, or a part in its own file, records about its request. */
export function recorded(raw: JsonNode): Recorded | undefined {
  const info = raw.get('info') ?? (isMessageFile(raw) ? raw : undefined);
  if (info === undefined)
    return recordedOf({
      sessionId: raw.get('sessionID')?.string,
      time: timeOf(raw.get('state')?.get('time')?.get('start')),
    });
  const session = { sessionId: info.get('sessionID')?.string, time: timeOf(info.get('time')?.get('created')) };
  if (info.get('role')?.string !== 'assistant') return recordedOf(session);
  const usage = usageIn(info.get('tokens'));
  const failed = usage === undefined && info.get('error')?.isObject ? true : undefined;
  const cost = usage && costField(info, 'cost');
  const model = info.get('modelID')?.string;
  return recordedOf({ ...session, requestId: usage && requestId(info), model, usage, cost, failed });
}

/** When a request began and ended: forks of a session copy its messages under new ids. */
function requestId(info: JsonNode): string | undefined {
  const [created, completed] = ['created', 'completed'].map((key) => info.get('time')?.get(key)?.text);
  return created === undefined ? undefined : `${created} ${completed ?? ''}`;
}

/**
 * `input` is the uncached input. `output` is without the reasoning, and opencode prices both. Earlier versions took the
 * provider's figure, which mostly includes the reasoning; a `total` tells which. All zero means that the request never
 * ended.
 */
function usageIn(counts: JsonNode | undefined): Usage | undefined {
  const input = tokens(counts, 'input') ?? 0;
  const output = tokens(counts, 'output') ?? 0;
  const reasoning = tokens(counts, 'reasoning') ?? 0;
  const cacheRead = tokens(counts?.get('cache'), 'read') ?? 0;
  const cacheWrite5m = tokens(counts?.get('cache'), 'write') ?? 0;
  const sum = input + output + cacheRead + cacheWrite5m;
  if (sum + reasoning === 0) return undefined;
  const includesReasoning = tokens(counts, 'total') === sum && output >= reasoning;
  return usageOf({
    input,
    cacheRead,
    cacheWrite5m,
    output: includesReasoning ? output : output + reasoning,
    reasoning,
  });
}
