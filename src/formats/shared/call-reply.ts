/** What the record of a request states of it, with and without messages. */
import { type JsonNode, parse } from '../../json/node.js';
import type { Recorded } from '../../transcript/types.js';
import type { Envelope } from '../format.js';
import { callIn } from './api-calls.js';
import { callFacts, messagelessReply } from './call-facts.js';

/**
 * What a record states of its request. `read` reads the body of a response. A record of no known shape is a response,
 * or has one in `response` or in the `body` of it.
 */
export function callReply(record: JsonNode, read: (response: JsonNode) => Recorded | undefined): Recorded | undefined {
  const call = callIn(record);
  return call === undefined ? replyBeside(record, read) : callFacts(record, call, read);
}

/** What a response in `response`, in the `body` of it, or alone states. */
function replyBeside(record: JsonNode, read: (response: JsonNode) => Recorded | undefined): Recorded | undefined {
  const response = record.get('response')?.get('body') ?? record.get('response') ?? record;
  const failed = response !== record && response.get('error')?.isObject === true;
  return read(response) ?? (failed ? { failed } : undefined);
}

// --- requests without messages

/** Made when it is needed: loading a format makes nothing. */
let noMessages: JsonNode | undefined;

/** For records of requests that failed, or whose messages were not logged: a transcript without messages each. */
export const messagelessCalls: Envelope = {
  open(record) {
    if (messagelessReply(record) === undefined) return undefined;
    noMessages ??= parse('[]');
    return [noMessages];
  },
  close: (record) => record,
  describe: () => ({ traits: { endsOnReply: true, isReply: true } }),
};
