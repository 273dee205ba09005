/** Calls that Anthropic's servers ran: call and result are opaque blocks, which may stand in two messages. */
import { JsonNode } from '../../json/node.js';
import type { Part } from '../../transcript/types.js';

/** The id of such a call, in its block or in that of its result. */
export function serverCallId({ type, raw }: Part): string | undefined {
  if (type !== 'opaque' || !(raw instanceof JsonNode)) return undefined;
  const isServers = /_tool_(?:use|result)$/.test(raw.get('type')?.string ?? '');
  return isServers ? (raw.get('tool_use_id') ?? raw.get('id'))?.string : undefined;
}
