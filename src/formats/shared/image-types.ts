import { table } from './table.js';

/** The first bytes of types that most providers take. https://docs.anthropic.com/en/docs/build-with-claude/vision */
const BEGINNINGS = table<RegExp>({
  'image/png': /^\x89PNG/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8/,
  'image/webp': /^RIFF[\s\S]{4}WEBP/,
});

/** The type that the bytes of an image have; undefined for any other. */
export function typeOfBytes(base64: string): string | undefined {
  const head = Buffer.from(base64.slice(0, 64), 'base64').toString('latin1');
  return Object.entries(BEGINNINGS).find(([, beginning]) => beginning.test(head))?.[0];
}
