/** The tokens of a transcript: of each message, role and tool, and in total. */
import { modelInfo } from '../../tokens/models.js';
import { pair } from '../../transcript/pairs.js';
import { joinTexts } from '../../transcript/text.js';
import { turns } from '../../transcript/turns.js';
import type { Message, Part, Transcript } from '../../transcript/types.js';
import { NO_USAGE } from '../../transcript/usage.js';
import type { PriceBook } from '../pricing/cost.js';
import type { AttachmentFacts } from './attachments.js';
import type { Counting } from './counting.js';
import { hintsOf } from './hints.js';
import { withRecordedOutputs } from './outputs.js';
import type { Pricing } from './request.js';
import type { Counted } from './requests.js';

export interface MessageFacts {
  /** Zero-based index into the transcript's message list, records included. */
  readonly index: number;
  readonly role: string;
  /** The tools that it calls or has results of. */
  readonly tools: readonly string[];
  readonly tokens: number;
  /** Tokens up to and with this message. */
  readonly cumulative: number;
  /** Share of the transcript's tokens, 0 to 1. */
  readonly share: number;
}

export interface RoleFacts {
  readonly role: string;
  readonly messages: number;
  readonly tokens: number;
}

export interface ToolFacts {
  readonly tool: string;
  readonly calls: number;
  readonly results: number;
  /** Tokens of the calls (name and arguments) and of the result messages. */
  readonly tokens: number;
}

export interface Totals {
  readonly messages: number;
  readonly toolCalls: number;
  readonly toolResults: number;
  /** The whole transcript as one prompt: messages, tool definitions, and the overhead of a request. */
  readonly tokens: number;
  /** As one request, in 1e-12 US dollars; undefined if the model has no known price. */
  readonly cost: bigint | undefined;
  readonly costSource: 'estimated' | 'unpriced';
  readonly tokensSource: 'exact' | 'estimated';
  /** Only recorded requests were read: all counts are 0. */
  readonly isUncounted?: boolean;
  /** Replies that state no usage, in a session whose other replies do: no figure has them. */
  readonly unstated?: number;
}

export interface TranscriptFacts {
  readonly file: string;
  readonly line: number;
  readonly id: string | undefined;
  readonly agent?: string | undefined; // the sub-agent, if the recording has several agents
  readonly project?: string | undefined; // the folder in which the agent worked, if it is recorded
  readonly forkOf?: string | undefined; // see Transcript
  readonly title?: string | undefined; // of the session, where rows need it
  readonly format: string;
  readonly model: string | undefined;
  /** Tokens that fit into one request of the model. */
  readonly contextWindow: number | undefined;
  /** Empty unless `detail` was set. */
  readonly messages: readonly MessageFacts[];
  readonly roles: readonly RoleFacts[];
  readonly tools: readonly ToolFacts[];
  /** Tokens of tool definitions, and the overhead of a request. */
  readonly definitionTokens: number;
  readonly requestTokens: number;
  /** What the agent sends beside messages, in no other figure; absent if there is nothing. */
  readonly attachments?: readonly AttachmentFacts[];
  readonly hints: readonly string[];
  /** The indices of the messages that begin a turn. */
  readonly turnStarts: readonly number[];
  readonly totals: Totals;
}

/** The tokens of a transcript, message by message. */
export function countedOf(transcript: Transcript, counting: Counting): Counted {
  return fromTokens(
    transcript,
    counting,
    transcript.messages.map((message) => counting.message(message)),
  );
}

/** The same with recorded outputs in place of estimates. Not for messages that a step changed. */
export function countedAsRecorded(transcript: Transcript, counting: Counting): Counted {
  const counted = countedOf(transcript, counting);
  return counting.source === 'exact'
    ? counted
    : fromTokens(transcript, counting, withRecordedOutputs(transcript, counted.tokens));
}

function fromTokens(transcript: Transcript, counting: Counting, tokens: readonly number[]): Counted {
  const written = transcript.messages.map((message, index) =>
    message.role === 'assistant' ? tokens[index]! - resultTokens(message, counting) : 0,
  );
  return {
    model: counting.model,
    source: counting.source,
    tokens,
    written,
    everyRequest: counting.definitions(transcript) + counting.perRequest,
    context: (transcript.abandoned?.context ?? []).reduce((sum, message) => sum + counting.message(message), 0),
  };
}

/** Tokens of results in the message of their call: the tool wrote them, not the model. */
function resultTokens({ parts }: Message, counting: Counting): number {
  return parts.reduce((sum, part) => sum + (part.type === 'result' ? counting.text(joinTexts(part.content)) : 0), 0);
}

/** A transcript, where it was read, and its tokens. */
export interface CountedTranscript {
  readonly transcript: Transcript;
  readonly place: { readonly file: string; readonly line: number };
  readonly counting: Counting;
  readonly counted: Counted;
}

