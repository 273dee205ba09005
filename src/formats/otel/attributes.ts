/**
 * The attributes of a span. Their names are dotted paths (`llm.input_messages.0.message.role`). They are written as
 * keys of one object, as nested objects and arrays, or as OTLP's list of `{key, value: {stringValue}}`. In all of
 * these, lists of messages are numbered from 0. https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
import type { Json } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';

/** A span, or an event of a span with its own attributes. */
export interface Span {
  readonly traceId: string;
  readonly id: string | undefined;
  readonly parentId: string | undefined;
  /** Whether this is an event of a span. */
  readonly isEvent: boolean;
  /** Whether its status is an error. */
  readonly isError: boolean;
  readonly attributes: Attributes;
  /** The attributes of the span and of its events. */
  readonly details: readonly Attributes[];
  /** Milliseconds since 1970. */
  readonly time: number | undefined;
}

/** The attributes of a span, independent of how they are written. */
export interface Attributes {
  get(key: string): JsonNode | undefined;
  /** The elements of a numbered list. */
  list(prefix: string): readonly NumberedElement[];
  /** The attributes with edits; `others` writes those without an edit. */
  write(edits: AttributeEdits, others: (key: string, value: JsonNode) => Json): Json;
}

/** An element of a numbered list: its values by the part of their names behind the number. */
export type NumberedElement = ReadonlyMap<string, JsonNode>;

/** New values of attributes (undefined: removed) and new elements of numbered lists, by name. */
export interface AttributeEdits {
  readonly values: Map<string, Json | undefined>;
  readonly lists: Map<string, readonly ElementEdit[]>;
}

/** An element to write: the index that it had (undefined: it is new), and its changed values (undefined: removed). */
export interface ElementEdit {
  readonly from: number | undefined;
  readonly changes: ReadonlyMap<string, Json | undefined>;
}
