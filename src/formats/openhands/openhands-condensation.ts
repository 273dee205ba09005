/**
 * Condensations of OpenHands: from there on, the events that they forget are not sent, and a summary is sent in their
 * place. Of several summaries the last holds. What is left of a call and a result without the other is not sent.
 * https://github.com/OpenHands/OpenHands (openhands/memory/view.py and conversation_memory.py, 2026-11-30)
 */
import type { Json } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Message, Part } from '../../transcript/types.js';
import { baseOf } from './openhands-events.js';
import { textsIn } from './openhands-read.js';
import { withBase, writeTexts } from './openhands-write.js';

const SUMMARY = ['summary'];

function summaryIn(raw: JsonNode): JsonNode | undefined {
  const summary = baseOf(raw).get('summary');
  return summary?.isString ? summary : undefined;
}

const isCondensation = (raw: unknown) => raw instanceof JsonNode && raw.get('action')?.string === 'condensation';

export function readCondensation(raw: JsonNode): Message | undefined {
  if (!isCondensation(raw)) return undefined;
  const hasSummary = summaryIn(raw) !== undefined;
  const parts = hasSummary ? textsIn(baseOf(raw), SUMMARY) : [];
  const isForgotten = forgottenBy(baseOf(raw));
  const keeps: Message['keeps'] = (sent) =>
    withoutHalves(sent, (message) => isForgotten(message.raw) || (hasSummary && isCondensation(message.raw)));
  return { role: parts.length === 0 ? 'meta' : 'user', parts, raw, keeps };
}

/** The summary, and the event's `message` if it repeats it. */
export function writeCondensation(raw: JsonNode, parts: readonly Part[]): Json {
  const fields = writeTexts(parts, baseOf(raw), SUMMARY);
  const isRepeated = raw.get('message')?.string === `Summary: ${summaryIn(raw)!.text}`;
  const joined = fields['summary'];
  const text = joined instanceof JsonNode ? joined.text : joined;
  return withBase(raw, fields, isRepeated ? { message: `Summary: ${text}` } : {});
}

/** Events are named one by one, or as a range. */
function forgottenBy(args: JsonNode): (raw: unknown) => boolean {
  const listed = args.get('forgotten_event_ids');
  const ids = new Set(listed?.isArray ? listed.items().map(({ text }) => text) : []);
  const [start, end] = ['start', 'end'].map((which) => args.get(`forgotten_events_${which}_id`)?.number);
  return (raw) => {
    const id = raw instanceof JsonNode ? raw.get('id') : undefined;
    if (id === undefined) return false;
    const number = id.number ?? Number.NaN;
    return ids.has(id.text) || (start !== undefined && end !== undefined && number >= start && number <= end);
  };
}

export function withoutHalves(sent: readonly Message[], isGone: (message: Message) => boolean): readonly Message[] {
  const gone = new Set(sent.filter(isGone));
  const lost = new Set([...gone].flatMap(callIds));
  return sent.filter((message) => !gone.has(message) && !callIds(message).some((id) => lost.has(id)));
}

function callIds({ parts }: Message): string[] {
  return parts.flatMap((part) => (part.type === 'call' || part.type === 'result' ? (part.callId ?? []) : []));
}
