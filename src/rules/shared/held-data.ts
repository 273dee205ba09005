/** The base64 data of images and files, where each provider's blocks have it. */
import { JsonNode } from '../../json/node.js';
import type { Part } from '../../transcript/types.js';
import type { RuleContext } from '../rule.js';
import { isOwn } from './own-format.js';

export interface HeldData {
  readonly message: number;
  readonly part: Part;
  readonly callId: string | undefined;
  /** The object with the data, and the keys of its data and its media type. */
  readonly holder: JsonNode;
  readonly node: JsonNode;
  readonly typeKey: string;
}

/** The path to the object, the key of the data, and the key of the type, by provider. */
const PLACES: readonly (readonly [holder: string, data: string, type: string])[] = [
  ['source', 'data', 'media_type'],
  ['inlineData', 'data', 'mimeType'],
  ['inline_data', 'data', 'mime_type'],
];

/** Of messages in the provider's own format. */
export function* dataIn(context: RuleContext): Generator<HeldData> {
  for (const [message, found] of context.transcript.messages.entries()) {
    if (!isOwn(context, found)) continue;
    for (const part of found.parts) {
      const callId = part.type === 'result' ? part.callId : undefined;
      for (const shown of part.type === 'result' ? part.content : [part]) {
        const held = shown.type === 'media' ? placeIn(shown.raw) : undefined;
        if (held !== undefined) yield { message, part: shown, callId, ...held };
      }
    }
  }
}

function placeIn(raw: unknown): Pick<HeldData, 'holder' | 'node' | 'typeKey'> | undefined {
  if (!(raw instanceof JsonNode)) return undefined;
  for (const [key, data, typeKey] of PLACES) {
    const holder = raw.get(key);
    const node = holder?.get(data);
    const isText = holder?.get('type')?.string === 'text'; // Anthropic's plain documents
    if (holder !== undefined && node?.isString && !isText) return { holder, node, typeKey };
  }
  return undefined;
}
