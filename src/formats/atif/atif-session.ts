/** New ATIF trajectories, with what was recorded of the requests, the system prompt and the definitions of tools. */
import type { Json, JsonFields } from '../../json/edit.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import { addUsage, promptTokens } from '../../transcript/usage.js';
import { agentOf } from '../agents.js';
import { type Encode, mediaUrl } from '../encode.js';
import { isoTime, type NewMessage, type SessionTarget } from '../session.js';
import { sumOfCosts } from '../shared/recorded.js';
import atif from './atif.js';

const encode: Encode = {
  messages: 'steps',
  acceptsThinking: true,
  objectArgumentsOnly: true,
  // a place is a path or a URL
  media: (media) =>
    media.kind === 'image' && IMAGES.has(media.type ?? 'image/png')
      ? { type: 'image', source: { media_type: media.type ?? 'image/png', path: mediaUrl(media) } }
      : undefined,
};
const IMAGES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

export default {
  format: atif,
  encode,
  isUntitled: true,
  write({ id, source, model, messages, tools, requests }) {
    const definitions =
      tools.length === 0 ? undefined : tools.map((tool) => ({ type: 'function', function: { ...tool } }));
    return {
      document: {
        schema_version: 'ATIF-v1.7',
        session_id: id,
        agent: {
          name: agentOf(source, '') ?? source,
          version: 'unknown',
          model_name: model,
          tool_definitions: definitions,
        },
        steps: messages.map(stepOf),
        final_metrics: { ...totalsOf(requests), total_steps: messages.length },
      },
    };
  },
} satisfies SessionTarget;

function stepOf({ message, time, model, recorded }: NewMessage, index: number): Json {
  const isAgent = message.role === 'assistant';
  const { observation, ...step } = atif.write({
    ...message,
    raw: undefined,
    model: isAgent ? model : undefined,
  }) as JsonFields;
  return {
    step_id: index + 1,
    timestamp: isoTime(time),
    ...step,
    observation,
    metrics: isAgent ? metricsOf(recorded) : undefined,
  };
}

function metricsOf(recorded: Recorded | undefined): Json | undefined {
  const { usage, cost } = recorded ?? {};
  if (usage === undefined && cost === undefined) return undefined;
  const written = (usage?.cacheWrite5m ?? 0) + (usage?.cacheWrite1h ?? 0);
  return {
    prompt_tokens: usage && promptTokens(usage),
    completion_tokens: usage?.output,
    cached_tokens: usage?.cacheRead,
    cost_usd: cost === undefined ? undefined : Number(cost),
    extra: written === 0 ? undefined : { cache_creation_input_tokens: written },
  };
}

function totalsOf(requests: readonly Recorded[]): JsonFields {
  const all = requests.flatMap(({ usage }) => usage ?? []);
  const [first, ...rest] = all;
  const sum = first && rest.reduce<Usage>(addUsage, first);
  const costs = requests.map(({ cost }) => cost);
  return {
    total_prompt_tokens: sum && promptTokens(sum),
    total_completion_tokens: sum?.output,
    total_cached_tokens: sum?.cacheRead,
    total_cost_usd: costs.every((cost) => cost === undefined) ? undefined : Number(sumOfCosts(costs)),
  };
}
