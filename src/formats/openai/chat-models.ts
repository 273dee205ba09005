/** Models behind the chat completions API whose servers demand more of the order of messages. */
import type { Traits } from '../../transcript/types.js';

/** https://docs.mistral.ai/getting-started/models, 2026-01 */
export const MISTRAL_MODELS = /^(?:mistral|mixtral|ministral|magistral|codestral|devstral|pixtral)/;
/** Models whose chat templates raise an exception if roles do not alternate; see `core/roles-alternate`. */
export const STRICT_MODELS = /gemma|mi[sx]tral|llama-?2|zephyr|vicuna/i;

/** Mistral's own API takes two messages of one role, and its models on other servers do not take them. */
export function chatTraits(model: string | undefined): { readonly traits?: Traits } {
  if (model === undefined) return {};
  if (MISTRAL_MODELS.test(model.slice(model.lastIndexOf('/') + 1))) return { traits: { modelAnswers: true } };
  return STRICT_MODELS.test(model) ? { traits: { rolesAlternate: true, userBegins: true } } : {};
}
