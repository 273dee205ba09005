/** Prices of audio, images and video that the price package has as text, in USD per million tokens. Data. */
import type { MediaKind } from '../../transcript/types.js';
import type { Sourced } from './corrections.js';

export interface MediaRule extends Sourced {
  /** As the price package names them. */
  readonly providers: readonly string[];
  readonly kinds: readonly MediaKind[];
  /** Matches names of models without their provider, in lower case. */
  readonly model: RegExp;
  /** `unknown`: another price than that of text, which is not published or not known. */
  readonly price: { readonly usd: string } | 'as text' | 'unknown';
}

const LITELLM = {
  source: 'https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json',
  date: '2026-11-20',
};
const GPT_4O_AUDIO = {
  providers: ['openai', 'azure'],
  model: /^gpt-4o-audio-preview(?!-2024-10-01)/,
  source: 'https://developers.openai.com/api/docs/models/gpt-4o-audio-preview.md',
  date: '2026-11-29',
};
const GPT_4O_MINI_AUDIO = { providers: ['openai'], model: /^gpt-4o-mini-audio/, ...LITELLM };
const OPENAI = {
  providers: ['openai', 'azure'],
  source: 'https://developers.openai.com/api/docs/pricing',
  date: '2026-11-22',
};
/** As Google's page of prices was copied on that day. */
const GOOGLE = {
  providers: ['google'],
  source: 'https://github.com/api-evangelist/deepmind/blob/main/plans/deepmind-plans-pricing.yml',
  date: '2026-10-07',
};
const APART: readonly MediaKind[] = ['inputAudio', 'outputAudio', 'outputImage', 'outputVideo'];

/** The first row of a provider and kind that matches the model applies, where the model has no price of that kind. */
export const MEDIA_PRICES: readonly MediaRule[] = [
  { ...GPT_4O_AUDIO, kinds: ['inputAudio'], price: { usd: '40' } },
  { ...GPT_4O_AUDIO, kinds: ['outputAudio'], price: { usd: '80' } },
  { ...GPT_4O_MINI_AUDIO, kinds: ['inputAudio'], price: { usd: '10' } },
  { ...GPT_4O_MINI_AUDIO, kinds: ['outputAudio'], price: { usd: '20' } },
  // All of their output is speech, or images.
  { ...OPENAI, ...LITELLM, kinds: ['outputAudio'], model: /-tts$/, price: 'as text' },
  { ...OPENAI, ...LITELLM, kinds: ['outputImage'], model: /^gpt-image-(?:1(?:-mini)?|2)$/, price: 'as text' },
  { ...OPENAI, kinds: APART, model: /./, price: 'unknown' },

  // "$0.30 (text / image / video / audio)", or one price of input.
  {
    ...GOOGLE,
    kinds: ['inputAudio'],
    model: /^gemini-(?:2\.5-pro|3(?:\.1)?-pro|3\.[58]-flash)(?!.*-tts)/,
    price: 'as text',
  },
  { ...GOOGLE, ...LITELLM, kinds: ['inputAudio'], model: /^gemini-2\.0-flash-lite/, price: 'as text' },
  // They write speech only.
  {
    ...GOOGLE,
    source: 'https://ai.google.dev/gemini-api/docs/models/gemini-v2',
    date: '2026-11-29',
    kinds: ['outputAudio'],
    model: /-tts$/,
    price: 'as text',
  },
  // "Image output is priced at $30 per 1,000,000 tokens"
  {
    ...GOOGLE,
    source: 'https://discuss.ai.google.dev/t/issue-with-url-context-tooling/101173',
    date: '2026-11-29',
    kinds: ['outputImage'],
    model: /^gemini-2\.0-flash(?!-lite)/,
    price: { usd: '30' },
  },
  { ...GOOGLE, kinds: APART, model: /./, price: 'unknown' },
  { ...GOOGLE, kinds: ['inputImage', 'inputVideo'], model: /live|native-audio|embedding/, price: 'unknown' },
  // "Price in USD per audio input token", beside those of prompts and completions
  {
    source: 'https://openrouter.ai/docs/client-sdks/go/models/components/pricing.md',
    date: '2026-11-29',
    providers: ['openrouter'],
    kinds: APART,
    model: /./,
    price: 'unknown',
  },
];
