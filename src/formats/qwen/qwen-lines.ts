/**
 * The lines of a Qwen Code session.
 * https://github.com/QwenLM/qwen-code/blob/main/packages/core/src/utils/transcript-records.ts (0.24.4, 2026-11-30)
 */
import type { JsonNode } from '../../json/node.js';

export const PAYLOAD = 'systemPayload';
export const HISTORY = 'compressedHistory';
/** What was said to a model that speaks is not sent to the one that works. */
export const SPOKEN = 'realtime_message';
/** Lines that stand beside the conversation: nothing hangs on them. */
const BESIDE =
  /^(?:session_artifact_(?:event|snapshot)|session_sources_snapshot|managed_session_(?:header|event|commit)_v1)$/;

/** Whether a line is a part of the conversation, as Qwen Code decides it. */
export function isOfConversation(line: JsonNode): boolean {
  const subtype = line.get('type')?.string === 'system' ? line.get('subtype')?.string : undefined;
  return line.get('uuid')?.isString === true && !BESIDE.test(subtype ?? '');
}

export function isSide(line: JsonNode): boolean {
  return line.get('isSidechain')?.boolean === true;
}

/** What the agent goes on with from a compression on. */
export function historyIn(raw: JsonNode | undefined): JsonNode | undefined {
  if (raw?.get('subtype')?.string !== 'chat_compression') return undefined;
  const history = raw.get(PAYLOAD)?.get(HISTORY);
  return history?.isArray ? history : undefined;
}
