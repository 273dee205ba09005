/**
 * Approvals of calls: the user was asked whether a call may run, and may have answered. In UI messages of the AI SDK
 * the call's part says so, in model messages parts of their own.
 * https://ai-sdk.dev/docs/ai-sdk-core/tools-and-tool-calling#tool-execution-approval
 */
import type { Json } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Message } from '../../transcript/types.js';

/** The question, and the answer if there is one, as parts of model messages. */
export interface Approval {
  readonly callId: string;
  readonly request: Json;
  readonly response: Json | undefined;
}

/** The approvals that the messages record, in order. */
export function approvalsIn(messages: readonly Message[]): Approval[] {
  const nodes = messages.flatMap(({ raw }) => (raw instanceof JsonNode && raw.isObject ? [raw] : []));
  return [...nodes.flatMap(inUiParts), ...inModelParts(nodes.flatMap((node) => node.get('content')?.items() ?? []))];
}

function inUiParts(message: JsonNode): Approval[] {
  return (message.get('parts')?.items() ?? []).flatMap((part) => {
    const approval = part.get('approval');
    const callId = part.get('toolCallId')?.string;
    if (approval?.get('id')?.isString !== true || callId === undefined) return [];
    const approvalId = approval.get('id')!;
    const common = { type: 'tool-approval-request', approvalId, toolCallId: callId };
    const approved = approval.get('approved');
    const response = { type: 'tool-approval-response', approvalId, approved, reason: approval.get('reason') };
    return [
      {
        callId,
        request: { ...common, signature: approval.get('signature') },
        response: approved?.boolean === undefined ? undefined : response,
      },
    ];
  });
}

function inModelParts(parts: readonly JsonNode[]): Approval[] {
  const ofType = (type: string) => parts.filter((part) => part.get('type')?.string === type);
  const responses = ofType('tool-approval-response');
  return ofType('tool-approval-request').flatMap((request) => {
    const [callId, id] = [request.get('toolCallId')?.string, request.get('approvalId')?.string];
    if (callId === undefined || id === undefined) return [];
    const response = responses.find((part) => part.get('approvalId')?.string === id);
    return [{ callId, request, response }];
  });
}
