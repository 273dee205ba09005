/** Whose rules a transcript has to keep, where nobody says it. */
import { TranscriptError } from '../errors.js';
import { formatNamed } from '../formats/index.js';
import type { Transcript } from '../transcript/types.js';
import { type Provider, providerNamed, providerOf, providers } from './providers.js';

/** Who a transcript was sent to. Agents that keep their own format talk to most models as OpenAI's API does. */
export function ownProvider({ format, model }: Transcript): Provider {
  const { wraps } = formatNamed(format);
  const own = providerOf(wraps?.format ?? format, model);
  return (
    own ??
    providerNamed(/claude/i.test(model ?? '') ? 'anthropic' : /gemini/i.test(model ?? '') ? 'gemini' : 'openai-chat')!
  );
}

/** Throws TranscriptError where there is no provider of that name. */
export function providerIn(id: string | undefined): Provider | undefined {
  if (id === undefined) return undefined;
  const provider = providerNamed(id);
  if (provider === undefined)
    throw new TranscriptError(
      'usage',
      `no provider \`${id}\`; there are ${providers.map((known) => known.id).join(', ')}`,
    );
  return provider;
}
