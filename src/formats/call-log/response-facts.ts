/** What a response of any API states about its request. */
import type { JsonNode } from '../../json/node.js';
import type { Recorded } from '../../transcript/types.js';
import anthropicMessages from '../anthropic/anthropic-messages.js';
import bedrockConverse from '../bedrock/bedrock-converse.js';
import type { Format } from '../format.js';
import geminiContents from '../gemini/gemini-contents.js';
import openaiChat from '../openai/openai-chat.js';
import openaiResponses from '../openai/openai-responses.js';

/** The formats that read responses. */
const PROVIDERS: readonly Format[] = [openaiChat, anthropicMessages, openaiResponses, geminiContents, bedrockConverse];

/** What the response states, as the format of its messages reads it. */
export function responseFacts(response: JsonNode, lens: Format | undefined): Recorded | undefined {
  const formats = lens?.describe === undefined ? PROVIDERS : [lens, ...PROVIDERS];
  return formats.map((format) => format.describe?.(response).reply).find((reply) => reply?.usage !== undefined);
}
