/** Servers of other vendors that take Anthropic's format: they sign thinking in a way of their own, or not at all. */
import { JsonNode } from '../../json/node.js';
import type { Message } from '../../transcript/types.js';
import type { RuleContext } from '../rule.js';
import { valueAt } from './request.js';

/** QuantumNous/new-api#4763, lsdefine/GenericAgent#357, 2026-05; anomalyco/opencode#44713, 2026-08 */
const MODELS = /kimi|moonshot|glm|minimax|deepseek|qwen|gpt|gemini|grok|mistral|llama|mimo/i;

/** DeepSeek's ids of messages, which are its signatures too. NousResearch/hermes-agent#21048, 2026-05 */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * NousResearch/hermes-agent#17510 and #85251, earendil-works/pi#4464 (Fireworks), zai-org/z-ai-sdk-python#43,
 * 2025-10 to 2026-08
 */
const HOSTS = new RegExp(
  `^https?://[^/]*(?:${[
    ...['deepseek.com', 'moonshot.ai', 'moonshot.cn', 'kimi.com', 'z.ai', 'bigmodel.cn', 'minimax.io', 'minimaxi.com'],
    ...['fireworks.ai', 'xiaomimimo.com', 'aliyuncs.com'],
  ]
    .map((host) => host.replace('.', '\\.'))
    .join('|')})(?:[:/]|$)`,
  'i',
);
/** Where records keep the address that they were sent to. */
const ADDRESSES = ['base_url', 'baseUrl', 'api_base', 'url', 'request.url', 'metadata.base_url', 'metadata.api_base'];

/** Whether another vendor's server answered with a message, by what the recording holds of it. */
export function otherServer(context: RuleContext): (message: Message) => boolean {
  const { transcript, request, asRequest, wire } = context;
  if (ADDRESSES.some((path) => HOSTS.test(valueAt(request, path)?.string ?? ''))) return () => true;
  if (asRequest) return () => MODELS.test(transcript.model ?? '');
  const answered = valueAt(request, 'response.id') ?? request?.get('id');
  const isOther =
    UUID.test(answered?.string ?? '') || transcript.messages.some(({ parts }) => parts.some(hasOtherSignature));
  return (message) =>
    isOther ||
    MODELS.test(message.model ?? transcript.model ?? '') ||
    UUID.test(wire(message)?.get('id')?.string ?? '');
}

function hasOtherSignature({ type, raw }: Message['parts'][number]): boolean {
  return type === 'thinking' && raw instanceof JsonNode && UUID.test(raw.get('signature')?.string ?? '');
}
