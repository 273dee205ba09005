/** Interprets recorded names of models. */

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
  if (BEDROCK.test(last)) yield { provider: 'aws', model: last };
  for (const { index } of name.matchAll(/[/:]/g)) {
    const head = name.slice(0, index).split('/').at(-1)!;
    if (head !== '' && index < name.length - 1)
      yield { provider: PROVIDERS.get(head) ?? head, model: name.slice(index + 1) };
  }
  yield { provider: makerOf(name), model: name };
  // OpenRouter's names are all lower case; those of other hubs with the same vendors are not.
  if (name !== last && name === name.toLowerCase()) yield { provider: 'openrouter', model: name };
  if (name !== last) yield { provider: makerOf(last), model: last };
  const unvendored = last.replace(BEDROCK, '').replace(/-v\d+(?::\d+)?$/, '');
  if (unvendored !== last) yield { model: unvendored };
}

/** The name without providers and folders before it. */
export function bareName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** The prefix of Amazon Bedrock's names: an optional region and a vendor. */
const REGIONS = 'us|us-gov|eu|apac|au|jp|ca|in|global';
const VENDORS = 'ai21|amazon|anthropic|cohere|deepseek|google|meta|mistral|nvidia|openai|qwen|writer';
const BEDROCK = new RegExp(`^(?:(?:${REGIONS})\\.)?(?:${VENDORS})\\.(?=[a-z])`);

/** Names of providers that the price package does not know, and its own. */
const PROVIDERS = new Map<string, string>([
  ['z-ai', 'zai'],
  ['together', 'together-ai'],
  ['fireworks_ai', 'fireworks'],
  ['github_copilot', 'github-copilot'],
]);

/** The provider of names for which the package finds none. */
function makerOf(name: string): string | undefined {
  return /^(?:ft:|codex-|chatgpt-|text-embedding-|davinci|babbage)/.test(name) ? 'openai' : undefined;
}
