/** The formats to convert to, by all their names. */
import { TranscriptError } from '../errors.js';
import type { Encode } from '../formats/encode.js';
import type { Format } from '../formats/format.js';
import { formats } from '../formats/index.js';
import { type Provider, providerNamed, providers } from '../rules/providers.js';

/** A format that can be written from scratch, and the provider whose rules apply to it. */
export type Target = Format & { readonly encode: Encode; readonly provider?: Provider | undefined };

/** Other common names of providers and formats. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['openai', 'openai-chat'],
  ['chat', 'openai-chat'],
  ['responses', 'openai-responses'],
  ['claude', 'anthropic'],
  ['google', 'gemini'],
  ['converse', 'bedrock'],
  ['ai-sdk', 'vercel-model'],
  ['vercel', 'vercel-model'],
]);

/** The format to write, by id, provider or short name. Throws TranscriptError if it is unknown or cannot be written. */
export function targetNamed(name: string): Target {
  const id = ALIASES.get(name) ?? name;
  const provider = providerNamed(id) ?? providers.find(({ format }) => format === id);
  const format = formats.find((candidate) => candidate.id === (provider?.format ?? id))?.load();
  if (format?.encode !== undefined) return { ...format, encode: encodeFor(format.encode, provider), provider };
  const known = formats.filter((candidate) => candidate.load().encode !== undefined).map((candidate) => candidate.id);
  const problem = format === undefined ? `no format \`${name}\`` : `${name} can be read, but not written`;
  throw new TranscriptError(
    'usage',
    `${problem}; convert writes ${known.join(', ')}, and takes the name of a provider`,
  );
}

/** Providers of Chat Completions with tools that take free text, and with refusals: the others copied neither. */
const OPENAI = new Set(['openai-chat', 'azure', 'github-copilot', 'openrouter']);

function encodeFor(encode: Encode, provider: Provider | undefined): Encode {
  if (provider?.format !== 'openai-chat' || OPENAI.has(provider.id)) return encode;
  const { refusal: _, customTool: __, canReuse, ...rest } = encode;
  const acceptsThinking = provider.id !== 'mistral'; // it takes blocks of its own, and no other member
  return {
    ...rest,
    acceptsThinking,
    takesCustomCalls: false,
    canReuse: (raw, kind) =>
      kind !== 'opaque' && canReuse!(raw, kind) && (kind !== 'thinking' || acceptsThinking || raw.isObject),
  };
}
