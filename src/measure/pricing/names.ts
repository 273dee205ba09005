/** Interprets recorded names of models. */
import type { Tier } from '../../transcript/types.js';

/** A model of a provider; without a provider, of any that has the name. */
export interface Reading {
  readonly provider?: string;
  readonly model: string;
}

/** The possible meanings of a recorded name, most likely first; last those without a date suffix. */
export function* readings(recorded: string): Generator<Reading> {
  const name = recorded.trim().replace(/\[1m\]$/i, '');
  yield* readingsOf(name);
  const undated = name.replace(/[-@](?:\d{8}|\d{4}-\d{2}-\d{2})$/, '');
  if (undated !== name) yield* readingsOf(undated);
}

function* readingsOf(name: string): Generator<Reading> {
  const last = bareName(name);
  const [runner] = LOCAL.exec(name) ?? [];
  if (runner !== undefined) return yield { provider: 'ollama', model: name.slice(runner.length) };
  if (BEDROCK.test(last)) yield { provider: 'aws', model: last };
  if (NOVA.test(name)) yield { provider: 'aws', model: `${name.startsWith('nova-2') ? 'global.' : ''}amazon.${name}` };
  for (const { index } of name.matchAll(/[/:]/g)) {
    const head = name.slice(0, index).split('/').at(-1)!;
    if (head !== '' && index < name.length - 1)
      yield { provider: PROVIDERS.get(head) ?? head, model: name.slice(index + 1) };
  }
  yield { provider: makerOf(name), model: name };
  // OpenRouter's names are all lower case; those of other hubs with the same vendors are not.
  if (name !== last && name === name.toLowerCase()) yield { provider: 'openrouter', model: name };
  if (name !== last) yield { provider: makerOf(last), model: last };
  const unversioned = last.replace(BEDROCK.test(last) ? /-v\d+(?::\d+)?$/ : /-v\d+:\d+$/, '');
  const unvendored = unversioned.replace(BEDROCK, '');
  if (unvendored !== last) yield { model: unvendored };
}

/** The name without providers and folders before it. */
export function bareName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** The tier that a name states, such as `claude-opus-4.8-fast`, unless it was priced as a model of that name. */
export function tierIn(recorded: string, matched: string): Tier | undefined {
  return FAST.test(recorded) && !FAST.test(matched) ? 'fast' : undefined;
}

const FAST = /claude.*-fast$/i;

/** The prefix of Amazon Bedrock's names: an optional region and a vendor. */
const REGIONS = 'us|us-gov|eu|apac|au|jp|ca|in|global';
const VENDORS = 'ai21|amazon|anthropic|cohere|deepseek|google|meta|mistral|nvidia|openai|qwen|writer';
const BEDROCK = new RegExp(`^(?:(?:${REGIONS})\\.)?(?:${VENDORS})\\.(?=[a-z])`);

/** Amazon's models without their vendor. */
const NOVA = /^nova-(?:2-)?(?:micro|lite|pro|premier)/;

/** Programs that run models on the user's machine: no other provider's price applies. */
const LOCAL = /^(?:ollama|ollama_chat|lmstudio|lm_studio|llamafile|llamacpp|hosted_vllm)\//i;

/** Names of providers that the price package does not know, and its own. */
const PROVIDERS = new Map<string, string>([
  ['z-ai', 'zai'],
  ['zhipu', 'zhipuai'],
  ['bigmodel', 'zhipuai'],
  ['dashscope', 'alibaba'],
  ['azure_ai', 'azure'],
  ['together', 'together-ai'],
  ['fireworks_ai', 'fireworks'],
  ['github_copilot', 'github-copilot'],
]);

/** The provider of names for which the package finds none, or one whose prices are in another currency. */
function makerOf(name: string): string | undefined {
  if (/^glm-(?!\d-\d)/i.test(name)) return 'zai'; // glm-5-2 is Mistral's name
  return /^(?:ft:|codex-|chatgpt-|text-embedding-|davinci|babbage)/.test(name) ? 'openai' : undefined;
}

/** The price package's id of a provider that a price file names otherwise. */
export function providerId(name: string): string {
  return FILE_PROVIDERS.get(name) ?? PROVIDERS.get(name) ?? name;
}

/** LiteLLM's and models.dev's names of providers that the price package names otherwise. */
const FILE_PROVIDERS = new Map<string, string>([
  ['text-completion-openai', 'openai'],
  ['gemini', 'google'],
  ['vertex_ai-language-models', 'google'],
  ['google-vertex', 'google'],
  ['xai', 'x-ai'],
  ['bedrock', 'aws'],
  ['bedrock_converse', 'aws'],
  ['amazon-bedrock', 'aws'],
  ['together_ai', 'together'],
  ['moonshot', 'moonshotai'],
]);
