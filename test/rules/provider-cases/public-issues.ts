/** Requests of public issues of 2025 and 2026, made small. */
import type { Expectations } from '../../shared/expectations.js';

const messages = [{ role: 'user', content: 'hi' }];
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
const sent = (provider: string, source: string, request: object) => ({ provider, source, request });
const chat = (provider: string, source: string, model: string, more: object) =>
  sent(provider, source, { model, messages, ...more });
const claude = (source: string, model: string, more: object) =>
  chat('anthropic', source, model, { max_tokens: 2048, ...more });
const declared = (source: string, properties: object) =>
  sent('gemini', source, {
    contents,
    tools: [{ functionDeclarations: [{ name: 'f', parameters: { type: 'object', properties } }] }],
  });
const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }];
const tool_calls = [{ id: 'dnEN4JsJy', type: 'function', function: { name: 'f', arguments: '{}' } }];
const removed = { rule: 'request/parameter-removed', fix: 'lossy' } as const;
const thinking = { type: 'enabled', budget_tokens: 1024 };

export default {
  'gpt-5 stop': { ...removed, sent: chat('openai-chat', 'huggingface/smolagents#1671', 'gpt-5-mini', { stop: ['a'] }) },
  'o4-mini parallel_tool_calls': {
    ...removed,
    sent: chat('openai-chat', 'evalstate/fast-agent#279', 'o4-mini-2025-04-16', { tools, parallel_tool_calls: false }),
  },
  'gpt-4.1 reasoning_effort': {
    ...removed,
    sent: chat('openai-chat', 'PsycherosAI/Psycheros#41', 'gpt-4.1-nano', { reasoning_effort: 'none' }),
  },
  'gpt-4o thinking': {
    ...removed,
    sent: chat('openai-chat', 'nashsu/llm_wiki#336', 'gpt-4o', { thinking: { type: 'disabled' } }),
  },
  'azure reasoning': {
    ...removed,
    sent: chat('azure', 'musistudio/claude-code-router#724', 'gpt-4o', { reasoning: { effort: 'high' } }),
  },
  'openai json without json': {
    rule: 'request/json-word',
    fix: 'synthetic',
    sent: chat('openai-chat', 'meta-llama/PurpleLlama#94', 'gpt-4o', { response_format: { type: 'json_object' } }),
  },
  'deepseek json without json': {
    rule: 'request/json-word',
    fix: 'synthetic',
    sent: chat('deepseek', 'yubing744/trading-gpt#75', 'deepseek-v4-pro', { response_format: { type: 'json_object' } }),
  },
  'deepseek json_schema': {
    ...removed,
    sent: chat('deepseek', 'ItzCrazyKns/Vane#969', 'deepseek-chat', {
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } },
    }),
  },
  'deepseek-v4 forced tool': {
    rule: 'request/thinking-tool-choice',
    fix: 'lossy',
    sent: chat('deepseek', 'deepseek-ai/DeepSeek-V3#1376', 'deepseek-v4-flash', { tools, tool_choice: 'required' }),
  },
  'opus-4-7 budget': {
    rule: 'anthropic/thinking-unsupported',
    fix: 'lossy',
    sent: claude('earendil-works/pi#3297', 'claude-opus-4-7', { thinking }),
  },
  'haiku-4-5 adaptive': {
    rule: 'anthropic/thinking-unsupported',
    fix: 'lossy',
    sent: claude('elizaOS/eliza#16175', 'claude-haiku-4-5', { thinking: { type: 'adaptive' } }),
  },
  'haiku-4-5 effort': {
    ...removed,
    sent: claude('elizaOS/eliza#16175', 'claude-haiku-4-5-20251001', { output_config: { effort: 'low' } }),
  },
  'sonnet-5 temperature': {
    ...removed,
    sent: claude('onyx-dot-app/onyx#12735', 'claude-sonnet-5', { temperature: 0.2 }),
  },
  'opus-4-5 temperature and top_p': {
    ...removed,
    sent: claude('SalesforceAIResearch/MCP-Universe#49', 'claude-opus-4-5-20251101', { temperature: 0.2, top_p: 0.9 }),
  },
  'opus-4-1 top_k with thinking': {
    ...removed,
    sent: claude('quarkiverse/quarkus-langchain4j#1812', 'claude-opus-4-1-20250805', { top_k: 40, thinking }),
  },
  'claude response_format': {
    ...removed,
    sent: claude('amrit110/oli#7', 'claude-3-7-sonnet-20250219', { response_format: { type: 'json_object' } }),
  },
  'cohere unknown field': {
    rule: 'cohere/extra-fields',
    fix: 'lossy',
    sent: sent('cohere', 'OpenRouterTeam/openrouter-examples#71', {
      model: 'command-a-03-2025',
      messages: [{ role: 'user', content: 'hi', strict: true }],
    }),
  },
  'cohere unknown call': {
    rule: 'cohere/tool-call-not-found',
    fix: 'lossy',
    sent: sent('cohere', 'microsoft/autogen#3270', {
      model: 'command-a-03-2025',
      tools,
      messages: [
        ...messages,
        { role: 'assistant', tool_plan: 'look', tool_calls },
        { role: 'tool', tool_call_id: 'c9', content: 'r' },
      ],
    }),
  },
  'cohere image as text': {
    rule: 'cohere/schema',
    sent: sent('cohere', 'https://docs.cohere.com/reference/chat', {
      model: 'command-a-vision-07-2025',
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: 'https://example.com/a.png' }] }],
    }),
  },
  'groq unknown field': {
    rule: 'groq/extra-fields',
    fix: 'lossy',
    sent: sent('groq', 'ServiceStack/llms#17', {
      model: 'llama-3.3-70b-versatile',
      messages: [{ role: 'user', content: 'hi', timestamp: 1 }],
    }),
  },
  'gemini temperature at the top': {
    ...removed,
    sent: sent('gemini', 'nashsu/llm_wiki#49', { contents, temperature: 0.1 }),
  },
  'gemini format uri': {
    rule: 'request/tool-schema',
    fix: 'lossy',
    sent: declared('google-gemini/gemini-cli#5450', { url: { type: 'string', format: 'uri' } }),
  },
  'gemini numbers as enum': {
    rule: 'request/tool-schema',
    fix: 'lossy',
    sent: declared('microsoft/azure-devops-mcp#145', { kind: { type: 'number', enum: [2, 3] } }),
  },
  'mistral max_completion_tokens': {
    rule: 'request/parameter-moved',
    fix: 'safe',
    sent: chat('mistral', 'editor-code-assistant/eca#231', 'labs-devstral-small-2512', {
      max_completion_tokens: 32000,
    }),
  },
  'mistral store': {
    ...removed,
    sent: chat('mistral', 'Gitlawb/openclaude#739', 'codestral-2508', { store: false }),
  },
  'mistral reasoning_content': {
    rule: 'mistral/extra-fields',
    fix: 'lossy',
    sent: sent('mistral', 'OpenMinis/OpenMinis#87', {
      model: 'mistral-large-latest',
      messages: [...messages, { role: 'assistant', content: 'a', reasoning_content: 'r' }, ...messages],
    }),
  },
  'mistral user after tool': {
    rule: 'mistral/user-after-tool',
    fix: 'synthetic',
    sent: sent('mistral', 'onyx-dot-app/onyx#6458', {
      model: 'mistral-large-latest',
      messages: [
        ...messages,
        { role: 'assistant', tool_calls },
        { role: 'tool', tool_call_id: 'dnEN4JsJy', content: 'r' },
        ...messages,
      ],
    }),
  },
  'bedrock empty error result': {
    rule: 'bedrock/error-result-empty',
    fix: 'synthetic',
    sent: sent('bedrock', 'aws-samples/sample-multi-agent-orchestration-chat-on-agentcore#15', {
      modelId: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
      toolConfig: { tools: [{ toolSpec: { name: 'f', inputSchema: { json: { type: 'object' } } } }] },
      messages: [
        { role: 'user', content: [{ text: 'hi' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 't1', name: 'f', input: {} } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 't1', status: 'error', content: [] } }] },
      ],
    }),
  },
  'grok-4.20 presence_penalty': {
    ...removed,
    sent: chat('xai', 'miaoxworld/NativeTavern#83', 'grok-4.20-0309-non-reasoning', { presence_penalty: 0 }),
  },
  'grok-4-1-fast reasoning_effort': {
    ...removed,
    sent: chat('xai', 'NousResearch/hermes-agent#23088', 'grok-4-1-fast-reasoning', { reasoning_effort: 'low' }),
  },
  'kimi-k2.5 top_p': { ...removed, sent: chat('moonshot', 'CherryHQ/cherry-studio#12731', 'kimi-k2.5', { top_p: 1 }) },
  'responses id of thinking': {
    rule: 'responses/item-id-prefix',
    fix: 'safe',
    sent: sent('openai-responses', 'github/copilot-language-server-release#46', {
      model: 'gpt-5.4',
      input: [...messages, { type: 'reasoning', id: 'thinking_0', summary: [], encrypted_content: 'gAAAAABo' }],
    }),
  },
  'responses stop': {
    ...removed,
    sent: sent('openai-responses', 'langchain-ai/langchain#38336', { model: 'gpt-4o', input: messages, stop: ['a'] }),
  },
} satisfies Expectations;
