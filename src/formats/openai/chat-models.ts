/** Models behind the chat completions API whose servers demand more of the order of messages. */
import type { Traits } from '../../transcript/types.js';

/** https://docs.mistral.ai/getting-started/models, 2026-01 */
export const MISTRAL_MODELS = /^(?:mistral|mixtral|ministral|magistral|codestral|devstral|pixtral)/;
/** Models whose chat templates raise an exception if roles do not alternate; see `core/roles-alternate`. */
export const STRICT_MODELS = /gemma|mi[sx]tral|llama-?2|zephyr|vicuna/i;

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
  if (MISTRAL_MODELS.test(model.slice(model.lastIndexOf('/') + 1))) return { traits: { modelAnswers: true } };
  return STRICT_MODELS.test(model) ? { traits: { rolesAlternate: true, userBegins: true } } : NONE;
}
