/** Parameters of a request to the Interactions API, by the types of `@google/genai` 2.32.0, 2026-12. */
import type { ParameterTable } from '../shared/parameters.js';
import { mode } from '../shared/tool-choice.js';

export const INTERACTION_PARAMETERS: ParameterTable = {
  paths: {
    maxTokens: ['generation_config.max_output_tokens'],
    temperature: ['generation_config.temperature'],
    topP: ['generation_config.top_p'],
    stop: ['generation_config.stop_sequences'],
    seed: ['generation_config.seed'],
    toolChoice: ['generation_config.tool_choice'],
  },
  own: [
    ...['generation_config', 'response_format', 'response_modalities', 'safety_settings', 'cached_content', 'store'],
    ...['stream', 'background', 'previous_interaction_id', 'service_tier', 'labels', 'environment'],
  ],
  toolChoice: mode(
    (node) => node.string,
    (node) => {
      const allowed = node.get('allowed_tools');
      const names = allowed?.get('mode')?.string === 'any' ? (allowed.get('tools')?.items() ?? []) : [];
      return names.flatMap(({ string }) => string ?? []);
    },
    (word, tools) => word ?? { allowed_tools: { mode: 'any', tools } },
    { auto: 'auto', none: 'none', required: 'any' },
  ),
};
