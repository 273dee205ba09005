import type { CallSite } from '../../transcript/pairs.js';
import { repairIds } from '../../transforms/ids.js';
import { errorRule } from '../rule.js';

export default errorRule({
  id: 'chat/tool-call-id-duplicate',
  summary: 'two calls of one message with the same id',
  providers: ['openai-chat', 'mistral'],
  cleaned: true,
  error: "Invalid parameter: Duplicate value for 'tool_call_id' of 'call_1' in message[1].",
  cause: 'The model or a proxy gave parallel calls the same id; some number them by tool name.',
  reported: ['agno-agi/agno#5116', 'BuilderIO/agent-native#2312', 'openclaw/openclaw#40996'],
  *check({ pairing, transcript: { messages } }) {
    const homeOf = ({ message }: CallSite) => messages[message]!.group ?? message;
    let home: unknown;
    let seen = new Set<string>();
    for (const call of pairing.calls) {
      const { message, part } = call;
      if (homeOf(call) !== home) [home, seen] = [homeOf(call), new Set()];
      if (!part.callId) continue;
      if (seen.has(part.callId))
        yield {
          message,
          part,
          callId: part.callId,
          text: `the id ${part.callId} is also the id of another call in the message`,
        };
      seen.add(part.callId);
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Give the later calls new ids, in their results too.',
    apply: ({ transcript, pairing }) => repairIds(transcript, pairing),
  },
});
