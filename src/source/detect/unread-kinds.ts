/** Files of known programs that no format reads: the error says what they are. */
import { TranscriptError } from '../../errors.js';
import type { JsonNode } from '../../json/node.js';

interface Kind {
  readonly what: string;
  /** What to do instead. */
  readonly instead?: string;
  is(record: JsonNode): boolean;
}

/** Links as of 2026-11-30. */
const KINDS: readonly Kind[] = [
  {
    // https://platform.openai.com/docs/api-reference/messages/listMessages
    what: "messages of OpenAI's Assistants API",
    instead: 'their calls stand in the steps of runs; export the thread as items of OpenAI Responses',
    is: (record) => [record, ...(record.get('data')?.items(1) ?? [])].some(isThreadObject),
  },
  {
    // https://platform.openai.com/docs/api-reference/realtime-server-events
    what: "events of OpenAI's Realtime API",
    is: (record) => {
      const type = record.get('type')?.string ?? '';
      return REALTIME.test(type) || (/^response\./.test(type) && record.get('event_id')?.isString === true);
    },
  },
  {
    // https://ai.google.dev/gemini-api/docs/interactions (2026-12-01)
    what: "an interaction of the first version of Gemini's Interactions API",
    is: (record) => record.get('object')?.string === 'interaction' && record.get('outputs')?.isArray === true,
  },
  {
    // https://docs.mistral.ai/agents/agents_basics (2026-12-01)
    what: "entries of Mistral's Conversations API",
    is: (record) => listsIn(record).some((entry) => entry.get('object')?.string === 'entry'),
  },
  {
    // https://docs.ollama.com/api/streaming (2026-12-01)
    what: 'a streamed response of Ollama',
    instead: 'ask for `"stream": false`',
    is: (record) => record.get('done')?.boolean === false && record.get('message')?.isObject === true,
  },
  {
    // https://docs.llamaindex.ai/en/stable/module_guides/storing/chat_stores/
    what: 'chat messages of LlamaIndex',
    is: (record) => listsIn(record).some((message) => firstOf(message, 'blocks')?.get('block_type') !== undefined),
  },
  {
    // https://learn.microsoft.com/en-us/semantic-kernel/concepts/ai-services/chat-completion/chat-history
    what: 'a chat history of Semantic Kernel',
    is: (record) => listsIn(record).some(isKernelMessage),
  },
  {
    // https://learn.microsoft.com/en-us/azure/api-management/api-management-howto-llm-logs
    what: 'logs of language models in Azure API Management',
    instead: 'their messages stand in strings that may be split over several rows',
    is: (record) =>
      record.get('category')?.string === 'GatewayLlmLogs' || record.get('RequestMessages')?.isString === true,
  },
  {
    // https://ai.google.dev/gemini-api/docs/ai-studio-quickstart
    what: 'a prompt saved by Google AI Studio',
    is: (record) => record.get('chunkedPrompt')?.get('chunks') !== undefined,
  },
  {
    // https://www.librechat.ai/docs/features/import_convos
    what: 'a conversation of LibreChat',
    is: (record) => listsIn(record).some((message) => message.get('isCreatedByUser') !== undefined),
  },
  {
    // https://github.com/zed-industries/zed/blob/main/crates/agent/src/legacy_thread.rs
    what: 'a thread of Zed',
    is: (record) => {
      const message = firstOf(record, 'messages');
      return message?.get('segments') !== undefined && message.get('tool_uses') !== undefined;
    },
  },
];

/** Events of Responses, which stream too, have other names. */
const REALTIME = /^(?:session\.(?:created|updated?)|conversation\.item\.|input_audio_buffer\.|rate_limits\.updated)/;

/** The error for records that are known, but not read. */
export function unreadKind(sample: readonly JsonNode[]): TranscriptError | undefined {
  const kind = KINDS.find(({ is }) => sample.some((record) => record.isObject && is(record)));
  if (kind === undefined) return undefined;
  const instead = kind.instead === undefined ? '' : `; ${kind.instead}`;
  return new TranscriptError('format', `this looks like ${kind.what}, which ctx-trim does not read${instead}`);
}

function isThreadObject(node: JsonNode): boolean {
  return /^thread\.(?:message|run)/.test(node.get('object')?.string ?? '');
}

/** The first message of each list in a record, and in the store of a chat store; the record may be a message. */
function listsIn(record: JsonNode): JsonNode[] {
  const store = record.get('chat_store')?.get('store') ?? record.get('store');
  const lists = [...record.members(), ...(store?.members() ?? [])].map(({ value }) => value);
  return [record, ...lists.flatMap((list) => list.items(1))];
}

function firstOf(node: JsonNode, key: string): JsonNode | undefined {
  return node.get(key)?.items(1)[0];
}

function isKernelMessage(message: JsonNode): boolean {
  const item = firstOf(message, 'Items') ?? firstOf(message, 'items');
  if (item === undefined) return false;
  return message.get('Role') !== undefined ? item.get('$type') !== undefined : item.get('content_type') !== undefined;
}
