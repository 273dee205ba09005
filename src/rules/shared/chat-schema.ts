/** Schema faults of chat messages, for the providers whose API is stricter than OpenAI's. */
import { isAgentRow } from '../../formats/openai/openai-chat-read.js';
import type { Json } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
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

/** A message may have very many such fields, one after the other: it is looked through once. */
let last: { readonly json: JsonNode; readonly shape: Shape; readonly areExtra: boolean } | undefined;

/** Where a message has other faults too, it may be of another format, and lose what it says. */
export function withoutFields(shape: Shape): Fix {
  return {
    safety: 'lossy',
    summary: 'Remove the fields.',
    reaches({ transcript, wire }, { message }) {
      const json = wire(transcript.messages[message!]!);
      if (json === undefined) return false;
      if (last === undefined || !last.json.is(json) || last.shape !== shape)
        last = { json, shape, areExtra: [...faultsIn(json, shape, '')].every(({ isExtra }) => isExtra) };
      return last.areExtra;
    },
    apply: (context, problems) => rewireProblems(context, problems, (): Json | undefined => undefined),
  };
}
