/** The types of everything above the formats. This file imports nothing. */

/** A string, or a text that is decoded only when it is read. */
export type Text = string | LazyText;
export interface LazyText {
  readonly text: string;
  /** The text's length in bytes, an upper bound of its length in characters. */
  readonly byteLength: number;
  /** So many bytes at both ends, as JSON spells them, without decoding the text; all of it if it is short. */
  ends?(bytes: number): string;
  /** So many characters at both ends, with a line break between, decoded alone; undefined if the text is short. */
  excerpt?(characters: number): string | undefined;
}

export interface Transcript {
  /** The id of the format that it was read in. */
  readonly format: string;
  readonly traits: Traits;
  readonly messages: readonly Message[];
  /** The transcript's id in the recording. */
  readonly id?: string;
  /** The id of a sub-agent or abandoned branch in a recording with several; undefined for the main agent. */
  readonly agent?: string;
  /** It is an abandoned branch: the user went back, and the agent would not send it again. */
  readonly abandoned?: Abandoned;
  /** Of the main agent: the transcripts of the other agents and of abandoned branches. */
  readonly agents?: readonly Transcript[];
  readonly model?: string;
  readonly contextWindow?: number; // in tokens, if the request sets one that is not that of the model
  /** The folder in which the agent worked, if it is recorded. */
  readonly project?: string;
  /** The id or the file of the session that it was forked from, whose requests it repeats. */
  readonly forkOf?: string;
  /** What the agent or the user named the session, if its record says so. */
  readonly title?: string;
  /** The same, if one of its messages says so; read on demand. */
  titleIn?(): string | undefined;
  /** The tool definitions as JSON, as recorded. */
  readonly tools?: LazyText;
  /** Changes tool definitions; returns the same object if nothing changes. Absent if they cannot be written back. */
  redefine?(tools: LazyText, changes: ToolChanges): LazyText;
  /** What was changed of the request body beside its messages. Absent if it cannot be written back. */
  readonly body?: BodyChange;
  /** How a system prompt can be added: as a message, as a member beside the messages, or (undefined) not at all. */
  takesSystem?(): 'message' | 'beside' | undefined;
  /** What was recorded of the request behind a message; read on demand. */
  recorded?(message: Message): Recorded | undefined;
  /** The same for the request whose reply ends the transcript, if recorded beside the messages. */
  readonly reply?: Recorded;
  /**
   * Requests that no message of the transcript answers: those of a simulated user, or of steps and agents whose
   * messages are not in it. A record without usage states totals of the whole recording.
   */
  readonly others?: readonly Recorded[];
}

/** A request body as it was read, and with its changes; neither, if nothing was changed. */
export interface BodyChange {
  readonly read?: unknown;
  readonly written?: unknown;
}

/** What an abandoned branch was left for. */
export interface Abandoned {
  /** The transcript that continued. */
  readonly main: Transcript;
  /** The messages that stood before the branch. */
  readonly context: readonly Message[];
}

