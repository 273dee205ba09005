/** Nothing in silence: each text, argument and result of a recording is in what it became, or a finding tells of it. */
import { describe, expect, it } from 'vitest';
import { type Converted, convert } from '../../src/index.js';
import type { Message } from '../../src/transcript/types.js';
import { ALL } from '../shared/effort.js';
import { letters, lettersIn, saidIn, TELLING } from '../shared/letters.js';
import { openText } from '../shared/opened.js';
import { fixtures } from '../shared/recordings.js';

const TARGETS = [
  ...['atif', 'codex-rollout', 'claude-code', 'opencode', 'pi-session', 'gemini-cli-session', 'vercel-model'],
  ...['gemini-contents', 'bedrock-converse', 'langchain', 'anthropic-messages', 'sharegpt', 'openai-responses'],
  ...['openai-chat', 'mistral', 'cohere', 'deepseek'],
];
/** Of each recording so many targets, the next ones for the next recording; and its own format, which keeps most. */
const TURNS = ALL ? 5 : 2;
const LONG = ALL ? 60_000 : 25_000;

function* untold({ messages }: { readonly messages: readonly Message[] }, { value, lost, repairs }: Converted) {
  const holds = lettersIn(value);
  const isTold = (index: number) =>
    repairs.some(({ lossy }) => lossy) ||
    lost.some(({ loss, messages: of }) => of.includes(index) || (loss && of.length === 0)) ||
    lost.some(({ what }) => what.startsWith('what the agent had compacted'));
  for (const [index, { role, parts }] of messages.entries())
    for (const text of role === 'meta' ? [] : parts.flatMap(saidIn).map(letters))
      if (text.length >= TELLING && !holds.some((held) => held.includes(text)) && !isTold(index))
        yield `message ${index}: ${text.slice(0, 100)}`;
}

/** A text of this recording escapes a letter, and is written as the value that it spells. */
const SPELLED = 'gemini-contents/hand-spellings.json';
const tried = fixtures().filter(({ name, bytes }) => bytes.length < LONG && name !== SPELLED);

describe.each(tried.map((recording, at) => ({ ...recording, at })))('$name', ({ bytes, format, at }) => {
  const transcripts = openText(bytes).transcripts.filter(({ abandoned }) => abandoned === undefined);
  const turns = Array.from({ length: TURNS }, (_, turn) => TARGETS[(at * TURNS + turn) % TARGETS.length]!);
  const targets = [...new Set([...turns, ...TARGETS.filter((id) => id === format)])];

  it.each(targets)('to %s', (to) => {
    const all = convert(bytes, to);
    // the session of an agent is one, and sub-agents are told of
    if (all.length === transcripts.length)
      expect(transcripts.flatMap((transcript, index) => [...untold(transcript, all[index]!)])).toEqual([]);
    else expect(all[0]!.lost.some(({ what }) => what.startsWith('the sub-agent '))).toBe(true);
  });
});
