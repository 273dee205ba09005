/** Models behind the chat completions API whose servers demand more of the order of messages. */
import type { Traits } from '../../transcript/types.js';

/** https://docs.mistral.ai/getting-started/models, 2026-01 */
export const MISTRAL_MODELS = /^(?:mistral|mixtral|ministral|magistral|codestral|devstral|pixtral)/;
/** Models whose chat templates raise an exception if roles do not alternate; see `core/roles-alternate`. */
export const STRICT_MODELS = /gemma|mi[sx]tral|llama-?2|zephyr|vicuna/i;

/**
 * Models as NVIDIA NIM and gateways before Bedrock and Anthropic name them: with their vendor, or Claude. These reject
 * an empty text beside calls; xAI and Ollama, whose names have no vendor, reject null. XiaomiMiMo/MiMo-Code#407,
 * CherryHQ/cherry-studio#16155, agentjido/jido_ai#215, 2026; ogx-ai/ogx#1751, 2025-03; vercel/ai#14888, 2026
 */
const NULL_MODELS = /\/|claude/;
/**
 * Models of DeepSeek and Moonshot that think unless they are told not to, by the names on their own APIs; see
 * `deepseek/reasoning-content-missing`.
 */
const REASONING_MODELS = /^(?:deepseek-(?:reasoner|v4)|kimi-(?:k2\.[5-9]|k2-thinking|k3))/;

/** See `zhipu/user-missing`. */
const USER_MODELS = /^(?:glm-|chatglm|qwen|qwq)/;

/** Mistral's own API takes two messages of one role, and its models on other servers do not take them. */
export function chatTraits(model: string | undefined): ChatTraits {
  if (model === undefined) return NONE;
  if (last?.model !== model) last = { model, found: traitsOf(model) };
  return last.found;
}

interface ChatTraits {
  readonly traits?: Traits;
}

const NONE: ChatTraits = {};
/** Of the record before: most files name one model, and looking at it again costs each record time. */
let last: { readonly model: string; readonly found: ChatTraits } | undefined;

function traitsOf(model: string): ChatTraits {
  const name = model.slice(model.lastIndexOf('/') + 1);
  if (MISTRAL_MODELS.test(name)) return { traits: { modelAnswers: true } };
  const traits: Traits = {
    ...(STRICT_MODELS.test(model) ? { rolesAlternate: true, userBegins: true } : {}),
    ...(NULL_MODELS.test(model) && !/grok/.test(name) ? { nullBesideCalls: true } : {}),
    ...(REASONING_MODELS.test(name) ? { reasonsBesideCalls: true } : {}),
    ...(USER_MODELS.test(name) ? { needsUser: true } : {}),
  };
  return Object.keys(traits).length === 0 ? NONE : { traits };
}
