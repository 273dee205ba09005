/** What can be converted to, under all its names. */
import { TranscriptError } from '../errors.js';
import type { Encode } from '../formats/encode.js';
import type { Format } from '../formats/format.js';
import { formats } from '../formats/index.js';
import { type Provider, providerNamed, providers } from '../rules/providers.js';

/** A format that can be written anew, and the provider whose rules a history in it has to keep. */
export type Target = Format & { readonly encode: Encode; readonly provider?: Provider | undefined };

/** What people call a provider or a format beside its own id. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ['openai', 'openai-chat'],
  ['chat', 'openai-chat'],
  ['responses', 'openai-responses'],
  ['claude', 'anthropic'],
  ['google', 'gemini'],
  ['converse', 'bedrock'],
  ['ai-sdk', 'vercel-model'],
  ['vercel', 'vercel-model'],
]);

/** The format to write to, by its id, a provider's or a short name. Throws TranscriptError where there is none, or none that can be written. */
export function targetNamed(name: string): Target {
  const id = SHORT.get(name) ?? name;
  const provider = providerNamed(id) ?? providers.find(({ format }) => format === id);
  const format = formats.find((candidate) => candidate.id === (provider?.format ?? id))?.load();
  if (format?.encode !== undefined) return { ...format, encode: format.encode, provider };
  const known = formats.filter((candidate) => candidate.load().encode !== undefined).map((candidate) => candidate.id);
  throw new TranscriptError(
    'usage',
    `${format === undefined ? `no format \`${name}\`` : `${name} can be read, but nothing is converted to it`}; convert writes ${known.join(', ')}, and takes the name of a provider`,
  );
}
