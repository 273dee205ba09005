/** Files of known programs that nothing reads: the error says what they are. */
import { expect, it } from 'vitest';
import { describeError, isTranscriptError, type TranscriptError } from '../../src/errors.js';
import { openText } from '../shared/opened.js';

const message = (object: string, content: unknown) => ({ id: 'm', object, role: 'user', content });
const thread = message('thread.message', [{ type: 'text', text: { value: 'Hi', annotations: [] } }]);
const block = (text: string) => ({ role: 'user', additional_kwargs: {}, blocks: [{ block_type: 'text', text }] });
const kernel = (text: string) => ({ Role: { Label: 'user' }, Items: [{ $type: 'TextContent', Text: text }] });
const chunk = (role: string) => ({ text: 'Hi', role, tokenCount: 2 });
const libreChat = (isCreatedByUser: boolean) => ({ messageId: 'm', text: 'Hi', sender: 'User', isCreatedByUser });
const zed = (role: string) => ({ role, segments: [{ type: 'text', text: 'Hi' }], tool_uses: [], tool_results: [] });
const entry = (type: string) => ({ object: 'entry', type, role: 'user', content: 'Hi' });
const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] };

it.each([
  ["messages of OpenAI's Assistants API", { object: 'list', data: [thread, thread], has_more: false }],
  ["messages of OpenAI's Assistants API", thread],
  ["messages of OpenAI's Assistants API", [thread, thread]],
  ["events of OpenAI's Realtime API", { type: 'conversation.item.created', item }],
  ['chat messages of LlamaIndex', { store: { chat: [block('Hi'), block('Hello')] }, class_name: 'SimpleChatStore' }],
  ['chat messages of LlamaIndex', [block('Hi'), block('Hello')]],
  ['a chat history of Semantic Kernel', [kernel('Hi'), kernel('Hello')]],
  [
    'a chat history of Semantic Kernel',
    { messages: [{ role: 'user', content_type: 'message', items: [{ content_type: 'text', text: 'Hi' }] }] },
  ],
  [
    'a prompt saved by Google AI Studio',
    { runSettings: {}, chunkedPrompt: { chunks: [chunk('user'), chunk('model')] } },
  ],
  ['a conversation of LibreChat', { conversationId: 'c', messages: [libreChat(true), libreChat(false)] }],
  ['a conversation of LibreChat', [libreChat(true), libreChat(false)]],
  ['a thread of Zed', { version: '0.2.0', messages: [zed('user'), zed('assistant')] }],
  ["entries of Mistral's Conversations API", { conversation_id: 'c', outputs: [entry('message.output')] }],
  ["entries of Mistral's Conversations API", { object: 'conversation.history', entries: [entry('message.input')] }],
  ["entries of Mistral's Conversations API", [entry('message.input'), entry('tool.execution')]],
  ['a streamed response of Ollama', { model: 'm', message: { role: 'assistant', content: 'Hi' }, done: false }],
  ['logs of language models in Azure API Management', { category: 'GatewayLlmLogs', properties: {} }],
])('%s', (what, file) => {
  expect(() => openText(JSON.stringify(file))).toThrow(`this looks like ${what}, which ctx-trim does not read`);
});

it('names the line of a message of the Assistants API in JSON Lines', () => {
  const text = [thread, thread].map((one) => JSON.stringify(one)).join('\n');
  const error = caught(() => openText(text));
  expect(describeError(error)).toMatch(/^1:\d+: this looks like messages of OpenAI's Assistants API/);
});

function caught(action: () => unknown): TranscriptError {
  try {
    action();
  } catch (error) {
    if (isTranscriptError(error)) return error;
  }
  throw new Error('it is read');
}

it('leaves alone what a user names, and lists of plain messages', () => {
  const [plain, other] = ['Hi', 'Hello'].map((content) => ({ role: 'user', content }));
  expect(openText(JSON.stringify({ store: { chat: [plain, other] } })).transcripts).toHaveLength(1);
  expect(openText(JSON.stringify([block('Hi')]), { from: 'openai-chat' }).detection.format.id).toBe('openai-chat');
});
