/** What a record says about its transcripts, and what the stream of its response says of the request. */
import type { Description, Format } from '../formats/format.js';
import { callIn } from '../formats/shared/api-calls.js';
import type { JsonNode } from '../json/node.js';
import { streamedReply } from './streamed-reply.js';

/** `list`: the list of the messages, if the record holds several transcripts. */
export function described({ describe }: Format, record: JsonNode, list?: JsonNode): Description {
  if (describe === undefined) return {};
  const found = describe(record, list);
  const response = found.reply?.usage === undefined ? callIn(record)?.response : undefined;
  const reply = response?.isString || response?.isArray ? streamedReply(record, response, describe) : undefined;
  return reply === undefined ? found : { ...found, reply };
}
