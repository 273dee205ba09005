/** Keys of model providers and of the services around them. The forms were read in November 2026. */
import { defineRules } from '../rule.js';

export const modelKeys = defineRules([
  {
    id: 'anthropic-key',
    title: 'Anthropic API key',
    anchors: ['sk-ant-api', 'sk-ant-admin'],
    pattern: /sk-ant-(?:api|admin)\d\d-[\w-]{80,120}/y,
    tier: 'definite',
    // https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns
  },
  {
    id: 'anthropic-session',
    title: 'Anthropic session or refresh token',
    anchors: ['sk-ant-oat', 'sk-ant-ort', 'sk-ant-sid'],
    pattern: /sk-ant-(?:oat|ort|sid)\d\d-[\w-]{80,120}/y,
    tier: 'definite',
    // https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns
  },
  {
    id: 'openai-key',
    title: 'OpenAI API key',
    anchors: ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-'],
    pattern: /sk-(?:proj|svcacct|admin|None)-[\w-]{20,}T3BlbkFJ[\w-]{20,}/y,
    tier: 'definite',
    // https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns
  },
  {
    id: 'sk-key',
    title: 'API key that begins with sk- (OpenAI, DeepSeek, Moonshot, DashScope)',
    anchors: ['sk-'],
    pattern: /sk-(?:[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|[0-9a-f]{32}|[A-Za-z0-9]{48})(?![\w-])/y,
    tier: 'definite',
    // https://platform.openai.com/docs/api-reference/authentication
  },
  {
    id: 'openrouter-key',
    title: 'OpenRouter API key',
    anchors: ['sk-or-v1-'],
    pattern: /sk-or-v1-[0-9a-f]{64}(?!\w)/y,
    tier: 'definite',
    // https://openrouter.ai/docs/api-reference/authentication
  },
  {
    id: 'google-api-key',
    title: 'Google API key (Gemini, Maps, Firebase)',
    anchors: ['AIza'],
    pattern: /AIza[\w-]{35}(?![\w-])/y,
    tier: 'definite',
    // https://cloud.google.com/docs/authentication/api-keys
  },
  {
    id: 'hugging-face-token',
    title: 'Hugging Face token',
    anchors: ['hf_', 'api_org_'],
    pattern: /(?:hf_|api_org_)[A-Za-z]{34}(?!\w)/y,
    tier: 'definite',
    // https://huggingface.co/docs/hub/security-tokens
  },
  {
    id: 'groq-key',
    title: 'Groq API key',
    anchors: ['gsk_'],
    pattern: /gsk_[A-Za-z0-9]{52}(?!\w)/y,
    tier: 'definite',
    // https://console.groq.com/docs/quickstart
  },
  {
    id: 'xai-key',
    title: 'xAI API key',
    anchors: ['xai-'],
    pattern: /xai-[A-Za-z0-9]{70,90}(?!\w)/y,
    tier: 'definite',
    // https://docs.x.ai/docs/overview
  },
  {
    id: 'replicate-token',
    title: 'Replicate API token',
    anchors: ['r8_'],
    pattern: /r8_[A-Za-z0-9]{37}(?!\w)/y,
    tier: 'definite',
    // https://replicate.com/docs/topics/security/api-tokens
  },
  {
    id: 'perplexity-key',
    title: 'Perplexity API key',
    anchors: ['pplx-'],
    pattern: /pplx-[A-Za-z0-9]{48}(?!\w)/y,
    tier: 'definite',
    // https://docs.perplexity.ai/guides/api-key-management
  },
  {
    id: 'nvidia-key',
    title: 'NVIDIA API key',
    anchors: ['nvapi-'],
    pattern: /nvapi-[\w-]{60,70}(?![\w-])/y,
    tier: 'definite',
    // https://docs.nvidia.com/nim/large-language-models/latest/getting-started.html
  },
  {
    id: 'cerebras-key',
    title: 'Cerebras API key',
    anchors: ['csk-'],
    pattern: /csk-[a-z0-9]{48}(?!\w)/y,
    tier: 'definite',
    // https://inference-docs.cerebras.ai/quickstart
  },
  {
    id: 'together-key',
    title: 'Together AI API key',
    anchors: ['tgp_v1_'],
    pattern: /tgp_v1_[\w-]{43}(?![\w-])/y,
    tier: 'definite',
    // https://docs.together.ai/docs/api-keys-authentication
  },
  {
    id: 'langsmith-key',
    title: 'LangSmith API key',
    anchors: ['lsv2_pt_', 'lsv2_sk_'],
    pattern: /lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}(?!\w)/y,
    tier: 'definite',
    source:
      'https://docs.smith.langchain.com/administration/how_to_guides/organization_management/create_account_api_key',
  },
  {
    id: 'langfuse-key',
    title: 'Langfuse secret key',
    anchors: ['sk-lf-'],
    pattern: /sk-lf-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?!\w)/y,
    tier: 'definite',
    // https://langfuse.com/faq/all/where-are-langfuse-api-keys
  },
  {
    id: 'tavily-key',
    title: 'Tavily API key',
    anchors: ['tvly-'],
    pattern: /tvly-(?:dev-|prod-)?[A-Za-z0-9]{32,40}(?!\w)/y,
    tier: 'definite',
    // https://docs.tavily.com/documentation/quickstart
  },
  {
    id: 'firecrawl-key',
    title: 'Firecrawl API key',
    anchors: ['fc-'],
    pattern: /fc-[0-9a-f]{32}(?!\w)/y,
    tier: 'definite',
    // https://docs.firecrawl.dev/introduction
  },
  {
    id: 'e2b-key',
    title: 'E2B API key',
    anchors: ['e2b_'],
    pattern: /e2b_[0-9a-f]{40}(?!\w)/y,
    tier: 'definite',
    // https://e2b.dev/docs/api-key
  },
]);
