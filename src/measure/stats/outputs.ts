/** Tokens of replies as the provider counted them, in place of estimates. */
import { repliesIn } from '../../transcript/replies.js';
import type { Transcript } from '../../transcript/types.js';
import { mergedRequests } from './request.js';
import { recordedRequests } from './requests.js';
import { requestsByReply } from './requests-by-reply.js';

/** A reply that is further off its output lost parts after it was recorded, or had parts that the next prompt lacks. */
const MOST_OFF = 2;

/**
 * The tokens of the messages, with those of each reply replaced by its recorded output without reasoning. The same list
 * if the format's outputs may be those of an unfinished stream.
 */
export function withRecordedOutputs(transcript: Transcript, tokens: readonly number[]): readonly number[] {
  const { messages, traits } = transcript;
  if (traits.outputsAreFinal !== true) return tokens;
  const records = mergedRequests(recordedRequests(transcript, { prices: undefined, at: undefined }));
  const byReply = requestsByReply(messages, records);
  const replaced = [...tokens];
  for (const { start, end } of repliesIn(messages)) {
    const usage = byReply.get(start)?.usage;
    const output = usage === undefined ? 0 : usage.output - usage.reasoning;
    const counted = tokens.slice(start, end).reduce((sum, each) => sum + each, 0);
    if (output * MOST_OFF < counted || output > counted * MOST_OFF) continue;
    let before = 0;
    let given = 0;
    for (let index = start; index < end; index++) {
      before += tokens[index]!;
      const upTo = Math.round((output * before) / counted);
      replaced[index] = upTo - given;
      given = upTo;
    }
  }
  return replaced;
}
