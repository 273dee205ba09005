/**
 * How a session of an agent is written from scratch, so that the agent lists it and goes on with it. A target is a file
 * beside its format, and a line in conversion/session-targets.ts.
 */
import type { Json } from '../json/edit.js';
import { JsonNode } from '../json/node.js';
import type { Message, Recorded } from '../transcript/types.js';
import type { ToolAction } from './agent-tool.js';
import type { Encode, ToolDefinition } from './encode.js';
import type { Format } from './format.js';

export interface SessionTarget {
  readonly format: Format;
  /** What its messages can hold. `messages` is not used. */
  readonly encode: Encode;
  /** Calls become those of these tools; undefined: they stay, as do system prompt and definitions of tools. */
  readonly tools?: readonly ToolAction[];
  /** Its file has no place for a title. */
  readonly isUntitled?: true;
  /** The form of its ids. By default any UUID. */
  newId?(uuid: string, started: number): string;
  /** Whether it can go on with the model that a session names last, as it does. Undefined: it goes on with its own. */
  runs?(model: string): boolean;
  write(session: NewSession): NewDocument;
  /** How the agent goes on with it; undefined: none does. */
  readonly takesOver?: TakesOver;
  /** The messages that the agent goes on with, where it compacted those before. */
  sent?(messages: readonly Message[]): readonly Message[];
}

/** In words of commands, `{id}` is the id of the session, and `{file}` its file. */
export interface TakesOver {
  /** The path of a new session below the first folder of its first store; undefined if it imports a file. */
  path?(session: NewPlace): string;
  /** In the project's folder. */
  readonly resume: readonly (readonly string[])[];
  /** What removes it, beside its file. */
  readonly remove?: readonly string[];
}

export interface NewPlace {
  readonly id: string;
  /** The folder of the project. */
  readonly project: string;
  /** When it began: an ISO time in UTC. */
  readonly started: string;
  /** The content of a file of the agent, by its path beside the folder of sessions; undefined if there is none. */
  read(path: string): string | undefined;
}

/** A summary of an agent, as the user's words. */
export function summaryOf(text: string): Message {
  return { role: 'user', parts: [{ type: 'text', text: `[Summary of what was said before]\n${text}` }] };
}

/** The value of a line or element, if that is an object. */
export function rawOf({ raw }: Message): JsonNode | undefined {
  return raw instanceof JsonNode && raw.isObject ? raw : undefined;
}

/** What a session is written of. */
export interface NewSession {
  /** In the form that the target gave it. */
  readonly id: string;
  /** The folder in which the agent works. */
  readonly project: string;
  readonly title: string | undefined;
  readonly model: string | undefined;
  /** The format that it was read in. */
  readonly source: string;
  /** Milliseconds since 1970, as all times. */
  readonly started: number;
  readonly messages: readonly NewMessage[];
  readonly tools: readonly ToolDefinition[];
  /** What was recorded of all requests, also of those that no message here answers. */
  readonly requests: readonly Recorded[];
  /** A UUID for each name, the same in each run for one id of the session. */
  uuid(name: string | number): string;
}

export interface NewMessage {
  readonly message: Message;
  readonly time: number;
  readonly model: string | undefined;
  /** What was recorded of the request that it answers. */
  readonly recorded: Recorded | undefined;
}

/** The lines of a log, or one document. */
export type NewDocument = { readonly lines: readonly Json[] } | { readonly document: Json };

/** A UUID as one of version 7: its first half is a time. https://www.rfc-editor.org/rfc/rfc9562#section-5.7 */
export function uuidV7(uuid: string, time: number): string {
  const hex = Math.max(0, Math.trunc(time)).toString(16).padStart(12, '0').slice(-12);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${uuid.slice(15)}`;
}

export function isoTime(time: number): string {
  return new Date(time).toISOString();
}