/** Changes of tool definitions by tool name. */
export type ToolChanges = Readonly<Record<string, ToolChange>>;
export interface ToolChange {
  readonly description?: string;
  /** JSON Schemas by parameter, which replace or extend the recorded ones. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** What was recorded of a request. */
export interface Recorded {
  /**
   * The provider's id of the response. Messages with the same `responseId` and `requestId` are one response, counted
   * once.
   */
  readonly responseId?: string;
  /** The id or time of the request or of its entry in the log: some servers repeat response ids by chance. */
  readonly requestId?: string;
  /** The agent whose request it is, if it is not that of the transcript. */
  readonly agent?: string;
  readonly sessionId?: string;
  /** Of git, from here on. */
  readonly branch?: string;
  readonly model?: string;
  /** Milliseconds since 1970. */
  readonly time?: number;
  readonly usage?: Usage;
  /** Other runs of models in the same request, not in `usage`: of a compaction, of an advisor. */
  readonly beside?: readonly Pick<Recorded, 'model' | 'usage'>[];
  /** The usage of the session so far, if recorded. */
  readonly running?: Usage;
  /** The cost of the request in US dollars, as recorded. */
  readonly cost?: string;
  /** The cost of the session so far. */
  readonly runningCost?: string;
  /** The number of requests of the session so far. */
  readonly runningRequests?: number;
  /** The same totals by model, each with `model`. */
  readonly byModel?: readonly Recorded[];
  /** What the price depends on besides model, time and tokens. Without usage: the tier of the requests that follow. */
  readonly billing?: Billing;
  /** The request failed. Without recorded usage it cost nothing. */
  readonly failed?: boolean;
}

/** What the price of a request depends on besides model, time and tokens. */
export interface Billing {
  /** Absent: the provider's standard tier. */
  readonly tier?: Tier;
  /** Where the model ran, as the provider names it, if it is known: `us`. */
  readonly region?: string;
  /** How often tools of the provider ran that have a price for each use. */
  readonly toolUses?: Readonly<Partial<Record<ServerTool, number>>>;
  /** The usage is the sum of this many requests; one by default, 0 if it is a part of another one. */
  readonly requests?: number;
}

/** A tier with other prices than the standard one. `fast`: Anthropic's fast mode. */
export type Tier = 'batch' | 'flex' | 'priority' | 'fast';

/** A tool that the provider runs and charges for by use. */
export type ServerTool = 'web_search' | 'web_fetch' | 'code_execution' | 'file_search';

/** The usage of one or more requests, in tokens. */
export interface Usage {
  /** Prompt tokens that were neither read from a cache nor written to one. */
  readonly input: number;
  /** Prompt tokens read from the provider's cache. */
  readonly cacheRead: number;
  /** Prompt tokens written to a cache for five minutes, or for a time that the provider does not state. */
  readonly cacheWrite5m: number;
  /** Prompt tokens written to a cache for an hour. */
  readonly cacheWrite1h: number;
  /** All tokens that the model generated. */
  readonly output: number;
  /** The part of `output` that was reasoning. */
  readonly reasoning: number;
  /** Parts of `input`, `cacheRead` and `output` that are no text, each above 0; absent if none are stated. */
  readonly media?: MediaTokens;
}

export type MediaTokens = Readonly<Partial<Record<MediaKind, number>>>;
export type MediaKind = `${'input' | 'cacheRead' | 'output'}${'Audio' | 'Image' | 'Video'}`;

/** How formats differ. Code above the formats tests traits, never the format's name. */
export interface Traits {
  /** The recording ends with a reply by design: no message can be added after it. */
  readonly endsOnReply?: boolean;
  /** The recording is only a reply: no message can be added before it either. */
  readonly isReply?: boolean;
  /** It holds pieces of the model's messages only: a message of the user cannot be added. */
  readonly holdsOnlyReplies?: boolean;
  /** The results of one message's calls share one message. */
  readonly resultsShareMessage?: boolean;
  /** That message may also hold the next user text, after the results. */
  readonly resultsLeadText?: boolean;
  /** A model's message is recorded in pieces without a common id: from a text or reasoning on, they are one. */
  readonly piecesStandAlone?: boolean;
  /** The recorded output of a request is that of the finished reply, and all of it is in the recording. */
  readonly outputsAreFinal?: boolean;
  /** Each reply states its usage, unless its request failed. */
  readonly repliesStateUsage?: boolean;
  /** Results state whether they are errors. */
  readonly flagsErrors?: boolean;
  /** A call and its result are one value: a result is in the message of its call, right after it. */
  readonly resultsStandInCalls?: boolean;
  /** It has no place for a system prompt. */
  readonly takesNoSystem?: boolean;
  /** Calls are recorded without their results, so that none of them is open. */
  readonly omitsResults?: boolean;
  /** A system prompt is a message, although detection cannot recognize it by itself. */
  readonly systemIsMessage?: boolean;
  /** The API rejects two messages of one role in a row. */
  readonly rolesAlternate?: boolean;
  /** The API rejects a history that the assistant begins. */
  readonly userBegins?: boolean;
  /** The API rejects a message of the user right after results, and a request that ends with the model. */
  readonly modelAnswers?: boolean;
  /** The API rejects a request that ends with the model: each, or one whose last message has thinking. */
  readonly userEnds?: 'always' | 'after thinking';
  /** The API rejects a history with calls if the request has no tool definitions. */
  readonly callsNeedTools?: boolean;
  /** Beside calls without a text stands null: the API rejects an empty text. */
  readonly nullBesideCalls?: boolean;
  /** The API rejects calls without reasoning beside them, which may be empty. */
  readonly reasonsBesideCalls?: boolean;
  /** The API rejects calls of the current run, and replies that it knows by ids, without their reasoning. */
  readonly needsReasoning?: boolean;
  /** The API rejects a request without a message of the user. */
  readonly needsUser?: boolean;
}

/** `meta`: a line or element that is no message. It passes through unchanged, and does not separate messages. */
export type Role = 'system' | 'user' | 'assistant' | 'tool' | 'meta';

export interface Message {
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly name?: string;
  readonly model?: string;
  /** Of a message that is converted: the one that it is made of. */
  readonly from?: Message;
  /** Of a `meta` line: it can be dropped, because neither the agent nor usage statistics need it. */
  readonly discardable?: boolean;
  /**
   * The model was interrupted here, by the user or an error. The agent omits or completes the message in later
   * requests.
   */
  readonly cutOff?: boolean;
  /** Of a compaction: those of the messages sent before it that the agent still sends. */
  keeps?(sent: readonly Message[]): readonly Message[];
  /** Of an added message with calls and without a text: its content is null, not an empty text. */
  readonly isSilent?: boolean;
  /** Its reasoning was removed, or there was none, and is written as an empty text. */
  readonly emptyReasoning?: boolean;
  /** It has an empty list of calls, which APIs reject. If set to false, the message is written without the list. */
  readonly emptyCalls?: boolean;
  /** Consecutive messages with the same group are pieces of one message of the model. */
  readonly group?: string;
  /** The value that it was read from; undefined for an added message. */
  readonly raw?: unknown;
  /** If `raw` was edited: the original value, which is the place of the message. */
  readonly origin?: unknown;
  /**
   * Of a moved message, and of one added to a list of several agents: the `raw` of the message before it of the same
   * agent that kept its place; the first that did, if none stands before it.
   */
  readonly near?: unknown;
}

export type Part = TextPart | ThinkingPart | CallPart | ResultPart | MediaPart | OpaquePart;

export interface TextPart {
  readonly type: 'text';
  readonly text: Text;
  readonly raw?: unknown;
}

/** Reasoning of the model. */
export interface ThinkingPart {
  readonly type: 'thinking';
  readonly text: Text;
  readonly raw?: unknown;
}

/** A tool call requested by the model. */
export interface CallPart {
  readonly type: 'call';
  /** Undefined in formats without call ids: calls and results pair by name and order. */
  readonly callId: string | undefined;
  readonly tool: string;
  /** The arguments as the model wrote them: usually JSON, but not necessarily valid. */
  readonly input: Text;
  /** A legacy `function_call`. */
  readonly legacy?: boolean;
  /** The kind of the call in formats with several kinds; its result has the same. */
  readonly kind?: string;
  /** The user is asked to allow it, or has just answered: at the end of a transcript, it still gets its result. */
  readonly awaitsApproval?: boolean;
  readonly raw?: unknown;
}

/** The result of a tool call. */
export interface ResultPart {
  readonly type: 'result';
  readonly callId: string | undefined;
  /** The tool's name, if the result states it. */
  readonly tool?: string;
  readonly content: readonly ContentPart[];
  readonly isError?: boolean;
  readonly legacy?: boolean;
  /** The kind of its call. */
  readonly kind?: string;
  readonly raw?: unknown;
}

export type ContentPart = TextPart | MediaPart | OpaquePart;

/** An image, an audio recording or a file. */
export interface MediaPart {
  readonly type: 'media';
  readonly kind: 'image' | 'audio' | 'file';
  readonly raw?: unknown;
}

/** An unknown part. It is kept, and counts as content. */
export interface OpaquePart {
  readonly type: 'opaque';
  readonly text?: Text;
  readonly raw?: unknown;
}
