/** Schema faults of chat messages, for the providers whose API is stricter than OpenAI's. */
import { isAgentRow } from '../../formats/openai/openai-chat-read.js';
import type { Json } from '../../json/edit.js';
import type { Message } from '../../transcript/types.js';
import type { Fix, Problem, RuleContext } from '../rule.js';
import { faultsIn, type Shape } from '../shapes/shape.js';
import { rewireProblems } from './edits.js';
import { isSent } from './own-format.js';
import { problemOf, schemaFaults } from './schema.js';

export function chatFaults(context: RuleContext, shape: Shape) {
  return schemaFaults(context, (_, json) =>
    json?.get('role')?.string === undefined || isAgentRow(json) || json.get('role')!.string === 'developer'
      ? undefined
      : { node: json, shape },
  );
}

/** Unknown members of what is sent: logs and traces may add their own. */
export function* extraFields(context: RuleContext, shape: Shape): Generator<Problem> {
  const { transcript, asRequest } = context;
  for (const fault of chatFaults(context, shape)) {
    const isRequest = asRequest || isSent(context, transcript.messages[fault.message]!, ['model']);
    if (fault.isExtra && isRequest) yield problemOf(context, fault);
  }
}

/** Where a message has other faults too, it may be of another format, and lose what it says. */
export function withoutFields(shape: Shape): Fix {
  const known = new WeakMap<Message, boolean>(); // a message may have very many such fields
  return {
    safety: 'lossy',
    summary: 'Remove the fields.',
    reaches({ transcript, wire }, { message: index }) {
      const message = transcript.messages[index!]!;
      const json = wire(message);
      if (json === undefined) return false;
      const areExtra = known.get(message) ?? [...faultsIn(json, shape, '')].every(({ isExtra }) => isExtra);
      known.set(message, areExtra);
      return areExtra;
    },
    apply: (context, problems) => rewireProblems(context, problems, (): Json | undefined => undefined),
  };
}
