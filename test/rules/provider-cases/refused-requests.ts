/** Refused requests of public issues and providers' pages, 2024 to 2026, each made as small as its error allows. */
import type { Expectations } from '../../shared/expectations.js';

/** The smallest pictures. */
const JPEG = `/9j/4AAQSkZJRgABAQAAAQABAAD/${'A'.repeat(60)}`;
const PNG = `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB${'A'.repeat(60)}`;

export default {
  'o-effort-tools': {
    rule: 'request/parameter-removed',
    fix: 'lossy',
    sent: {
      provider: 'openai-chat',
      source: 'openai/openai-openapi#541',
      request: {
        model: 'gpt-5.4',
        messages: [{ role: 'user', content: 'hi' }],
        tools: [
          {
            type: 'function',
            function: { name: 'f', parameters: { type: 'object', properties: { q: { type: 'string' } } } },
          },
        ],
        reasoning_effort: 'medium',
      },
    },
  },
  'o-effort-tools-56': {
    rule: 'request/parameter-missing',
    fix: 'synthetic',
    sent: {
      provider: 'openai-chat',
      source: 'BerriAI/litellm#34569',
      request: {
        model: 'gpt-5.6-terra',
        messages: [{ role: 'user', content: 'hi' }],
        tools: [
          {
            type: 'function',
            function: { name: 'f', parameters: { type: 'object', properties: { q: { type: 'string' } } } },
          },
        ],
      },
    },
  },
  'o-effort-minimal': {
    rule: 'request/parameter-removed',
    fix: 'lossy',
    sent: {
      provider: 'openai-responses',
      source: 'openai/openai-agents-python#2089',
      request: { model: 'gpt-5.1', input: 'hi', reasoning: { effort: 'minimal' } },
    },
  },
  'o-search-action': {
    rule: 'responses/schema',
    fix: 'lossy',
    left: 'responses/schema',
    sent: {
      provider: 'openai-responses',
      source: 'openai/codex#6945',
      request: {
        model: 'gpt-5.1-codex',
        input: [
          { role: 'user', content: 'hi' },
          { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'other' } },
          { role: 'user', content: 'hi' },
        ],
      },
    },
  },
  'a-block-extra': {
    rule: 'anthropic/extra-fields',
    fix: 'lossy',
    sent: {
      provider: 'anthropic',
      source: 'anthropics/claude-code#4378',
      request: {
        model: 'claude-sonnet-4-5',
        max_tokens: 2048,
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'f', input: {}, text: 'x' }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'r' }] },
        ],
        tools: [{ name: 'f', input_schema: { type: 'object', properties: { q: { type: 'string' } } } }],
      },
    },
  },
  'a-block-index': {
    rule: 'anthropic/extra-fields',
    fix: 'lossy',
    sent: {
      provider: 'anthropic',
      source: 'langchain-ai/langchain#31208',
      request: {
        model: 'claude-sonnet-4-5',
        max_tokens: 2048,
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'f', input: {}, index: 1 }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'r' }] },
        ],
        tools: [{ name: 'f', input_schema: { type: 'object', properties: { q: { type: 'string' } } } }],
      },
    },
  },
  'a-thinking-cache': {
    rule: 'anthropic/extra-fields',
    fix: 'lossy',
    sent: {
      provider: 'anthropic',
      source: 'Wei-Shaw/sub2api#225',
      request: {
        model: 'claude-sonnet-4-5',
        max_tokens: 2048,
        messages: [
          { role: 'user', content: 'hi' },
          {
            role: 'assistant',
            content: [
              {
                type: 'thinking',
                thinking: 't',
                signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds',
                cache_control: { type: 'ephemeral' },
              },
              { type: 'text', text: 'a' },
            ],
          },
          { role: 'user', content: 'hi' },
        ],
        thinking: { type: 'enabled', budget_tokens: 1024 },
      },
    },
  },
  'a-max-tokens': {
    rule: 'request/parameter-range',
    fix: 'lossy',
    sent: {
      provider: 'anthropic',
      source: 'anthropics/claude-code#24451',
      request: { model: 'claude-opus-4-5-20251101', max_tokens: 128001, messages: [{ role: 'user', content: 'hi' }] },
    },
  },
  'a-max-tokens-3': {
    rule: 'request/parameter-range',
    fix: 'lossy',
    sent: {
      provider: 'anthropic',
      source: 'anthropics/claude-code#11302',
      request: { model: 'claude-3-opus-20240229', max_tokens: 21333, messages: [{ role: 'user', content: 'hi' }] },
    },
  },
  'a-budget': {
    rule: 'anthropic/thinking-budget',
    fix: 'lossy',
    sent: {
      provider: 'anthropic',
      source: 'vybestack/llxprt-code#1307',
      request: {
        model: 'claude-opus-4-6',
        max_tokens: 2048,
        messages: [{ role: 'user', content: 'hi' }],
        thinking: { type: 'enabled', budget_tokens: 20000 },
      },
    },
  },
  'a-fable-choice': {
    rule: 'request/thinking-tool-choice',
    fix: 'lossy',
    sent: {
      provider: 'anthropic',
      source: 'UKGovernmentBEIS/inspect_ai#5176',
      request: {
        model: 'claude-fable-5-1',
        max_tokens: 2048,
        messages: [{ role: 'user', content: 'hi' }],
        tools: [{ name: 'f', input_schema: { type: 'object', properties: { q: { type: 'string' } } } }],
        tool_choice: { type: 'any' },
      },
    },
  },
  'a-fable-disabled': {
    rule: 'anthropic/thinking-unsupported',
    fix: 'lossy',
    sent: {
      provider: 'anthropic',
      source: 'chunkhound/chunkhound#331',
      request: {
        model: 'claude-fable-5',
        max_tokens: 2048,
        messages: [{ role: 'user', content: 'hi' }],
        thinking: { type: 'disabled' },
      },
    },
  },
  'a-fable-enabled': {
    rule: 'anthropic/thinking-unsupported',
    fix: 'lossy',
    sent: {
      provider: 'anthropic',
      source: 'charmbracelet/fantasy#329',
      request: {
        model: 'claude-fable-5',
        max_tokens: 2048,
        messages: [{ role: 'user', content: 'hi' }],
        thinking: { type: 'enabled', budget_tokens: 1024 },
      },
    },
  },
  'a-all-deferred': {
    rule: 'request/tool-incomplete',
    sent: {
      provider: 'anthropic',
      source: 'nearai/ironclaw#7274',
      request: {
        model: 'claude-sonnet-4-5',
        max_tokens: 2048,
        messages: [{ role: 'user', content: 'hi' }],
        tools: [
          { name: 'f', input_schema: { type: 'object', properties: { q: { type: 'string' } } }, defer_loading: true },
        ],
      },
    },
  },
  'a-image-mismatch': {
    rule: 'anthropic/image-media-type',
    fix: 'safe',
    sent: {
      provider: 'anthropic',
      source: 'home-assistant/core#167208',
      request: {
        model: 'claude-sonnet-4-5',
        max_tokens: 2048,
        messages: [
          {
            role: 'user',
            content: [
              {
                type: 'image',
                source: {
                  type: 'base64',
                  media_type: 'image/png',
                  data: JPEG,
                },
              },
            ],
          },
        ],
      },
    },
  },
  'a-image-pdf': {
    rule: 'anthropic/schema',
    sent: {
      provider: 'anthropic',
      source: 'expectedparrot/edsl#2057',
      request: {
        model: 'claude-sonnet-4-5',
        max_tokens: 2048,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQK' } },
            ],
          },
        ],
      },
    },
  },
  'v-output-config': {
    rule: 'request/parameter-removed',
    fix: 'lossy',
    sent: {
      provider: 'vertex-claude',
      source: 'OpenHands/software-agent-sdk#1630',
      request: {
        anthropic_version: 'vertex-2023-10-16',
        model: 'claude-sonnet-4-5@20250929',
        max_tokens: 2048,
        messages: [{ role: 'user', content: 'hi' }],
        output_config: { effort: 'low' },
      },
    },
  },
  'v-output-format': {
    rule: 'request/parameter-removed',
    fix: 'lossy',
    sent: {
      provider: 'vertex-claude',
      source: 'anthropics/claude-code#37746',
      request: {
        anthropic_version: 'vertex-2023-10-16',
        model: 'claude-haiku-4-5@20251001',
        max_tokens: 2048,
        messages: [{ role: 'user', content: 'hi' }],
        output_config: {
          format: { type: 'json_schema', schema: { type: 'object', additionalProperties: false, properties: {} } },
        },
      },
    },
  },
  'v-diagnostics': {
    rule: 'request/parameter-removed',
    fix: 'lossy',
    sent: {
      provider: 'vertex-claude',
      source: 'anthropics/claude-code#82539',
      request: {
        anthropic_version: 'vertex-2023-10-16',
        model: 'claude-fable-5',
        max_tokens: 2048,
        messages: [{ role: 'user', content: 'hi' }],
        diagnostics: { previous_message_id: null },
      },
    },
  },
  'v-scope': {
    rule: 'anthropic/extra-fields',
    fix: 'lossy',
    sent: {
      provider: 'vertex-claude',
      source: 'caozhiyuan/copilot-api#145',
      request: {
        anthropic_version: 'vertex-2023-10-16',
        model: 'claude-sonnet-4-5',
        max_tokens: 2048,
        messages: [{ role: 'user', content: 'hi' }],
        system: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral', scope: 'global' } }],
      },
    },
  },
  'g-json-functions': {
    rule: 'request/parameter-removed',
    fix: 'lossy',
    sent: {
      provider: 'gemini',
      source: 'analyticalrohit/ai-blog-generator#16',
      request: {
        model: 'gemini-2.5-flash',
        contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
        tools: [
          {
            functionDeclarations: [
              { name: 'f', parameters: { type: 'OBJECT', properties: { q: { type: 'STRING' } } } },
            ],
          },
        ],
        generationConfig: { responseMimeType: 'application/json' },
      },
    },
  },
  'g-search-functions': {
    rule: 'gemini/tools-mixed',
    fix: 'synthetic',
    left: 'gemini/tools-mixed',
    sent: {
      provider: 'gemini',
      source: 'googleapis/go-genai#323',
      request: {
        model: 'gemini-2.5-flash',
        contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
        tools: [
          {
            functionDeclarations: [
              { name: 'f', parameters: { type: 'OBJECT', properties: { q: { type: 'STRING' } } } },
            ],
          },
          { googleSearch: {} },
        ],
      },
    },
  },
  'g-search-functions-3': {
    rule: 'gemini/tools-mixed',
    fix: 'synthetic',
    sent: {
      provider: 'gemini',
      source: 'cloudwego/eino-ext#761',
      request: {
        model: 'gemini-3.1-pro-preview',
        contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
        tools: [
          {
            functionDeclarations: [
              { name: 'f', parameters: { type: 'OBJECT', properties: { q: { type: 'STRING' } } } },
            ],
          },
          { googleSearch: {} },
        ],
      },
    },
  },
  'g-config-no-functions': {
    rule: 'request/tool-choice',
    fix: 'lossy',
    sent: {
      provider: 'gemini',
      source: 'musistudio/claude-code-router#1207',
      request: {
        model: 'gemini-2.5-flash',
        contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
        tools: [{ googleSearch: {} }],
        toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
      },
    },
  },
  'g-property-string': {
    rule: 'request/tool-schema',
    fix: 'lossy',
    sent: {
      provider: 'vertex',
      source: 'decolua/9router#1081',
      request: {
        model: 'gemini-3.1-flash-lite-preview',
        contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
        tools: [
          { functionDeclarations: [{ name: 'f', parameters: { type: 'object', properties: { type: 'object' } } }] },
        ],
      },
    },
  },
  'g-level-25': {
    rule: 'request/parameter-removed',
    fix: 'lossy',
    sent: {
      provider: 'gemini',
      source: 'juspay/neurolink#1707',
      request: {
        model: 'gemini-2.5-flash',
        contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
        generationConfig: { thinkingConfig: { thinkingLevel: 'low' } },
      },
    },
  },
  'b-description-empty': {
    rule: 'bedrock/schema',
    fix: 'safe',
    left: 'bedrock/schema',
    sent: {
      provider: 'bedrock',
      source: 'anomalyco/opencode#48582',
      request: {
        modelId: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
        messages: [{ role: 'user', content: [{ text: 'hi' }] }],
        toolConfig: {
          tools: [{ toolSpec: { name: 'f', inputSchema: { json: { type: 'object' } }, description: '' } }],
        },
      },
    },
  },
  'b-name-empty': {
    rule: 'bedrock/tool-name',
    fix: 'synthetic',
    left: 'bedrock/tool-name',
    sent: {
      provider: 'bedrock',
      source: 'BerriAI/litellm#24668',
      request: {
        modelId: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
        messages: [{ role: 'user', content: [{ text: 'hi' }] }],
        toolConfig: { tools: [{ toolSpec: { name: '', inputSchema: { json: { type: 'object' } } } }] },
      },
    },
  },
  'b-tools-empty': {
    rule: 'bedrock/schema',
    fix: 'safe',
    left: 'bedrock/schema',
    sent: {
      provider: 'bedrock',
      source: 'genkit-ai/aws-bedrock-js-plugin#43',
      request: {
        modelId: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
        messages: [{ role: 'user', content: [{ text: 'hi' }] }],
        toolConfig: { tools: [] },
      },
    },
  },
  'b-choice-llama': {
    rule: 'request/thinking-tool-choice',
    fix: 'lossy',
    sent: {
      provider: 'bedrock',
      source: 'strands-agents/harness-sdk#2075',
      request: {
        modelId: 'us.meta.llama3-3-70b-instruct-v1:0',
        messages: [{ role: 'user', content: [{ text: 'hi' }] }],
        toolConfig: {
          tools: [{ toolSpec: { name: 'f', inputSchema: { json: { type: 'object' } } } }],
          toolChoice: { any: {} },
        },
      },
    },
  },
  'b-choice-fable': {
    rule: 'request/thinking-tool-choice',
    fix: 'lossy',
    sent: {
      provider: 'bedrock',
      source: 'langchain-ai/langchain-aws#1273',
      request: {
        modelId: 'anthropic.claude-fable-5-1',
        messages: [{ role: 'user', content: [{ text: 'hi' }] }],
        toolConfig: {
          tools: [{ toolSpec: { name: 'f', inputSchema: { json: { type: 'object' } } } }],
          toolChoice: { tool: { name: 'f' } },
        },
      },
    },
  },
  'm-tool-required': {
    rule: 'request/parameter-removed',
    fix: 'lossy',
    sent: {
      provider: 'mistral',
      source: 'mistralai/client-python#91',
      request: {
        model: 'mistral-large-latest',
        messages: [{ role: 'user', content: 'hi' }],
        tools: [
          {
            type: 'function',
            function: {
              name: 'f',
              parameters: { type: 'object', properties: { q: { type: 'string' } } },
              required: ['q'],
            },
          },
        ],
      },
    },
  },
  'm-tool-after-user': {
    rule: 'mistral/tool-after-user',
    fix: 'lossy',
    sent: {
      provider: 'mistral',
      source: 'charmbracelet/crush#279',
      request: {
        model: 'mistral-large-latest',
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'tool', tool_call_id: 'abcdefghi', content: 'r' },
        ],
      },
    },
  },
  'm-content-and-calls': {
    rule: 'mistral/content-and-calls',
    sent: {
      provider: 'mistral',
      source: 'github/copilot-cli#4884',
      request: {
        model: 'devstral-latest',
        messages: [
          { role: 'user', content: 'hi' },
          {
            role: 'assistant',
            content: 'I look.',
            tool_calls: [{ id: 'abcdefghi', type: 'function', function: { name: 'f', arguments: '{"q":"x"}' } }],
          },
          { role: 'tool', tool_call_id: 'abcdefghi', content: 'r' },
        ],
      },
    },
  },
  'd-tool-list': {
    rule: 'deepseek/content-list',
    fix: 'safe',
    sent: {
      provider: 'deepseek',
      source: 'MGdaasLab/WHartTest#62',
      request: {
        model: 'deepseek-chat',
        messages: [
          { role: 'user', content: 'hi' },
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"q":"x"}' } }],
          },
          { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'r' }] },
        ],
      },
    },
  },
  'd-max-tokens': {
    rule: 'request/parameter-range',
    fix: 'lossy',
    sent: {
      provider: 'deepseek',
      source: 'musistudio/claude-code-router#1249',
      request: { model: 'deepseek-chat', messages: [{ role: 'user', content: 'hi' }], max_tokens: 32000 },
    },
  },
  'd-max-tokens-v4': {
    rule: 'request/parameter-range',
    fix: 'lossy',
    sent: {
      provider: 'deepseek',
      source: 'MoonshotAI/kimi-code#509',
      request: { model: 'deepseek-v4-pro', messages: [{ role: 'user', content: 'hi' }], max_tokens: 400000 },
    },
  },
  'x-duplicate': {
    rule: 'request/tool-name-duplicate',
    fix: 'safe',
    sent: {
      provider: 'xai',
      source: 'chenyme/grok2api#879',
      request: {
        model: 'grok-4.5',
        messages: [{ role: 'user', content: 'hi' }],
        tools: [
          {
            type: 'function',
            function: { name: 'view_image', parameters: { type: 'object', properties: { q: { type: 'string' } } } },
          },
          {
            type: 'function',
            function: { name: 'view_image', parameters: { type: 'object', properties: { q: { type: 'string' } } } },
          },
        ],
      },
    },
  },
  'x-penalty-46': {
    rule: 'request/parameter-removed',
    fix: 'lossy',
    sent: {
      provider: 'xai',
      source: 'miaoxworld/NativeTavern#83',
      request: { model: 'grok-4.6', messages: [{ role: 'user', content: 'hi' }], presence_penalty: 0 },
    },
  },
  'x-effort': {
    rule: 'request/parameter-removed',
    fix: 'lossy',
    sent: {
      provider: 'xai',
      source: 'JetBrains/junie#39',
      request: {
        model: 'grok-4-1-fast-reasoning',
        messages: [{ role: 'user', content: 'hi' }],
        reasoning_effort: 'low',
      },
    },
  },
  'q-user-calls': {
    rule: 'groq/extra-fields',
    fix: 'lossy',
    sent: {
      provider: 'groq',
      source: 'julep-ai/julep#885',
      request: { model: 'llama-3.3-70b-versatile', messages: [{ role: 'user', content: 'hi', tool_calls: null }] },
    },
  },
  'q-effort-qwen': {
    rule: 'request/parameter-removed',
    fix: 'lossy',
    sent: {
      provider: 'groq',
      source: 'pydantic/pydantic-ai#3798',
      request: { model: 'qwen/qwen3-32b', messages: [{ role: 'user', content: 'hi' }], reasoning_effort: 'low' },
    },
  },
  'q-logprobs': {
    rule: 'request/parameter-removed',
    fix: 'lossy',
    sent: {
      provider: 'groq',
      source: 'https://console.groq.com/docs/openai',
      request: { model: 'llama-3.3-70b-versatile', messages: [{ role: 'user', content: 'hi' }], logprobs: true },
    },
  },
  'q-raw-tools': {
    rule: 'request/parameter-removed',
    fix: 'lossy',
    sent: {
      provider: 'groq',
      source: 'https://console.groq.com/docs/reasoning',
      request: {
        model: 'qwen/qwen3-32b',
        messages: [{ role: 'user', content: 'hi' }],
        tools: [
          {
            type: 'function',
            function: { name: 'f', parameters: { type: 'object', properties: { q: { type: 'string' } } } },
          },
        ],
        reasoning_format: 'raw',
      },
    },
  },
  'h-strict': {
    rule: 'request/parameter-removed',
    fix: 'lossy',
    sent: {
      provider: 'cohere',
      source: 'OpenRouterTeam/openrouter-examples#71',
      request: {
        model: 'command-a-03-2025',
        messages: [{ role: 'user', content: 'hi' }],
        tools: [
          {
            type: 'function',
            function: {
              name: 'f',
              parameters: { type: 'object', properties: { q: { type: 'string' } } },
              strict: true,
            },
          },
        ],
      },
    },
  },
  'k-no-type': {
    rule: 'moonshot/tool-schema',
    sent: {
      provider: 'moonshot',
      source: 'earendil-works/pi#4138',
      request: {
        model: 'kimi-k2.6',
        messages: [{ role: 'user', content: 'hi' }],
        tools: [
          {
            type: 'function',
            function: { name: 'f', parameters: { type: 'object', properties: { source: { description: 'x' } } } },
          },
        ],
      },
    },
  },
  'k-ref': {
    rule: 'moonshot/tool-schema',
    sent: {
      provider: 'moonshot',
      source: 'CommandCodeAI/command-code#594',
      request: {
        model: 'kimi-k2.6',
        messages: [{ role: 'user', content: 'hi' }],
        tools: [
          {
            type: 'function',
            function: {
              name: 'f',
              parameters: { type: 'object', properties: { a: { type: 'string' }, b: { $ref: '#/properties/a' } } },
            },
          },
        ],
      },
    },
  },
  'k-ref-description': {
    rule: 'moonshot/tool-schema',
    sent: {
      provider: 'moonshot',
      source: 'MoonshotAI/kimi-cli#1903',
      request: {
        model: 'kimi-k2.6',
        messages: [{ role: 'user', content: 'hi' }],
        tools: [
          {
            type: 'function',
            function: {
              name: 'f',
              parameters: {
                type: 'object',
                $defs: { V: { type: 'object', description: 'd', properties: {} } },
                properties: { variantOptions: { $ref: '#/$defs/V', description: 'x' } },
              },
            },
          },
        ],
      },
    },
  },
  'k-name': {
    rule: 'request/tool-name',
    sent: {
      provider: 'moonshot',
      source: 'MoonshotAI/kimi-cli#2164',
      request: {
        model: 'kimi-k2.6',
        messages: [{ role: 'user', content: 'hi' }],
        tools: [
          {
            type: 'function',
            function: { name: '1search', parameters: { type: 'object', properties: { q: { type: 'string' } } } },
          },
        ],
      },
    },
  },
  'k-temp-k3': {
    rule: 'request/parameter-removed',
    fix: 'lossy',
    sent: {
      provider: 'moonshot',
      source: 'Devin-AXIS/AINO#223',
      request: { model: 'kimi-k3', messages: [{ role: 'user', content: 'hi' }], temperature: 0.2 },
    },
  },
  'z-no-user': {
    rule: 'zhipu/user-missing',
    fix: 'synthetic',
    sent: {
      provider: 'zhipu',
      source: 'anomalyco/opencode#2557',
      request: {
        model: 'glm-4.5',
        messages: [
          { role: 'system', content: 's' },
          { role: 'assistant', content: 'a' },
        ],
      },
    },
  },
  'z-empty': {
    rule: 'chat/message-empty',
    fix: 'lossy',
    sent: {
      provider: 'zhipu',
      source: 'anomalyco/opencode#22209',
      request: {
        model: 'glm-4.7',
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: '' },
          { role: 'user', content: 'hi' },
        ],
      },
    },
  },
  'z-image': {
    rule: 'deepseek/image-unsupported',
    fix: 'lossy',
    sent: {
      provider: 'zhipu',
      source: 'musistudio/claude-code-router#429',
      request: {
        model: 'glm-4.5',
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'x' },
              {
                type: 'image_url',
                image_url: {
                  url: PNG,
                },
              },
            ],
          },
        ],
      },
    },
  },
  'n-parameters-empty': {
    rule: 'request/tool-incomplete',
    sent: {
      provider: 'minimax',
      source: 'QwenLM/qwen-code#11834',
      request: {
        model: 'MiniMax-M2.5',
        messages: [{ role: 'user', content: 'hi' }],
        tools: [{ type: 'function', function: { name: 'f' } }],
      },
    },
  },
  'n-args': {
    rule: 'chat/arguments-invalid-json',
    fix: 'lossy',
    sent: {
      provider: 'minimax',
      source: 'HKUDS/nanobot#2373',
      request: {
        model: 'MiniMax-M2.5',
        messages: [
          { role: 'user', content: 'hi' },
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"q":' } }],
          },
          { role: 'tool', tool_call_id: 'c1', content: 'r' },
        ],
      },
    },
  },
  'n-late-system': {
    rule: 'chat/late-system',
    fix: 'lossy',
    sent: {
      provider: 'minimax',
      source: 'BigPizzaV3/CodexPlusPlus#267',
      request: {
        model: 'MiniMax-M2.5',
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'system', content: 's' },
          { role: 'user', content: 'hi' },
        ],
      },
    },
  },
  'n-tool-type': {
    rule: 'request/tool-incomplete',
    sent: {
      provider: 'minimax',
      source: 'decolua/9router#2509',
      request: {
        model: 'MiniMax-M2.5',
        messages: [{ role: 'user', content: 'hi' }],
        tools: [{ function: { name: 'f', parameters: { type: 'object', properties: {} } } }],
      },
    },
  },
  's-no-user': {
    rule: 'zhipu/user-missing',
    fix: 'synthetic',
    sent: {
      provider: 'dashscope',
      source: 'agentscope-ai/agentscope-java#613',
      request: {
        model: 'qwen3-vl-plus',
        messages: [
          { role: 'system', content: 's' },
          { role: 'assistant', content: 'a' },
        ],
      },
    },
  },
  's-choice-unknown': {
    rule: 'request/tool-choice',
    fix: 'lossy',
    sent: {
      provider: 'dashscope',
      source: 'browser-use/web-ui#586',
      request: {
        model: 'qwen-vl-max',
        messages: [{ role: 'user', content: 'hi' }],
        tools: [
          {
            type: 'function',
            function: { name: 'f', parameters: { type: 'object', properties: { q: { type: 'string' } } } },
          },
        ],
        tool_choice: { type: 'function', function: { name: 'AgentOutput' } },
      },
    },
  },
  's-thinking-nonstream': {
    rule: 'request/parameter-missing',
    fix: 'synthetic',
    sent: {
      provider: 'dashscope',
      source: 'coze-dev/coze-studio#324',
      request: { model: 'qwen3-32b', messages: [{ role: 'user', content: 'hi' }] },
    },
  },
  's-json-thinking': {
    rule: 'request/parameter-removed',
    fix: 'lossy',
    sent: {
      provider: 'dashscope',
      source: 'https://help.aliyun.com/zh/model-studio/error-code',
      request: {
        model: 'qwen-plus',
        messages: [{ role: 'user', content: 'json' }],
        stream: true,
        enable_thinking: true,
        response_format: { type: 'json_object' },
      },
    },
  },
  's-temperature': {
    rule: 'request/parameter-range',
    fix: 'lossy',
    sent: {
      provider: 'dashscope',
      source: 'https://help.aliyun.com/zh/model-studio/error-code',
      request: { model: 'qwen-plus', messages: [{ role: 'user', content: 'hi' }], temperature: 2 },
    },
  },
  's-top-p': {
    rule: 'request/parameter-range',
    fix: 'lossy',
    sent: {
      provider: 'dashscope',
      source: 'https://help.aliyun.com/zh/model-studio/error-code',
      request: { model: 'qwen-plus', messages: [{ role: 'user', content: 'hi' }], top_p: 0 },
    },
  },
  'p-nim-empty': {
    rule: 'chat/content-missing',
    fix: 'safe',
    sent: {
      provider: 'openai-compatible',
      source: 'CherryHQ/cherry-studio#16155',
      request: {
        model: 'google/diffusiongemma-26b-a4b-it',
        messages: [
          { role: 'user', content: 'hi' },
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"q":"x"}' } }],
          },
          { role: 'tool', tool_call_id: 'c1', content: 'r' },
        ],
      },
    },
  },
} satisfies Expectations;
