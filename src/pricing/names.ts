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

const NEAR = 3;
/** How alike two names must be, of 1. */
const ALIKE = 0.5;

/** The names that are most like this one, without providers before them, by the pairs of letters they share; none where it is known itself. */
export function nearest(name: string, known: readonly string[]): string[] {
  const wanted = pairsOf(name);
  const scores = new Map<string, number>();
  for (const other of known) {
    const bare = bareName(other);
    if (scores.has(bare)) continue;
    const pairs = pairsOf(bare);
    const shared = [...wanted].filter((pair) => pairs.has(pair)).length;
    scores.set(bare, (2 * shared) / (wanted.size + pairs.size || 1));
  }
  if ([...scores.keys()].some((other) => other.toLowerCase() === bareName(name).toLowerCase())) return [];
  const alike = [...scores].filter(([, score]) => score >= ALIKE);
  return alike
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, NEAR)
    .map(([other]) => other);
}

function pairsOf(name: string): Set<string> {
  const letters = bareName(name.toLowerCase()).replace(/[^a-z0-9]/g, '');
  return new Set(
    Array.from({ length: Math.max(0, letters.length - 1) }, (_, index) => letters.slice(index, index + 2)),
  );
}
