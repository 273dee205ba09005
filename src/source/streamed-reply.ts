/** What the stream of a response, or one in base64, says of its request. */
import type { Description } from '../formats/format.js';
import { bodyOf } from '../formats/shared/streamed-response.js';
import type { JsonNode } from '../json/node.js';
import { reparsed } from '../json/print.js';
import { replaceWithin } from '../json/replace.js';

/** `describe`: of the format of the record. */
export function streamedReply(
  record: JsonNode,
  response: JsonNode,
  describe: (record: JsonNode) => Description,
): Description['reply'] {
  const value = bodyOf(response);
  return value && describe(reparsed(replaceWithin(record, [{ node: response, value }]))).reply;
}
