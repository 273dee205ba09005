/** What a format says of how a transcript is written down anew in it, for `convert`. */
import type { Json, JsonFields } from '../json/edit.js';
import type { JsonNode } from '../json/node.js';
import type { Part } from '../transcript/types.js';

/** How a format spells what all transcripts have, and what it has no room for. */
export interface Encode {
  /** The member of a record that holds the list of messages. */
  readonly messages: string;
  /** Where the system prompt stands beside the messages, and how; without it, it is a message of its own. */
  readonly system?: {
    readonly key: string;
    write(text: string): Json /** A list of messages by itself has no place for it. */;
    readonly isOnlyThere?: boolean;
  };
  /** The member that names the model. */
  readonly model?: string;
  /** The members that define tools. */
  tools?(definitions: readonly ToolDefinition[]): JsonFields;
  /** A picture or file as a block of a message or result; undefined where the format has none for it there. */
  media?(media: Media, place: MediaPlace): Json | undefined;
  /** Thoughts can be written as text, without a proof that the model had them. */
  readonly takesThoughts?: boolean;
  /** Calls and results carry no ids: they pair by order. */
  readonly hasNoIds?: boolean;
  /** A message says one thing: a text, or a call. */
  readonly takesOnePart?: boolean;
  /** Arguments have to be a JSON object. */
  readonly takesObjects?: boolean;
  /** Messages can say who speaks. */
  readonly takesNames?: boolean;
  /** A result has to say the name of its tool. */
  readonly namesResults?: boolean;
  /** A result has no member for it. */
  readonly namesNoResults?: boolean;
  /** Only a user's message takes pictures and files. */
  readonly onlyUsersShow?: boolean;
  /** The member for the most tokens of a reply, where a request has to have it, and what it says if the recording says nothing. */
  readonly maxTokens?: { readonly key: string; readonly default: number };
  /** Whether the API takes a part of this very format, or an item that is a message, as it was read. Without it, texts, calls and results are written anew. */
  keeps?(raw: JsonNode, type: Part['type'] | 'item'): boolean;
}

/** A tool as every provider knows it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** A JSON Schema. */
  readonly parameters: Json;
}

/** Who shows it. */
export type MediaPlace = 'user' | 'assistant' | 'result';

/** A picture, a sound or a file, free of any provider's spelling. */
export interface Media {
  readonly kind: 'image' | 'audio' | 'file';
  /** A media type: `image/png`. */
  readonly type?: string;
  /** Exactly one of both: the bytes in base64, or where they are. */
  readonly base64?: string;
  readonly url?: string;
  readonly name?: string;
}

/** A picture as the URL that many formats take, of whichever kind it is. */
export function urlOf({ type, base64, url }: Media): string {
  return base64 === undefined ? url! : `data:${type ?? 'application/octet-stream'};base64,${base64}`;
}
