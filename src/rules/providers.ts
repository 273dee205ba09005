/** The providers whose rules a history can be checked against. */

import { MISTRAL_MODELS } from '../formats/openai/chat-models.js';

export interface Provider {
  readonly id: string;
  readonly title: string;
  /** The format that its API accepts. */
  readonly format: string;
  /** A provider whose rules apply here too. */
  readonly like?: string;
  /** Matches the names of its models: a recording of one of them was sent to it. */
  readonly models?: RegExp;
  /** Another format with the same messages. */
  readonly also?: string;
  /** Matches the names of models whose requests it passes on to their vendor, whose API judges them. */
  readonly forwards?: RegExp;
  /** The provider of recordings in its format whose model does not match `own`. */
  readonly others?: { readonly provider: string; readonly own: RegExp };
}

/** Matches the names of OpenAI's own models. Others serve `gpt-oss`, whose weights are open. */
export const OPENAI_MODELS = /^(?:gpt(?!-oss)|chatgpt|o\d|ft:|text-|davinci|babbage|codex|computer-use)/i;

/**
 * Names of the models that an API has. An API that is not here takes any name.
 * https://docs.anthropic.com/en/docs/about-claude/models, https://ai.google.dev/gemini-api/docs/models,
 * https://docs.aws.amazon.com/bedrock/latest/userguide/models-supported.html, 2026-01
 */
const SERVED: ReadonlyMap<string, RegExp> = new Map([
  ['openai-chat', OPENAI_MODELS],
  ['openai-responses', OPENAI_MODELS],
  ['anthropic', /^claude/],
  ['vertex-claude', /^claude/],
  ['gemini', /^(?:gemini|gemma|learnlm)/],
  ['vertex', /^(?:gemini|gemma|learnlm)/],
  ['bedrock', /^(?:arn:|(?:[a-z-]+\.)?[a-z0-9]+\.[a-z])/],
  ['bedrock-llama', /(?:^|\.)meta\.llama/],
]);

/** Whether the provider has a model of this name; true where it is not known. */
export function serves(provider: Provider, model: string): boolean {
  return hasModel(provider, model) ?? true;
}

function hasModel({ id, models }: Provider, model: string): boolean | undefined {
  return (SERVED.get(id) ?? models)?.test(model.slice(model.lastIndexOf('/') + 1));
}

/** Whether the provider, or the one whose rules it has, is known to have a model of this name. */
export function owns(provider: Provider, model: string): boolean {
  return hasModel(provider, model) ?? hasModel(providerNamed(provider.like ?? '') ?? provider, model) ?? false;
}

export const providers: readonly Provider[] = [
  {
    id: 'openai-chat',
    title: 'OpenAI Chat Completions',
    format: 'openai-chat',
    others: { provider: 'openai-compatible', own: OPENAI_MODELS },
  },
  { id: 'azure', title: 'Azure OpenAI', format: 'openai-chat', like: 'openai-chat' },
  { id: 'openai-responses', title: 'OpenAI Responses, Codex', format: 'openai-responses' },
  { id: 'anthropic', title: 'Anthropic Messages', format: 'anthropic-messages' },
  { id: 'vertex-claude', title: 'Claude on Vertex AI', format: 'anthropic-messages', like: 'anthropic' },
  { id: 'gemini', title: 'Gemini API', format: 'gemini-contents' },
  { id: 'vertex', title: 'Gemini on Vertex AI', format: 'gemini-contents', like: 'gemini' },
  { id: 'gemini-interactions', title: 'Gemini Interactions API', format: 'gemini-interactions' },
  { id: 'bedrock', title: 'Amazon Bedrock Converse', format: 'bedrock-converse' },
  {
    id: 'bedrock-llama',
    title: 'Llama on Amazon Bedrock Converse',
    format: 'bedrock-converse',
    like: 'bedrock',
    models: /(?:^|\.)meta\.llama/,
  },
  { id: 'mistral', title: 'Mistral', format: 'openai-chat', models: MISTRAL_MODELS },
  { id: 'deepseek', title: 'DeepSeek', format: 'openai-chat', like: 'openai-chat', models: /^deepseek/ },
  {
    id: 'moonshot',
    title: 'Moonshot (Kimi)',
    format: 'openai-chat',
    like: 'openai-chat',
    models: /^(?:moonshot-v\d|kimi-)(?!.*instruct)/,
  },
  {
    id: 'zhipu',
    title: 'Zhipu, Z.ai (GLM)',
    format: 'openai-chat',
    like: 'openai-chat',
    models: /^(?:glm|chatglm|codegeex)-/,
  },
  { id: 'cohere', title: 'Cohere', format: 'openai-chat', also: 'cohere-chat', models: /^command-/ },
  { id: 'ollama', title: 'Ollama, its own API', format: 'ollama-chat' },
  { id: 'groq', title: 'Groq, Cerebras', format: 'openai-chat', like: 'openai-chat' },
  { id: 'dashscope', title: 'DashScope (Qwen)', format: 'openai-chat', like: 'openai-chat', models: /^(?:qwen|qwq)/ },
  { id: 'minimax', title: 'MiniMax', format: 'openai-chat', like: 'openai-chat', models: /^(?:minimax|abab)/i },
  { id: 'xai', title: 'xAI (Grok)', format: 'openai-chat', like: 'openai-chat', models: /^grok/ },
  { id: 'github-copilot', title: 'GitHub Copilot', format: 'openai-chat', like: 'openai-chat' },
  { id: 'openrouter', title: 'OpenRouter', format: 'openai-chat', like: 'openai-chat', forwards: /./ },
  {
    id: 'openai-compatible',
    title: 'vLLM, SGLang, llama.cpp, LiteLLM',
    format: 'openai-chat',
    like: 'openai-chat',
    forwards: /^(?:moonshot-v|kimi-|glm-|command-)[^/]*$/, // open models have their organization before the name there
  },
];

/** Formats of SDKs whose requests go to one API. */
const SENT_AS: ReadonlyMap<string, string> = new Map([['openai-agents', 'openai-responses']]);

export function providerNamed(id: string): Provider | undefined {
  return providers.find((provider) => provider.id === id);
}

/** The ids of a provider and of all providers whose rules apply to it. */
export function familyOf({ id, like }: Provider): ReadonlySet<string> {
  const other = like === undefined ? undefined : providerNamed(like);
  return new Set([id, ...(other === undefined ? [] : familyOf(other))]);
}

/** The provider whose API judges what is sent to this one: of a gateway, the vendor of the model. */
export function judgeOf(provider: Provider, model = ''): Provider {
  if (provider.forwards?.test(model) !== true) return provider;
  const name = model.slice(model.lastIndexOf('/') + 1);
  return providers.find(({ models, format }) => models?.test(name) && format === provider.format) ?? provider;
}

/** The provider that a recording was sent to, by its model, else by its format; undefined if neither tells. */
export function providerOf(format: string, model: string | undefined): Provider | undefined {
  const name = model?.slice(model.lastIndexOf('/') + 1);
  const wire = SENT_AS.get(format) ?? format;
  const own = providers.find((provider) => provider.format === wire || provider.also === wire);
  const byModel = name === undefined ? undefined : providers.find(({ models }) => models?.test(name));
  if (byModel !== undefined && (own === undefined || byModel.format === own.format)) return byModel;
  return name === undefined || own?.others === undefined || own.others.own.test(name)
    ? own
    : providerNamed(own.others.provider);
}
