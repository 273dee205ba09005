/** Parameters that an API, or a model of it, does not take, or not with these values or beside others. */
import type { JsonNode } from '../../json/node.js';
import { FOREIGN } from './foreign-parameters.js';
import {
  ANTHROPIC,
  BEDROCK,
  CHAT,
  declares,
  GEMINI,
  has,
  hasNoEdit,
  hasTool,
  hasTools,
  is,
  isJson,
  isNot,
  isOf,
  isOff,
  none,
  OPENAI,
  type ParameterRow,
  REASONING,
  REMODELED,
  reasons,
  withoutEdits,
} from './parameters.js';
import { valueAt } from './request.js';

const isNotOn = (path: string) => (body: JsonNode) => valueAt(body, path)?.boolean !== true;
const thinks = (body: JsonNode) => valueAt(body, 'thinking.type')?.string === 'enabled';
const [CONFIG, THINKING] = ['generationConfig', 'generationConfig.thinkingConfig'];

export const REMOVED: readonly ParameterRow[] = [
  {
    providers: [...OPENAI, 'openai-responses'],
    models: REASONING,
    except: CHAT,
    when: reasons,
    fields: {
      temperature: is(1),
      top_p: is(1),
      presence_penalty: is(0),
      frequency_penalty: is(0),
      logprobs: isOff,
      top_logprobs: is(0),
      logit_bias: (value) => value.members().length === 0,
    },
    source: 'tmc/langchaingo#1355; griptape-ai/griptape#1915, 2025-04; https://zenn.dev/headwaters, 2025-09',
  },
  {
    providers: OPENAI,
    models: /^(?:o3|o4|gpt-5(?!\.))/,
    except: /-chat|o3-mini/,
    fields: none('stop'),
    source: 'langgenius/dify#18971, crewAIInc/crewAI#2738, 2025-05; huggingface/smolagents#1671, 2025-08',
  },
  {
    providers: OPENAI,
    models: /^o[134]/,
    fields: none('parallel_tool_calls'),
    source: 'evalstate/fast-agent#279, 2025-07; run-llama/llama_index#20865, 2026-03',
  },
  {
    providers: OPENAI,
    models: /^(?:gpt-[34]|chatgpt-4o)/,
    fields: none('reasoning_effort'),
    source: 'davidmigloz/langchain_dart#712, 2025-06; PsycherosAI/Psycheros#41, 2026-07',
  },
  {
    providers: ['openai-responses'],
    fields: none('stream_options.include_usage'),
    source: 'openresponses/openresponses#59, 2026-03; langchain-ai/langchain#38336, 2026-06',
  },
  {
    providers: ANTHROPIC,
    models: REMODELED,
    fields: { temperature: is(1), top_p: is(1), top_k: null },
    source:
      'The-PR-Agent/pr-agent#2456, 2026-06; onyx-dot-app/onyx#12735, immersive-translate/immersive-translate#3971, ' +
      '2026-07; https://platform.claude.com/docs/en/about-claude/models/migration-guide',
  },
  {
    providers: ANTHROPIC,
    models: /claude-(?:opus-4-[1-6]|sonnet-4-[5-9]|haiku-4-5)(?!\d)/,
    when: (body) => valueAt(body, 'temperature') !== undefined,
    fields: none('top_p'),
    source: 'cloud-apim/otoroshi-llm-extension#140, 2025-10; SalesforceAIResearch/MCP-Universe#49, 2026-01',
  },
  {
    providers: ANTHROPIC,
    when: thinks,
    fields: { temperature: is(1), top_p: (value) => (value.number ?? 1) >= 0.95, top_k: null },
    source: 'https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking, 2026-11',
  },
  {
    providers: ANTHROPIC,
    models: /claude-(?:3|(?:haiku|sonnet)-4-5|(?:opus|sonnet)-4(?:-[01](?!\d)|-20\d|@|$))/,
    fields: none('output_config.effort'),
    source: 'envoyproxy/ai-gateway#1988, 2026-03; elizaOS/eliza#16175, 2026-07',
  },
  {
    providers: ['deepseek'],
    models: /^deepseek-reasoner/,
    fields: { logprobs: isOff, top_logprobs: null },
    source: 'https://api-docs.deepseek.com/guides/reasoning_model, 2026-11',
  },
  {
    providers: ['deepseek'],
    models: /^deepseek-(?:chat|reasoner)/,
    fields: { response_format: (value) => value.get('type')?.string !== 'json_schema' },
    source: 'google/adk-python#1849, 2025-07; ItzCrazyKns/Vane#969, 2026-01',
  },
  {
    providers: ['xai'],
    models: /^grok-(?:4|3-mini)/,
    except: /^grok-4-(?:1-)?fast-non-reasoning/,
    fields: none('presence_penalty', 'frequency_penalty', 'stop'),
    source:
      'huggingface/smolagents#1766, 2025-09; QuantumNous/new-api#6081, 2026-07; miaoxworld/NativeTavern#83, 2026-09',
  },
  {
    providers: ['xai'],
    models: /^grok-4(?:$|-(?!\d$)|\.20)/,
    except: /multi-agent/,
    fields: none('reasoning_effort'),
    source: 'BerriAI/litellm#16265, 2025-11; NousResearch/hermes-agent#23088, chenyme/grok2api#814, 2026-07',
  },
  {
    providers: ['moonshot'],
    models: /^kimi-k2\.[56]/,
    fields: { temperature: is(1, 0.6), top_p: is(0.95) },
    source: 'iOfficeAI/gemini-cli-pro#30, CherryHQ/cherry-studio#12731, 2026-02; HKUDS/nanobot#4967, 2026-07',
  },
  {
    // gpt-5.6 and gpt-5.5 reason unless they are told not to: request/parameter-missing
    providers: OPENAI,
    models: /^gpt-5\.[2-9]/,
    except: CHAT,
    when: hasTools,
    fields: { reasoning_effort: isOf('none') },
    source: 'livekit/agents#5088, pipecat-ai/pipecat#4043, 2026-03; openai/openai-openapi#541, 2026-05',
  },
  {
    providers: [...OPENAI, 'openai-responses'],
    models: /^gpt-5\.1(?!\d)/,
    fields: { reasoning_effort: isNot('minimal', 'xhigh'), 'reasoning.effort': isNot('minimal', 'xhigh') },
    except: /codex-max/,
    source: 'openai/openai-agents-python#2089, anomalyco/opencode#4451, 2025-11',
  },
  {
    providers: [...OPENAI, 'openai-responses'],
    models: /^gpt-5(?:-mini|-nano)?(?:-2025|$)/,
    fields: { reasoning_effort: isNot('none', 'xhigh'), 'reasoning.effort': isNot('none', 'xhigh') },
    source: 'types of `openai` 6.49.0, 2026-11',
  },
  {
    providers: [...OPENAI, 'openai-responses'],
    models: /^(?:gpt-[34]|chatgpt-4o)/,
    fields: { verbosity: isOf('medium'), 'text.verbosity': isOf('medium'), 'reasoning.effort': null },
    source: 'google-deepmind/concordia#164, 2025-09; enricoros/big-AGI#947, 2026-01',
  },
  {
    providers: ['openai-responses'],
    when: hasTool('web_search'),
    fields: { 'reasoning.effort': isNot('minimal') },
    source: 'openai/codex#3559, 2025-09',
  },
  {
    providers: OPENAI,
    when: isNotOn('logprobs'),
    fields: none('top_logprobs'),
    source: 'types of `openai` 6.49.0, 2026-11',
  },
  {
    providers: OPENAI,
    when: isNotOn('stream'),
    fields: none('stream_options'),
    source: 'types of `openai` 6.49.0, 2026-11',
  },
  {
    providers: ANTHROPIC,
    fields: { stop_sequences: (value) => value.items().every(({ text }) => text.trim() !== '') },
    source: 'https://docs.anthropic.com/en/api/messages, 2026-11',
  },
  {
    providers: ANTHROPIC,
    when: (body) => !['enabled', 'adaptive'].includes(valueAt(body, 'thinking.type')?.string ?? ''),
    fields: { context_management: hasNoEdit('clear_thinking_') },
    narrowed: withoutEdits('clear_thinking_'),
    source: 'anthropics/claude-code#11971, 2025-11',
    except: REMODELED,
  },
  {
    providers: ['vertex-claude'],
    models: /claude-(?:haiku|sonnet)-4-5/,
    fields: none('output_config'),
    source: 'OpenHands/software-agent-sdk#1630, 2026-01; anthropics/claude-code#37746, 2026-03',
  },
  {
    providers: BEDROCK,
    models: REMODELED,
    fields: { 'inferenceConfig.temperature': is(1), 'inferenceConfig.topP': is(1) },
    source: 'The-PR-Agent/pr-agent#2456, 2026-06',
  },
  {
    providers: BEDROCK,
    models: /claude-(?:opus-4-[1-6]|sonnet-4-[5-9]|haiku-4-5)(?!\d)/,
    when: has('inferenceConfig.temperature'),
    fields: none('inferenceConfig.topP'),
    source: 'cloud-apim/otoroshi-llm-extension#140, 2025-10',
  },
  {
    providers: BEDROCK,
    models: /deepseek\.r1|amazon\.titan/,
    fields: none('toolConfig'),
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference.html, 2026-11',
  },
  {
    providers: GEMINI,
    models: /^gemini-[12]/,
    when: declares,
    fields: { [`${CONFIG}.responseMimeType`]: isNot('application/json') },
    source: 'analyticalrohit/ai-blog-generator#16, 2025-11; google-gemini/cookbook#393, 2025-01',
  },
  {
    providers: GEMINI,
    models: /^gemini-(?:2\.5-pro|3\.1-pro|3-pro)/,
    fields: { [`${THINKING}.thinkingBudget`]: ({ number }) => number !== 0 },
    source: 'vercel/ai#8027, 2025-08; docker/docker-agent#2051, 2026-03; earendil-works/pi#3460, 2026-04',
  },
  {
    providers: GEMINI,
    when: has(`${THINKING}.thinkingLevel`),
    fields: none(`${THINKING}.thinkingBudget`),
    source: 'https://ai.google.dev/gemini-api/docs/gemini-3, 2026-11',
  },
  {
    providers: GEMINI,
    models: /^gemini-(?:1|2)/,
    fields: none(`${THINKING}.thinkingLevel`),
    source: 'juspay/neurolink#1707, 2026; https://ai.google.dev/gemini-api/docs/thinking, 2026-11',
  },
  {
    providers: GEMINI,
    models: /^gemma-3/,
    fields: {
      ...none('systemInstruction', 'system_instruction', 'tools'),
      [`${CONFIG}.responseMimeType`]: isNot('application/json'),
    },
    source: '0xPlaygrounds/rig#788, 2025-09; BerriAI/litellm#10313, 2025-04; truefoundry/models#608, 2026-04',
  },
  {
    providers: GEMINI,
    when: has('cachedContent'),
    fields: none('systemInstruction', 'tools', 'toolConfig'),
    source: 'https://ai.google.dev/api/caching, 2026-11',
  },
  {
    providers: GEMINI,
    fields: none(...['maxTokens', 'max_tokens', 'response_format', 'stop'].map((key) => `${CONFIG}.${key}`)),
    source: 'https://ai.google.dev/api/generate-content#GenerationConfig, 2026-11',
  },
  {
    providers: ['groq'],
    when: hasTools,
    fields: { response_format: (value) => !isJson(value), reasoning_format: isNot('raw') },
    source: 'agno-agi/agno#1065, 2024-07; https://console.groq.com/docs/reasoning, 2026-11',
  },
  {
    providers: ['groq'],
    models: /^qwen/,
    fields: { reasoning_effort: isOf('none', 'default') },
    source: 'pydantic/pydantic-ai#3798, 2025-12; https://console.groq.com/docs/reasoning, 2026-11',
  },
  {
    providers: ['groq'],
    fields: { logprobs: isOff, top_logprobs: null },
    source: 'https://console.groq.com/docs/openai, 2026-11',
  },
  {
    providers: ['dashscope'],
    when: (body) => body.get('enable_thinking')?.boolean === true,
    fields: { response_format: (value) => !isJson(value) },
    source: 'https://help.aliyun.com/zh/model-studio/error-code, 2026-11',
  },
  {
    providers: ['openrouter'],
    when: has('reasoning.effort'),
    fields: none('reasoning.max_tokens'),
    source: 'https://openrouter.ai/docs/use-cases/reasoning-tokens, 2026-11',
  },
  {
    providers: ['moonshot'],
    models: /^kimi-k3/,
    fields: { temperature: is(1) },
    source: 'Devin-AXIS/AINO#223, 2026-08',
  },
  ...FOREIGN,
];
