/** Which values under the names of answers hold what a model said. */
import { isEncoded } from '../../formats/shared/encoded-body.js';
import { isStream } from '../../formats/shared/streamed-response.js';
import type { JsonNode } from '../../json/node.js';

/** A text, the list of a stream's chunks, or a body that is one of these. A label or a key is a single word. */
export function answerIn(value: JsonNode): JsonNode | undefined {
  if (value.isString) return /\S\s+\S/.test(value.text) ? value : undefined;
  const body = value.isObject ? value.get('body') : value;
  if (body?.isString) return isStream(body.text) || isEncoded(body.text) ? body : undefined;
  return body?.isArray && isChunk(body.items(1)[0]) ? body : undefined;
}

function isChunk(item: JsonNode | undefined): boolean {
  const isList = (key: string) => item?.get(key)?.isArray === true;
  return (
    isList('choices') || isList('candidates') || /^(?:message_start|response\.)/.test(item?.get('type')?.string ?? '')
  );
}
