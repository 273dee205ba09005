/**
 * Parameters of other APIs, which an API that knows its own refuses. A name that no API has may be a note of whoever
 * kept the request, and is no fault.
 */
import { table } from '../../formats/shared/table.js';
import { MOVED, none, type ParameterRow } from './parameters.js';

const names = (...lines: readonly string[]) => new Set(lines.flatMap((line) => line.split(' ')));

const SAMPLING = 'temperature top_p stream tools tool_choice model messages';
const CHAT = names(
  `${SAMPLING} audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens`,
  'metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key',
  'prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier',
  'stop store stream_options top_logprobs user verbosity web_search_options',
);
const CLAUDE = names(
  `${SAMPLING} max_tokens system stop_sequences top_k thinking metadata service_tier container context_management`,
  'mcp_servers output_config output_format cache_control inference_geo speed betas anthropic_version anthropic_beta',
  'fallbacks compaction thread billing_policy fallback_credit_token user_profile_id workspace_id',
);
const CONTENTS = names(
  'model contents tools toolConfig tool_config safetySettings safety_settings systemInstruction system_instruction',
  'generationConfig generation_config cachedContent cached_content labels serviceTier service_tier store',
);

/**
 * What each API takes. Types of `openai` 6.49.0, `@anthropic-ai/sdk` 1.14.0, `@mistralai/mistralai` 2.7.0, `groq-sdk`
 * 1.6.0 and `cohere-ai` 8.1.0; https://ai.google.dev/api/generate-content, 2026-11. `diagnostics`: Vertex refuses it,
 * anthropics/claude-code#82539, 2026-07.
 */
const TAKEN = table<ReadonlySet<string>>({
  'openai-chat': CHAT,
  azure: new Set([...CHAT, 'data_sources']),
  // whether it takes presence_penalty and frequency_penalty is not known: ogx-ai/ogx#4702, openai/openai-python#3040
  'openai-responses': names(
    'presence_penalty frequency_penalty',
    'access_programs background context_management conversation image include input instructions max_output_tokens',
    'max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key',
    'prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store stream',
    'stream_options temperature text tool_choice tools top_logprobs top_p truncation user',
  ),
  anthropic: new Set([...CLAUDE, 'diagnostics']),
  'vertex-claude': CLAUDE,
  gemini: CONTENTS,
  vertex: CONTENTS,
  mistral: names(
    `${SAMPLING} max_tokens stop random_seed metadata response_format presence_penalty frequency_penalty n prediction`,
    'parallel_tool_calls reasoning_effort prompt_mode guardrails prompt_cache_key service_tier safe_prompt',
  ),
  groq: names(
    `${SAMPLING} citation_options compound_custom disable_tool_validation documents exclude_domains`,
    'frequency_penalty function_call functions include_domains include_reasoning logit_bias logprobs',
    'max_completion_tokens max_tokens metadata n parallel_tool_calls presence_penalty reasoning_effort',
    'reasoning_format response_format search_settings seed service_tier stop store stream_options top_logprobs user',
  ),
  cohere: names(
    'model messages tools strict_tools documents citation_options response_format safety_mode max_tokens',
    'stop_sequences temperature seed frequency_penalty presence_penalty k p logprobs tool_choice thinking priority',
    'stream raw_prompting',
  ),
});

/** Parameters of other servers, and what clients mean for themselves. */
const OTHERS = names(
  'extra_body extra_headers extra_query enable_thinking thinking_budget chat_template_kwargs min_p top_a',
  'repetition_penalty guided_json guided_choice best_of ignore_eos skip_special_tokens transforms plugins',
  'include_usage repeat_penalty num_ctx keep_alive think max_new_tokens maxTokens maxOutputTokens topP topK',
  'incremental_output result_format enable_search abort_signal drop_params',
);

/** Words that those who keep requests use for something else, and those with rules of their own. */
const AMBIGUOUS = names(
  'model messages input contents prompt image documents k p labels metadata user thread text conversation system',
  'instructions systemInstruction system_instruction',
);
/** Mistral and Cohere are known to refuse these. */
const STRICT = new Set(['mistral', 'cohere']);

const ALL = [...new Set([...Object.values(TAKEN).flatMap((taken) => [...taken]), ...OTHERS])];

/** The names of parameters that this API does not take. */
function foreignTo(provider: string): readonly string[] {
  const taken = TAKEN[provider];
  if (taken === undefined) return [];
  const isSure = (name: string) => !AMBIGUOUS.has(name) || (STRICT.has(provider) && name === 'user');
  return ALL.filter((name) => !taken.has(name) && isSure(name));
}

/** Of APIs that know all of their parameters: each that is another API's, but for those that have another name here. */
export const FOREIGN: readonly ParameterRow[] = Object.keys(TAKEN).map((id) => {
  const moved = MOVED.filter(({ providers }) => providers.includes(id)).flatMap(({ fields }) => Object.keys(fields));
  return {
    providers: [id],
    fields: none(...foreignTo(id).filter((name) => !moved.includes(name))),
    source:
      'CherryHQ/cherry-studio#6155, amrit110/oli#7, 2025; nashsu/llm_wiki#336, Gitlawb/openclaude#739, 2026; ' +
      'fanenr/chatbot#21, 2024-12; types of the SDKs',
  };
});

/**
 * What a function may have beside its schema, for APIs that refuse more. mistralai/client-python#91, 2024-05;
 * OpenRouterTeam/openrouter-examples#71, 2026-03; types as above.
 */
export const FUNCTION_MEMBERS = table<ReadonlySet<string>>({
  mistral: names('name description strict parameters'),
  cohere: names('name description parameters'),
});
