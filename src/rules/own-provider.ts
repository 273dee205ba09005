/** The provider of a transcript, where the user does not name one. */
import { TranscriptError } from '../errors.js';
import { formatNamed } from '../formats/index.js';
import type { Transcript } from '../transcript/types.js';
import { owns, type Provider, providerNamed, providerOf, providers } from './providers.js';

/** The provider that a transcript was sent to. Agents with a format of their own mostly use OpenAI's API. */
export function ownProvider({ format, model }: Transcript): Provider {
  const { wraps } = formatNamed(format);
  const own = providerOf(wraps?.format ?? format, model);
  return (
    own ??
    providerNamed(/claude/i.test(model ?? '') ? 'anthropic' : /gemini/i.test(model ?? '') ? 'gemini' : 'openai-chat')!
  );
}

/** Throws TranscriptError if there is no provider with this id. */
export function providerIn(id: string | undefined): Provider | undefined {
  if (id === undefined) return undefined;
  const provider = providerNamed(id);
  if (provider === undefined)
    throw new TranscriptError(
      'usage',
      `unknown provider \`${id}\`; use one of ${providers.map((known) => known.id).join(', ')}`,
    );
  return provider;
}

/** Who gets what is checked, for detecting its format. */
export function receiverOf(id: string | undefined, asRequest: boolean) {
  const provider = providerIn(id);
  return {
    isStated: provider !== undefined || asRequest,
    format: provider?.format,
    owns: (model: string) => asRequest && provider !== undefined && owns(provider, model),
    isWire: (format: string) => providers.some((known) => known.format === format),
  };
}
