/** How `convert` writes a transcript in another format: what the format can express, and how it spells it. */
import { type Json, type JsonFields, patch } from '../json/edit.js';
import { JsonNode } from '../json/node.js';
import type { Part, Role } from '../transcript/types.js';
import type { TextDocument } from './shared/documents.js';
import type { ParameterTable } from './shared/parameters.js';
import type { Proof } from './shared/proofs.js';

/** The target side of a conversion. Messages themselves go through `Format.write`. */
export interface Encode {
  /** The record's key for the message list. */
  readonly messages: string;
  /** Where the system prompt goes if not into a message. */
  readonly system?: {
    readonly key: string;
    write(text: string): Json;
    /** The API rejects a system message: a bare list of messages cannot hold a system prompt. */
    readonly cannotBeMessage?: boolean;
  };
  /** The record's key for the model name. */
  readonly model?: string;
  /** The parameters of a request beside its messages. */
  readonly parameters?: ParameterTable;
  /** The record's fields for tool definitions. `entries`: elements of the list that are written already. */
  tools?(definitions: readonly ToolDefinition[], entries: readonly Json[]): JsonFields;
  /** Whether the API accepts this element of a list of tools of its own format unchanged. */
  isOwnTool?(entry: JsonNode): boolean;
  /** A media block for a message or result; undefined if the format has none for this kind. */
  media?(media: Media, place: MediaPlace): Json | undefined;
  /** URLs that the provider opens besides those of the web. */
  readonly opens?: RegExp;
  /** Thinking can be written as plain text, without a signature. */
  readonly acceptsThinking?: boolean;
  /** Calls and results have no ids: they pair by order. */
  readonly pairsByOrder?: boolean;
  /** A message holds a single part: a text or a call. */
  readonly onePartPerMessage?: boolean;
  /** The texts of these become one string: line breaks set them apart. */
  readonly joinsTexts?: readonly ('system' | 'user' | 'result')[];
  /** The characters that the API takes in no name of a tool. */
  readonly notInNames?: RegExp;
  /** The greatest number of characters in the name of a tool. */
  readonly longestName?: number;
  /** The same for ids of calls, where no rule mends them. */
  readonly notInIds?: RegExp;
  /** Turns of one role in a row are joined: the API would take them, but wants roles to alternate. */
  readonly joinsTurns?: boolean;
  /** Call arguments must be a JSON object. */
  readonly objectArgumentsOnly?: boolean;
  /** Messages can have a `name`. False: the API refuses it also where the format has it. */
  readonly acceptsNames?: boolean;
  /** A result must name its tool. */
  readonly resultNeedsToolName?: boolean;
  /** A result has no field for the tool name. */
  readonly resultHasNoToolName?: boolean;
  /** Only messages of these roles can hold media. */
  readonly mediaFrom?: readonly Role[];
  /** The required field for the output token limit, and its value if the recording states none. */
  readonly maxTokens?: { readonly key: string; readonly default: number };
  /**
   * Whether the API accepts this part (or item) of its own format unchanged. Without it, texts, calls and results are
   * written from scratch.
   */
  canReuse?(raw: JsonNode, type: Part['type'] | 'item'): boolean;
  /** What the target writes for a part that the source does not read, such as a tool that the provider ran. */
  convertOpaque?(raw: JsonNode): readonly Json[] | undefined;
  /** A thought with Claude's signature, which Anthropic and Bedrock both accept. */
  signedThinking?(proof: Proof): Json;
  /** A block for a document or search result of text; undefined where it stands as text. */
  textDocument?(document: TextDocument): Json | undefined;
  /** What the model said instead of an answer, as a part of its own. */
  refusal?(text: string): Json;
  /** Tools can be called with free text: calls of kind `custom_tool_call`. False: with nothing but an object. */
  readonly takesCustomCalls?: boolean;
  /** The definition of such a tool, an element of `tools`. */
  customTool?(tool: CustomTool): Json;
  /** Messages have parts that ask for, and give, the approval of a call. */
  readonly takesApprovals?: boolean;
}

/** For `longestName`: what Chat Completions and Bedrock take, and Responses and Gemini in definitions; 2026-11. */
export const LONGEST_NAME = 64;

/** For `notInNames`: all but what OpenAI, Anthropic and Bedrock take, each of which documents the pattern; 2026-11. */
export const NOT_IN_NAMES = /[^a-zA-Z0-9_-]/gu;

/** A tool definition, independent of any provider. */
export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** A JSON Schema. */
  readonly parameters: Json;
  /** They are none yet: Gemini's part of OpenAPI, or those of Cohere's version 1. See `withJsonSchema`. */
  readonly dialect?: 'open-api' | 'parameter-definitions';
  /** The arguments must keep to the schema, of which an API then takes only a part. */
  readonly strict?: boolean | undefined;
}

/** A tool that is called with free text. */
export interface CustomTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly grammar?: { readonly syntax: Json; readonly definition: Json } | undefined;
}

/** Where media stands: in a message of this role, or in a tool result. */
export type MediaPlace = 'user' | 'assistant' | 'result';

/** An image, audio clip or file, independent of any provider. */
export interface Media {
  readonly kind: 'image' | 'audio' | 'file';
  /** The media type, such as `image/png`. */
  readonly type?: string;
  /** The bytes in base64. Exactly one of `base64` and `url` is set. */
  readonly base64?: string;
  readonly url?: string;
  readonly name?: string;
  /** What the user says about a document. */
  readonly context?: string | undefined;
  /** Where the model may cite a document. */
  readonly citations?: TextDocument['citations'];
}

/** Files of Google's that only their owner opens: Cloud Storage, and the files of the Gemini API. */
export const GOOGLE_FILES = /^(?:gs:|https:\/\/generativelanguage\.googleapis\.com\/)/;

/** The URL of the media: a data URL if it is inline. */
export function mediaUrl({ type, base64, url }: Media): string {
  return base64 === undefined ? url! : `data:${type ?? 'application/octet-stream'};base64,${base64}`;
}

/** As OpenAI takes it: "object schema missing properties" else; see `request/tool-schema`. */
export function withProperties(definition: ToolDefinition): ToolDefinition {
  const { parameters } = definition;
  return parameters instanceof JsonNode && lacksProperties(parameters)
    ? { ...definition, parameters: patch(parameters, { properties: {} }) }
    : definition;
}

export function lacksProperties(schema: JsonNode): boolean {
  return schema.get('type')?.string === 'object' && schema.get('properties') === undefined;
}
