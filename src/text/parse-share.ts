import { TranscriptError } from '../errors.js';

/** `80%` and `0.8` are the same share. Throws TranscriptError for what is none. */
export function shareIn(text: string, flag: string): number {
  const share = /^\d*\.?\d+%$/.test(text) ? Number(text.slice(0, -1)) / 100 : Number(text);
  if (!(share > 0 && share <= 1))
    throw new TranscriptError('usage', `${flag} takes a share such as 0.8, not \`${text}\``);
  return share;
}
