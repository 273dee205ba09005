/** The vocabulary of everything above the formats. This file imports nothing. */

/** A text that is only decoded when somebody reads it: a string, or a promise of one whose length in bytes is known. */
export type Text = string | LazyText;
export interface LazyText {
  readonly text: string;
  /** An upper bound of the text's length, in bytes and so in characters. */
  readonly byteLength: number;
}

export interface Transcript {
  /** The id of the format it was read in. */
  readonly format: string;
  readonly traits: Traits;
  readonly messages: readonly Message[];
  /** What the recording calls this transcript. */
  readonly id?: string;
  readonly model?: string;
  /** Tool definitions, as the recording holds them. */
  readonly tools?: LazyText;
}

/** What a format does differently; ask a trait, never which provider. */
export interface Traits {
  /** The last message is a reply that the recording ends with by design: nothing can follow it. */
  readonly endsOnReply?: boolean;
  /** The results of one message's calls share one message. */
  readonly resultsShareMessage?: boolean;
  /** That message may hold what the user says next, behind the results. */
  readonly resultsLeadText?: boolean;
  /** A model's message is written down in pieces, and nothing says which belong together: those in a row do, from a text or a thought on. */
  readonly piecesStandAlone?: boolean;
  /** A result says whether it is an error. */
  readonly flagsErrors?: boolean;
}

/** `record`: a line or element that is no message; it passes through untouched and does not stand between messages. */
export type Role = 'system' | 'user' | 'assistant' | 'tool' | 'record';

export interface Message {
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly name?: string;
  readonly model?: string;
  /** Messages in a row with the same one are pieces of one message of the model, written down apart. */
  readonly group?: string;
  /** The value it was read from. A message without one was added. */
  readonly raw?: unknown;
}

export type Part = TextPart | ThinkingPart | CallPart | ResultPart | MediaPart | OpaquePart;

export interface TextPart {
  readonly type: 'text';
  readonly text: Text;
  readonly raw?: unknown;
}

/** Reasoning that a model showed. */
export interface ThinkingPart {
  readonly type: 'thinking';
  readonly text: Text;
  readonly raw?: unknown;
}

/** A model's wish to have a tool called. */
export interface CallPart {
  readonly type: 'call';
  /** Undefined where the format's calls carry no ids and pair by name and order. */
  readonly callId: string | undefined;
  readonly tool: string;
  /** The arguments as JSON text, as the model wrote them: it may be no JSON. */
  readonly input: Text;
  /** A call of the time before tools (`function_call`). */
  readonly legacy?: boolean;
  readonly raw?: unknown;
}

/** What a tool answered. */
export interface ResultPart {
  readonly type: 'result';
  readonly callId: string | undefined;
  /** The tool's name, where the result says it. */
  readonly tool?: string;
  readonly content: readonly ContentPart[];
  readonly isError?: boolean;
  readonly legacy?: boolean;
  readonly raw?: unknown;
}

export type ContentPart = TextPart | MediaPart | OpaquePart;

/** An image, a sound, a file. */
export interface MediaPart {
  readonly type: 'media';
  readonly kind: 'image' | 'audio' | 'file';
  readonly raw?: unknown;
}

/** A part that nobody here knows. It is kept, and counts as something said. */
export interface OpaquePart {
  readonly type: 'opaque';
  readonly text?: Text;
  readonly raw?: unknown;
}
