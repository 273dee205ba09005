/** The formats to convert to, by all their names. */
import { TranscriptError } from '../errors.js';
import { type Encode, type Media, mediaUrl } from '../formats/encode.js';
import type { Format } from '../formats/format.js';
import { formats } from '../formats/index.js';
import { COMPATIBLE_PARAMETERS, GROQ_PARAMETERS, MISTRAL_PARAMETERS } from '../formats/openai/openai-parameters.js';
import type { Json } from '../json/edit.js';
import type { JsonNode } from '../json/node.js';
import { type Provider, providerNamed, providers } from '../rules/providers.js';
import type { Part } from '../transcript/types.js';
import { sessionTargetNamed } from './session-targets.js';

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
  const known = formats.filter(({ id: each, load }) => isWritable(each, load())).map((candidate) => candidate.id);
  const problem = format === undefined ? `no format \`${name}\`` : `${name} can be read, but not written`;
  throw new TranscriptError(
    'usage',
    `${problem}; convert writes ${known.join(', ')}, and takes the name of a provider`,
  );
}

/** Whether a format can be written from scratch, by itself or as the session of an agent. */
export function isWritable(id: string, { encode }: Format): boolean {
  return encode !== undefined || sessionTargetNamed(id) !== undefined;
}

/** Providers of Chat Completions with tools that take free text, and with refusals: the others copied neither. */
const OPENAI = new Set(['openai-chat', 'azure', 'github-copilot', 'openrouter']);

/** Where others differ from OpenAI, by the types of their SDKs: @mistralai/mistralai 2.7.0, 2026-11. */
const DIFFERENCES: ReadonlyMap<string, Partial<Encode>> = new Map([
  ['mistral', { acceptsThinking: false, parameters: MISTRAL_PARAMETERS }],
  ['cohere', { acceptsThinking: false, acceptsNames: false, media: imageOnly }], // cohere-ai 8.1.0
  ['groq', { acceptsThinking: false, media: imageOnly, parameters: GROQ_PARAMETERS }], // groq-sdk 1.6.0
]);

function encodeFor(encode: Encode, provider: Provider | undefined): Encode {
  if (provider?.format !== 'openai-chat' || OPENAI.has(provider.id)) return encode;
  const { refusal: _, customTool: __, canReuse, isOwnTool, ...rest } = encode;
  const own = { ...rest, takesCustomCalls: false, parameters: COMPATIBLE_PARAMETERS, ...DIFFERENCES.get(provider.id) };
  const isTaken = (raw: JsonNode, kind: Part['type'] | 'item') =>
    kind === 'thinking'
      ? own.acceptsThinking === true || raw.isObject // blocks of Mistral's own
      : kind === 'media' && (own.media !== imageOnly || raw.get('image_url') !== undefined);
  return {
    ...own,
    canReuse: (raw, kind) => isTaken(raw, kind) && canReuse!(raw, kind),
    isOwnTool: (entry) => entry.get('type')?.string !== 'custom' && isOwnTool!(entry),
  };
}

function imageOnly(media: Media): Json | undefined {
  return media.kind === 'image' ? { type: 'image_url', image_url: { url: mediaUrl(media) } } : undefined;
}
