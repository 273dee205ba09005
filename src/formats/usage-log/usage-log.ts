/**
 * Logs that state the usage of requests without their messages: telemetry of agents, spend logs of gateways. A session
 * is a transcript; its messages are lines without a role, one for each event.
 */
import { JsonNode, parse } from '../../json/node.js';
import { listIn } from '../../lists.js';
import type { Recorded } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import { messagelessReply } from '../shared/api-calls.js';
import { telemetryIn } from './telemetry.js';

/** How sure an event of telemetry is of this format; one of a gateway can also be a line of a log with messages. */
const TELEMETRY = 0.9;
const GATEWAY = 0.5;
/** A file of requests that failed is one of these only if nothing else is in it. */
const FAILED = 0.3;

interface UsageEvent {
  readonly recorded: Recorded;
  readonly score: number;
}

export default defineFormat({
  id: 'usage-log',
  traits: { endsOnReply: true, isReply: true },
  messagePaths: [],
  score: (raw) => raw.get('usage_event')?.get('score')?.number ?? 0,
  read: (raw) => ({ role: 'meta', parts: [], raw }),
  write: ({ raw }) => (raw instanceof JsonNode ? raw : {}),
  recorded(raw) {
    const recorded = raw.get('usage_event')?.get('recorded');
    return recorded && (JSON.parse(recorded.text) as Recorded);
  },
  bundle: {
    open(records) {
      const sessions = new Map<string | undefined, UsageEvent[]>();
      for (const event of records.flatMap(eventsIn)) listIn(sessions, event.recorded.sessionId).push(event);
      return [...sessions.values()].map((events) =>
        parse(JSON.stringify(events.map((event) => ({ usage_event: event })))),
      );
    },
    close: (records) => records,
    describe(list) {
      const recorded = list.items().map((event) => event.get('usage_event')?.get('recorded'));
      const first = (key: 'sessionId' | 'model') => recorded.map((one) => one?.get(key)?.string).find(isText);
      return { id: first('sessionId'), model: first('model') };
    },
  },
});

function isText(text: string | undefined): text is string {
  return text !== undefined;
}

function eventsIn(record: JsonNode): UsageEvent[] {
  const events = telemetryIn(record);
  if (events.length > 0) return events.map((recorded) => ({ recorded, score: TELEMETRY }));
  const recorded = messagelessReply(record);
  return recorded === undefined ? [] : [{ recorded, score: recorded.failed ? FAILED : GATEWAY }];
}
