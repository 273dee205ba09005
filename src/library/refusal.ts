/** The core of all adapters that refuse tool calls: a policy for one call, before it is made. */

import type { Format } from '../formats/format.js';
import { LANGUAGES } from '../options/language.js';
import type { Language, Policy } from '../policy/types.js';
import { openPlainList } from '../source/containers/plain-list.js';
import { textOf } from '../transcript/text.js';
import { rejectWrongOptions } from './arguments.js';

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
}

/** What the model reads in place of the result, as JSON; undefined if the policy allows the call. */
export type Refuse = (call: ToolCall, messages: readonly object[] | string) => Promise<string | undefined>;

/**
 * Asks the policy about each call by the last text of the user, which is given as such or found in the messages.
 * Throws TranscriptError for a wrong option.
 */
export function createRefuser(format: Format, policy: Policy, options: GuardOptions = {}): Refuse {
  rejectWrongOptions(options, { language: LANGUAGES, onDeny: 'function' });
  return async (call, messages) => {
    const { decide } = await import('../policy/decide.js'); // loaded with the first call
    const text = typeof messages === 'string' ? messages : lastUserText(messages, format);
    const { decision, reason, hint } = decide(policy, { text, ...call }, options.language);
    if (decision === 'allow') return undefined;
    options.onDeny?.(call, reason);
    return JSON.stringify({ success: false, error: reason, ...(hint === undefined ? {} : { suggestion: hint }) });
  };
}

function lastUserText(values: readonly object[], format: Format): string {
  const messages = openPlainList(values, format).transcripts.flatMap((transcript) => transcript.messages);
  const last = messages.findLast(({ role, parts }) => role === 'user' && parts.some(({ type }) => type === 'text'));
  return (last?.parts ?? []).map((part) => (part.type === 'text' ? textOf(part.text) : '')).join('\n');
}
