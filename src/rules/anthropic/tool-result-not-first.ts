import { withMessages } from '../../transcript/edit.js';
import type { Message, Part, Transcript } from '../../transcript/types.js';
import { errorRule } from '../rule.js';
import { isInRequest } from '../shared/anthropic-schema.js';

export default errorRule({
  id: 'anthropic/tool-result-not-first',
  summary: 'a tool_result behind other content of its message',
  providers: ['anthropic'],
  error:
    'messages.156: Did not find 1 `tool_result` block(s) at the beginning of this message. Messages following ' +
    '`tool_use` blocks must begin with a matching number of `tool_result` blocks.',
  cause: 'The text of the user, a reminder or an image was put before the results.',
  reported: ['Zoo-Code-Org/Zoo-Code#1705'],
  /** https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use */
  *check(context) {
    const { transcript, wire, asRequest } = context;
    for (const turn of userTurns(transcript)) {
      let isBehind = false; // other content of the turn, of which the API makes one message
      for (const index of turn) {
        const found = transcript.messages[index]!;
        const joins = asRequest || isInRequest(context, found);
        let isAfter = joins && isBehind;
        for (const part of found.parts) {
          if (isOther(part)) isAfter = true;
          else if (isAfter && wire(found) !== undefined)
            yield {
              message: index,
              part,
              callId: part.callId || undefined,
              text: `the result of ${part.callId || 'a call'} comes after other content; results must come first`,
            };
        }
        isBehind ||= found.parts.some(isOther);
      }
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Move the results to the beginning of their turn.',
    apply({ transcript }, problems) {
      const moved = new Set(problems.map(({ part }) => part));
      const lists = new Map<number, readonly Part[]>();
      for (const turn of userTurns(transcript)) {
        if (!turn.some((index) => transcript.messages[index]!.parts.some((part) => moved.has(part)))) continue;
        const parts = turn.flatMap((index) => transcript.messages[index]!.parts.filter((part) => moved.has(part)));
        const [first] = turn;
        for (const index of turn) {
          const own = transcript.messages[index]!.parts.filter((part) => !moved.has(part));
          const leading = own.filter(isResult);
          lists.set(index, index === first ? [...leading, ...parts, ...own.filter(isOther)] : own);
        }
      }
      return withMessages(
        transcript,
        transcript.messages.flatMap((message, index) => withParts(message, lists.get(index))),
      );
    },
  },
});

/** The messages of the user and of tools between two replies, by index. */
function userTurns({ messages }: Transcript): number[][] {
  const turns: number[][] = [];
  let turn: number[] = [];
  for (const [index, { role }] of messages.entries()) {
    if (role === 'user' || role === 'tool') {
      if (turn.length === 0) turns.push(turn);
      turn.push(index);
    } else if (role !== 'meta') turn = [];
  }
  return turns;
}

const isResult = (part: Part) => part.type === 'result';
const isOther = (part: Part) => !isResult(part);

function withParts(message: Message, parts: readonly Part[] | undefined): Message | readonly [] {
  if (parts === undefined) return message;
  if (parts.length === 0) return [];
  return { ...message, role: parts.some(isResult) ? 'tool' : 'user', parts };
}
