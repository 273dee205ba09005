import { mapMessages } from '../../transcript/edit.js';
import { joinTexts, textOf } from '../../transcript/text.js';
import type { Message, OpaquePart, Part } from '../../transcript/types.js';
import { errorRule } from '../rule.js';
import { blockIn } from '../shared/bedrock.js';
import { bodyOf } from '../shared/own-format.js';

export default errorRule({
  id: 'bedrock/tool-config-missing',
  summary: 'calls or results without a toolConfig',
  providers: ['bedrock'],
  error: 'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
  cause: 'The history of a run was sent without its tools, for example to summarize it.',
  reported: ['vxcontrol/pentagi#196', 'patriceckhart/zot#18', 'nearai/ironclaw#1710', 'langgenius/dify#17545'],
  *check(context) {
    const body = bodyOf(context);
    if (body === undefined || body.get('toolConfig') !== undefined) return;
    const { messages } = context.transcript;
    const message = messages.findIndex(({ parts }) => parts.some(isTraffic));
    const part = messages[message]?.parts.find(isTraffic);
    if (part?.type === 'call' || part?.type === 'result')
      yield {
        message,
        part,
        callId: part.callId,
        text:
          'there is no toolConfig, but the messages have a ' +
          `${part.type === 'call' ? `call of ${part.tool}` : 'result'}`,
      };
    else if (part !== undefined) yield { message, part, text: 'there is no toolConfig, but a system tool ran' };
  },
  fix: {
    safety: 'lossy',
    summary: 'Convert calls and results to text.',
    apply: ({ transcript }) => mapMessages(transcript, trafficAsText),
  },
});

/** Whether a part is a call or a result, also of a system tool. */
function isTraffic(part: Part): boolean {
  return part.type === 'call' || part.type === 'result' || isOfSystemTool(part);
}

function isOfSystemTool(part: Part): boolean {
  return part.type === 'opaque' && (blockIn(part, 'toolUse') ?? blockIn(part, 'toolResult')) !== undefined;
}

function trafficAsText(message: Message): Message {
  if (!message.parts.some(isTraffic)) return message;
  return {
    ...message,
    role: message.role === 'tool' ? 'user' : message.role,
    parts: message.parts.flatMap(partAsText),
  };
}

function partAsText(part: Part): Part[] {
  if (part.type === 'call') return [{ type: 'text', text: `[Tool call: ${part.tool}(${textOf(part.input)})]` }];
  if (isOfSystemTool(part)) return [{ type: 'text', text: `[System tool]: ${textOf((part as OpaquePart).text!)}` }];
  if (part.type !== 'result') return [part];
  return [
    { type: 'text', text: `[Tool result]: ${joinTexts(part.content)}` },
    ...part.content.filter(({ type }) => type === 'media'),
  ];
}
