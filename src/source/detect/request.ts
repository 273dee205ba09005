/** Requests are judged in the format of the API that gets them, even where their messages are not of it. */
import { formatNamed } from '../../formats/index.js';
import type { JsonNode } from '../../json/node.js';

/** Who gets a request that is judged. */
export interface Receiver {
  /** The format of the API; undefined where the user did not name it. */
  readonly format: string | undefined;
  /** Whether the API is known to have this model: then nothing else gets a body that names it. */
  owns(model: string): boolean;
  /** Whether any API takes this format: a log is judged by what it says, not by its shape. */
  isWire(format: string): boolean;
}

/** The format of bodies that name a model of the API. */
export function ownFormat(sample: readonly JsonNode[], { format, owns }: Receiver): string | undefined {
  const isOwn = (root: JsonNode) => owns(root.get('model')?.string ?? '');
  return format !== undefined && areBodies(sample, format) && sample.every(isOwn) ? format : undefined;
}

/** The formats whose bodies keep their messages in different places; `messages` is also that of others. */
const BY_PLACE = ['gemini-contents', 'openai-responses', 'anthropic-messages', 'openai-chat'];

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
