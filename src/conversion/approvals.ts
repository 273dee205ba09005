/** Approvals of calls, where the target has parts for them: requests beside calls, answers before results. */
import { type Approval, approvalsIn } from '../formats/shared/approvals.js';
import type { Json } from '../json/edit.js';
import { reparsed } from '../json/print.js';
import type { CallPart, Message, OpaquePart, Part } from '../transcript/types.js';
import type { Notes } from './findings.js';

/** Shaped messages with the approvals of the source; where the target has no place for them, they are noted. */
export function withApprovals(
  shaped: readonly Message[],
  source: readonly Message[],
  takesApprovals: boolean,
  notes: Notes,
): readonly Message[] {
  const approvals = approvalsIn(source);
  if (approvals.length === 0) return shaped;
  if (!takesApprovals) {
    notes.note('that the user was asked to allow a call, and the answer');
    return shaped;
  }
  return placed(shaped, approvals);
}

function placed(messages: readonly Message[], approvals: readonly Approval[]): Message[] {
  const waiting = [...approvals];
  const output: Message[] = [];
  let answers: Approval[] = []; // to the calls of the last reply
  const flush = () => {
    if (answers.length > 0) output.push({ role: 'tool', parts: answers.map(({ response }) => opaque(response!)) });
    answers = [];
  };
  for (const message of messages) {
    if (message.role === 'tool') {
      const now = answers.filter(({ callId }) => message.parts.some((part) => answersCall(part, callId)));
      const later = answers.filter((approval) => !now.includes(approval));
      answers = [];
      output.push({ ...message, parts: [...later.map(({ response }) => opaque(response!)), ...before(message, now)] });
      continue;
    }
    flush();
    const parts = message.parts.flatMap((part): Part[] => {
      const at = part.type === 'call' ? waiting.findIndex(({ callId }) => callId === (part as CallPart).callId) : -1;
      if (at < 0) return [part];
      const [approval] = waiting.splice(at, 1);
      if (approval!.response !== undefined) answers.push(approval!);
      return [part, opaque(approval!.request)];
    });
    output.push(parts.length === message.parts.length ? message : { ...message, raw: undefined, parts });
  }
  flush();
  return output;
}

/** The parts of a tool message, each answer before the result of its call. */
function before({ parts }: Message, answers: readonly Approval[]): Part[] {
  return parts.flatMap((part) => {
    const answer = answers.find(({ callId }) => answersCall(part, callId));
    return answer === undefined ? [part] : [opaque(answer.response!), part];
  });
}

function answersCall(part: Part, callId: string): boolean {
  return part.type === 'result' && part.callId === callId;
}

function opaque(json: Json): OpaquePart {
  return { type: 'opaque', raw: reparsed(json) };
}
