/** Requests are judged in the format of the API that gets them, even where their messages are not of it. */
import { formatNamed } from '../../formats/index.js';
import type { JsonNode } from '../../json/node.js';

/** Who gets a request that is judged. */
export interface Receiver {
  /** Whether the user named the API, or said that the request is about to be sent. */
  readonly isStated: boolean;
  /** The format of the API; undefined where the user did not name it. */
  readonly format: string | undefined;
  /** Whether the API is known to have this model: then nothing else gets a body that names it. */
  owns(model: string): boolean;
  /** Whether any API takes this format: a log is judged by what it says, not by its shape. */
  isWire(format: string): boolean;
}

/** The formats whose bodies keep their messages in different places; `messages` is also that of others. */
const BY_PLACE = ['gemini-contents', 'openai-responses', 'anthropic-messages', 'openai-chat'];

/** The format of bodies that name a model of the API, or have members of one API only. */
export function ownFormat(sample: readonly JsonNode[], { format, owns }: Receiver): string | undefined {
  const isOwn = (root: JsonNode) => owns(root.get('model')?.string ?? '');
  if (format !== undefined && areBodies(sample, format) && sample.every(isOwn)) return format;
  const claims = (id: string) => sample.every((root) => formatNamed(id).claimsBody?.(root, format === id) === true);
  return (format === undefined ? BY_PLACE : [format]).find((id) => sample.length > 0 && claims(id));
}

/** The format of bodies whose messages tell none: by who gets them, else by where they stand. */
export function likelyFormat(sample: readonly JsonNode[], { format }: Receiver): string | undefined {
  const mayBe = (id: string) =>
    areBodies(sample, id) && (id !== 'anthropic-messages' || sample.every(formatNamed(id).claimsRecord!));
  if (format !== undefined) return areBodies(sample, format) ? format : undefined;
  return BY_PLACE.find(mayBe);
}

function areBodies(sample: readonly JsonNode[], format: string): boolean {
  const key = formatNamed(format).encode!.messages;
  return sample.length > 0 && sample.every((root) => root.get(key)?.isArray);
}
