/** Records that hold requests with their messages in values of any kind, such as JSON in strings. */
import type { Json } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { replaceWithin } from '../../json/replace.js';
import type { Envelope } from '../format.js';
import type { EditableList } from './conversation.js';
import { describeList, type ListMetadata } from './embedded-messages.js';
import { syncCopies } from './sync-copies.js';
import {
  type Exchange,
  editedSides,
  exchangeEdits,
  exchangeMessages,
  otherRequests,
  requestsByReply,
  transcriptList,
} from './traces.js';

/** A request in a record: its messages, and the values that hold them. */
export interface HeldExchange {
  /** The part of the record that is about this request only. Copies of messages in it follow their edits. */
  readonly node: JsonNode;
  readonly input: JsonNode | undefined;
  readonly output: JsonNode | undefined;
  readonly exchange: Exchange<EditableList>;
  readonly about: ListMetadata;
}

/** Each request with messages is a transcript. `exchangesIn` finds the same requests in the same order every time. */
export function exchangeEnvelope(exchangesIn: (record: JsonNode) => readonly HeldExchange[]): Envelope {
  const withMessages = (record: JsonNode) =>
    exchangesIn(record).filter(({ exchange }) => exchangeMessages(exchange).length > 0);
  return {
    open(record) {
      const lists = withMessages(record).map(openExchange);
      return lists.length === 0 ? undefined : lists;
    },
    close(record, lists) {
      const replacements = withMessages(record).flatMap((held, index) => {
        const value = closeExchange(held, lists[index]!);
        return value === held.node ? [] : [{ node: held.node, value }];
      });
      return replaceWithin(record, replacements);
    },
    describe: describeList,
  };
}

/** A request whose response has no message still counts. */
function openExchange({ exchange, about }: HeldExchange): JsonNode {
  const requests = requestsByReply([exchange])(exchange);
  return transcriptList(exchange, requests, { ...about, others: otherRequests([exchange], [requests]) });
}

function closeExchange(held: HeldExchange, after: Json): Json {
  if (after instanceof JsonNode) return held.node;
  const edited = exchangeEdits(held.exchange, after);
  return syncCopies(held.node, edited.edits, editedSides([{ ...held, edited }]));
}
