/** What the names of models mean, as recordings spell them. */

/** A model at a provider; without one, wherever its name is known. */
export interface Reading {
  readonly provider?: string;
  readonly model: string;
}

/** What a recorded name may mean, the likeliest first; at the end without a date, which a price list may not know. */
export function* readings(recorded: string): Generator<Reading> {
  const name = recorded.trim().replace(/\[1m\]$/i, '');
  yield* readingsOf(name);
  const undated = name.replace(/[-@](?:\d{8}|\d{4}-\d{2}-\d{2})$/, '');
  if (undated !== name) yield* readingsOf(undated);
}

function* readingsOf(name: string): Generator<Reading> {
  const last = bareName(name);
  if (BEDROCK.test(last)) yield { provider: 'aws', model: last };
  for (const { index } of name.matchAll(/[/:]/g)) {
    const head = name.slice(0, index).split('/').at(-1)!;
    if (head !== '' && index < name.length - 1)
      yield { provider: PROVIDERS.get(head) ?? head, model: name.slice(index + 1) };
  }
  yield { provider: makerOf(name), model: name };
  // OpenRouter writes all its names small, other hubs that share its vendors do not.
  if (name !== last && name === name.toLowerCase()) yield { provider: 'openrouter', model: name };
  if (name !== last) yield { provider: makerOf(last), model: last };
  const unvendored = last.replace(BEDROCK, '').replace(/-v\d+(?::\d+)?$/, '');
  if (unvendored !== last) yield { model: unvendored };
}

/** A name without the providers and folders before it. */
export function bareName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** Amazon Bedrock's names: a region, perhaps, and a vendor. */
const BEDROCK =
  /^(?:(?:us|us-gov|eu|apac|au|jp|ca|in|global)\.)?(?:ai21|amazon|anthropic|cohere|deepseek|google|meta|mistral|nvidia|openai|qwen|writer)\.(?=[a-z])/;

/** Spellings of providers that the package does not understand. */
const PROVIDERS = new Map<string, string>([
  ['z-ai', 'zai'],
  ['together', 'together-ai'],
  ['fireworks_ai', 'fireworks'],
  ['github_copilot', 'github-copilot'],
]);

/** Names whose maker the package does not tell by itself. */
function makerOf(name: string): string | undefined {
  return /^(?:ft:|codex-|chatgpt-|text-embedding-|davinci|babbage)/.test(name) ? 'openai' : undefined;
}