/** The facts of one transcript. Without `prices` it has no costs; without `detail` no single messages. */
export function factsOf(
  { transcript, place, counting, counted }: CountedTranscript,
  { prices, at }: Pick<Pricing, 'prices' | 'at'>,
  detail = true,
): TranscriptFacts {
  const { messages } = transcript;
  const totals = totalsOf(transcript, counted, prices, at);
  const toolOf = new Map<Part, string>(
    pair(messages).results.map(({ part, call }) => [part, part.tool ?? call?.part.tool ?? '']),
  );
  const rows = detail ? messageFacts(messages, counted.tokens, totals.tokens, toolOf) : [];
  return {
    ...place,
    id: transcript.id,
    agent: transcript.agent,
    project: transcript.project,
    forkOf: transcript.forkOf,
    format: transcript.format,
    model: counting.model,
    contextWindow: transcript.contextWindow ?? modelInfo(counting.model ?? '')?.contextWindow,
    messages: rows,
    roles: roleFacts(messages, counted.tokens),
    tools: toolFacts(messages, counted.tokens, toolOf, counting),
    definitionTokens: counted.everyRequest - counting.perRequest,
    requestTokens: counting.perRequest,
    hints: detail ? hintsOf(messages, rows, { counting, tokens: counted.tokens }) : [],
    turnStarts: turns(messages).map(({ start }) => start),
    totals,
  };
}

function messageFacts(
  messages: readonly Message[],
  counts: readonly number[],
  whole: number,
  toolOf: ReadonlyMap<Part, string>,
): MessageFacts[] {
  let cumulative = 0;
  return messages.flatMap((message, index): MessageFacts[] => {
    if (message.role === 'meta') return [];
    const tokens = counts[index]!;
    cumulative += tokens;
    const share = whole === 0 ? 0 : tokens / whole;
    return [{ index, role: message.role, tools: toolsIn(message, toolOf), tokens, cumulative, share }];
  });
}

/** The tools that a message calls or has results of. */
export function toolsIn({ parts }: Message, toolOf: ReadonlyMap<Part, string | undefined>): string[] {
  return parts.flatMap((part) => {
    if (part.type === 'call') return [part.tool];
    return part.type === 'result' ? (toolOf.get(part) ?? []) : [];
  });
}

/** Tokens, calls and cost of a transcript. */
export function totalsOf(
  { messages }: Transcript,
  { model, source, tokens: counts, everyRequest }: Counted,
  prices: PriceBook | undefined,
  at: Date | undefined,
): Totals {
  let messageCount = 0;
  let toolCalls = 0;
  let toolResults = 0;
  for (const { role, parts } of messages) {
    if (role === 'meta') continue;
    messageCount++;
    for (const { type } of parts) {
      if (type === 'call') toolCalls++;
      else if (type === 'result') toolResults++;
    }
  }
  const tokens = messageCount === 0 ? 0 : everyRequest + counts.reduce((sum, count) => sum + count, 0);
  const cost = messageCount === 0 ? 0n : promptCostOf(model, tokens, prices, at);
  return {
    messages: messageCount,
    toolCalls,
    toolResults,
    tokens,
    cost,
    costSource: cost === undefined ? 'unpriced' : 'estimated',
    tokensSource: source,
  };
}

function promptCostOf(
  model: string | undefined,
  input: number,
  prices: PriceBook | undefined,
  at: Date | undefined,
): bigint | undefined {
  return model === undefined ? undefined : prices?.cost(model, { ...NO_USAGE, input }, at).usd;
}

function roleFacts(messages: readonly Message[], counts: readonly number[]): RoleFacts[] {
  const byRole = new Map<string, { role: string; messages: number; tokens: number }>();
  for (const [index, { role }] of messages.entries()) {
    if (role === 'meta') continue;
    const facts = byRole.get(role) ?? { role, messages: 0, tokens: 0 };
    facts.messages++;
    facts.tokens += counts[index]!;
    byRole.set(role, facts);
  }
  return [...byRole.values()];
}

function toolFacts(
  messages: readonly Message[],
  counts: readonly number[],
  toolOf: ReadonlyMap<unknown, string>,
  counting: Counting,
): ToolFacts[] {
  const byName = new Map<string, { calls: number; results: number; tokens: number }>();
  const entry = (tool: string) => {
    const known = byName.get(tool) ?? { calls: 0, results: 0, tokens: 0 };
    byName.set(tool, known);
    return known;
  };
  messages.forEach(({ parts }, index) => {
    for (const part of parts) {
      if (part.type === 'call') {
        const facts = entry(part.tool);
        facts.calls++;
        facts.tokens += counting.call(part);
      } else if (part.type === 'result') {
        const facts = entry(toolOf.get(part)!);
        facts.results++;
        facts.tokens += parts.length === 1 ? counts[index]! : counting.text(joinTexts(part.content));
      }
    }
  });
  return [...byName].map(([tool, facts]) => ({ tool, ...facts }));
}

/** Hints on the longest system prompt and result, and on calls repeated with the same arguments. */
