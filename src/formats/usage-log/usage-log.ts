/**
 * Logs that state the usage of requests without their messages: telemetry of agents, spend logs of gateways. A session
 * is a transcript; its messages are lines without a role, one for each event.
 */
import { JsonNode, parse } from '../../json/node.js';
import { listIn } from '../../lists.js';
import type { Recorded } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import { callIn } from '../shared/api-calls.js';
import { messagelessReply } from '../shared/call-facts.js';
import { telemetryIn } from './telemetry.js';

const SURE = 0.9;
/** For a request with messages: another format reads it, and the log. */
const WITH_MESSAGES = -1;
/** The members of requests and responses that hold messages. */
const MESSAGE_KEYS = ['messages', 'input', 'contents', 'choices', 'output', 'content', 'candidates'];

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
  if (events.length > 0) return events.map((recorded) => ({ recorded, score: SURE }));
  const recorded = messagelessReply(record);
  if (hasMessages(record)) return [{ recorded: recorded ?? {}, score: WITH_MESSAGES }];
  return recorded === undefined ? [] : [{ recorded, score: SURE }];
}

function hasMessages(record: JsonNode): boolean {
  const { request, response } = callIn(record) ?? {};
  return [request, response].some((body) =>
    MESSAGE_KEYS.some((key) => {
      const held = body?.get(key);
      return held !== undefined && (held.length > 0 || held.get('message') !== undefined);
    }),
  );
}
