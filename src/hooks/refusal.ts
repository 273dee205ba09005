/** The core of all adapters that refuse tool calls: a policy for one call, before it is made. */

import type { Format } from '../formats/format.js';
import { rejectOthers, rejectWrongOptions } from '../options/arguments.js';
import { LANGUAGES } from '../options/language.js';
import { type Conversation, conversationOf } from '../policy/conversation.js';
import type { Ask } from '../policy/guard.js';
import type { Call, Language, Policy } from '../policy/types.js';
import { openPlainList } from '../source/containers/plain-list.js';
import { blaming } from './blaming.js';

export interface GuardOptions {
  /** The language of the reasons. Default: `en`. */
  readonly language?: Language;
  /** Hears of each call that the policy denies. */
  readonly onDeny?: (call: ToolCall, reason: string) => void;
}

/** A tool call that is about to be made. */
export interface ToolCall {
  readonly tool: string;
  readonly args: unknown;
  /** Without it, the call is not in the messages yet. */
  readonly callId?: string;
}

/** What was said and called before. The calls that were asked about are added to it. */
export interface History {
  lastUserText: string;
  /** The text of each user message. */
  userTexts: string[];
  /** The last text of the assistant before the last user message; undefined if it is not known. */
  lastAssistantText?: string | undefined;
  /** The number of user messages. */
  turns: number;
  calls: Call[];
  /** Of the calls that are asked about: calls of one reply have the same. */
  step: number;
}

/** An empty history; that of a subagent begins with what the user said to the main agent. */
export function createHistory({ lastUserText, turns }: Pick<History, 'lastUserText' | 'turns'> = NOTHING): History {
  return { lastUserText, userTexts: lastUserText === '' ? [] : [lastUserText], turns, calls: [], step: 1 };
}

const NOTHING = { lastUserText: '', turns: 0 };

/** Adds a text of the user, which begins a turn. */
export function addPrompt(history: History, text: string): void {
  history.lastUserText = text;
  history.userTexts.push(text);
  history.turns++;
}

/** Adds results of the calls of one reply, all or one by one, by call id: the next call is of the reply after it. */
export function addResults(history: History, results: ReadonlyMap<string, unknown>): void {
  history.step = (history.calls.at(-1)?.step ?? 0) + 1;
  history.calls = history.calls.map((call) => {
    const result = call.callId === undefined ? undefined : results.get(call.callId);
    if (result === undefined) return call;
    return { ...call, result: { text: textOf(result), isError: undefined } };
  });
}

function textOf(result: unknown): string {
  try {
    return typeof result === 'string' ? result : JSON.stringify(result);
  } catch {
    return '(a result that is not JSON)';
  }
}

/** What came before the next reply. Throws TranscriptError for a message that cannot be read. */
export function historyIn(messages: readonly object[], format: Format): History {
  rejectOthers(messages);
  const { transcripts } = openPlainList(messages, format);
  const transcript = { ...transcripts[0]!, messages: transcripts.flatMap((one) => one.messages) };
  const { calls, userTexts = [], turns = 0, ...said } = conversationOf(transcript);
  const step = (calls.at(-1)?.step ?? 0) + 1;
  return { calls: [...calls], userTexts: [...userTexts], turns, step, ...said };
}

/**
 * What the model reads in place of the result, as JSON; undefined if the policy allows the call. Calls of one reply are
 * asked about with the same list of messages.
 */
export type Refuse = (call: ToolCall, before: readonly object[] | History) => Promise<string | undefined>;

/** Judges calls as the step `guard` does, by all that came before. Throws TranscriptError for a wrong option. */
export function createRefuser(format: Format, policy: Policy, options: GuardOptions = {}): Refuse {
  rejectWrongOptions(options, { language: LANGUAGES, onDeny: 'function' });
  const histories = new WeakMap<object, History>();
  let loading: Promise<Ask> | undefined; // the rules are loaded with the first call
  const historyOf = (before: readonly object[] | History): History => {
    if (isHistory(before)) return before;
    const history = histories.get(before) ?? historyIn(before, format);
    histories.set(before, history);
    return history;
  };
  const refuse: Refuse = async (call, before) => {
    loading ??= import('../policy/guard.js').then(({ createGuard }) => createGuard(policy));
    const ask = await loading;
    const joined = upTo(call, historyOf(before), isHistory(before));
    const denial = ask(joined.call, joined.conversation, options.language);
    if (denial === undefined) return undefined;
    options.onDeny?.(call, denial.reason);
    return denial.answer;
  };
  return (call, before) => blaming(before, 'messages', () => blaming(call.args, 'args', () => refuse(call, before)));
}

/** A history holds nothing of others than arguments and results. */
export function isHistory(before: readonly object[] | History | undefined): before is History {
  return typeof before === 'object' && before !== null && 'calls' in before;
}

/**
 * The call, and the conversation up to its reply, with the other calls of the reply as far as they are known. It is
 * known if it waits for its result in the messages, or (`isAsked`) was asked about before: ids may be used again.
 */
function upTo({ tool, args, callId }: ToolCall, history: History, isAsked: boolean): Joined {
  const { calls, lastUserText, lastAssistantText, turns, step } = history;
  const isSame = ({ message, result, ...call }: Call) =>
    call.callId === callId && result === undefined && (isAsked || message !== Infinity);
  const known = callId === undefined ? undefined : calls.findLast(isSame);
  if (known !== undefined) {
    const call = callOf({ ...known, tool, args });
    const upToReply = calls.filter(({ message }) => message <= known.message);
    return { call, conversation: { ...history, calls: upToReply.map((one) => (one === known ? call : one)) } };
  }
  const said = { turn: turns, lastUserText, lastAssistantText };
  const call = callOf({ tool, callId, args, message: Infinity, step, ...said });
  calls.push(call);
  return { call, conversation: history };
}

interface Joined {
  readonly call: Call;
  readonly conversation: Conversation;
}

/** The call as it is about to be made: a hook before this one may have changed its arguments. */
function callOf({ tool, callId, args, message, step, turn, ...said }: Omit<Call, 'result'>): Call {
  const { lastUserText, lastAssistantText } = said;
  return { tool, callId, args, message, step, turn, lastUserText, lastAssistantText, result: undefined };
}
