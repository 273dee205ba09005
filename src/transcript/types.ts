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
  /** Of several agents in one recording, which one this is; undefined of the main line. */
  readonly agent?: string;
  /** Of the main line: the others. */
  readonly agents?: readonly Transcript[];
  readonly model?: string;
  /** Tool definitions, as the recording holds them. */
  readonly tools?: LazyText;
  /** Those definitions with changes, to be put in their place; the very same where none has an effect. Absent where they cannot be written back. */
  redefine?(tools: LazyText, changes: ToolChanges): LazyText;
  /** Where a system prompt goes if there is none: as the first message, beside the messages, or (undefined) nowhere. */
  takesSystem?(): 'message' | 'beside' | undefined;
  /** What the recording says of the request behind a message. Only what is asked for is read. */
  recorded?(message: Message): Recorded | undefined;
  /** The same of the request whose reply ends the transcript, where the recording says it beside the messages. */
  readonly reply?: Recorded;
}

/** Changes of tool definitions, by the tool's name. */
export type ToolChanges = Readonly<Record<string, ToolChange>>;
export interface ToolChange {
  readonly description?: string;
  /** JSON Schemas by parameter: each takes the place of the one that is there, or comes to them. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** What a recording says of a request: beside the model's message, or in a line of its own. */
export interface Recorded {
  /** The provider's id of the response: messages with the same one are pieces of one response, counted once. */
  readonly responseId?: string;
  readonly requestId?: string;
  readonly sessionId?: string;
  readonly model?: string;
  /** Milliseconds since 1970. */
  readonly time?: number;
  readonly usage?: Usage;
  /** All of the session so far, where the recording counts so too. */
  readonly running?: Usage;
  /** What the request cost in US dollars, as the recording spells it. */
  readonly cost?: string;
  /** What all of the session so far cost. */
  readonly runningCost?: string;
}

/** What one request, or several added up, used. All figures are tokens. */
export interface Usage {
  /** Prompt tokens that were neither read from a cache nor written to one. */
  readonly input: number;
  /** Prompt tokens read from the provider's cache. */
  readonly cacheRead: number;
  /** Prompt tokens written to a cache that holds them for five minutes; also where the provider names no time. */
  readonly cacheWrite5m: number;
  /** Prompt tokens written to a cache that holds them for an hour. */
  readonly cacheWrite1h: number;
  /** Everything the model wrote. */
  readonly output: number;
  /** What of the output was reasoning: part of `output`, not on top of it. */
  readonly reasoning: number;
}

/** What a format does differently; ask a trait, never which provider. */
export interface Traits {
  /** The last message is a reply that the recording ends with by design: nothing can follow it. */
  readonly endsOnReply?: boolean;
  /** It is nothing but what a model replied: nothing can stand before it either. */
  readonly isReply?: boolean;
  /** The results of one message's calls share one message. */
  readonly resultsShareMessage?: boolean;
  /** That message may hold what the user says next, behind the results. */
  readonly resultsLeadText?: boolean;
  /** A model's message is written down in pieces, and nothing says which belong together: those in a row do, from a text or a thought on. */
  readonly piecesStandAlone?: boolean;
  /** A result says whether it is an error. */
  readonly flagsErrors?: boolean;
  /** A call and its result are one value: a result stands in the message of its call, right behind it. */
  readonly resultsStandInCalls?: boolean;
  /** A system prompt is a message, though a new one by itself cannot be told from other values. */
  readonly systemIsMessage?: boolean;
  /** The API takes no call in a history without definitions of tools beside it. */
  readonly callsNeedTools?: boolean;
}

/** `record`: a line or element that is no message; it passes through untouched and does not stand between messages. */
export type Role = 'system' | 'user' | 'assistant' | 'tool' | 'meta';

export interface Message {
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly name?: string;
  readonly model?: string;
  /** Of a record: nothing else in the log needs it, neither the agent that wrote it nor who counts what it used. */
  readonly spare?: boolean;
  /** The log says that the model was cut off here, by the user or an error: the agent leaves such a message out, or completes it, before it sends. */
  readonly cutOff?: boolean;
  /** It has a list of calls with none in it, which APIs refuse. Where this is false, it is written without. */
  readonly emptyCalls?: boolean;
  /** Messages in a row with the same one are pieces of one message of the model, written down apart. */
  readonly group?: string;
  /** The value it was read from. A message without one was added. */
  readonly raw?: unknown;
  /** Where `raw` was edited: what it was before. The message stands where that stood. */
  readonly origin?: unknown;
  /** Of a message that was added, where several agents share a list: what the message beside it of the same agent was read from. */
  readonly near?: unknown;
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
  /** The format's name for this sort of call, where it has several; its result has the same. */
  readonly kind?: string;
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
  /** That of the call which it answers. */
  readonly kind?: string;
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
