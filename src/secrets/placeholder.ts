/** Tells secrets from what only looks like one: examples in documentation, names of variables, and plain words. */

const WORDS = new RegExp(
  [
    'example|sample|dummy|placeholder|redacted|change-?me|your[-_]|[-_]here|insert|replace|hunter2|my-?secret|foobar',
    String.raw`\.\.\.|\*\*\*|\[secret:|<[a-z]|process\.env|os\.environ|getenv`,
    'x{5}|0{8}|(?:123){3}|1234567|abcdefg|qwerty|deadbeef',
  ].join('|'),
  'i',
);
/** Passwords that documentation shows. Real ones of this kind protect nothing. */
const SAMPLES = new Set(['password', 'passwd', 'pass', 'secret', 'postgres', 'root', 'admin', 'user', 'test', 'guest']);

/** `least`: the entropy that a secret has at least, in bits a character. */
export function isPlaceholder(text: string, least: number): boolean {
  if (SAMPLES.has(text.toLowerCase()) || WORDS.test(text)) return true;
  return entropyOf(text) < least;
}

/** Shannon entropy in bits a character (https://en.wikipedia.org/wiki/Entropy_(information_theory)). */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let entropy = 0;
  for (const count of counts.values()) entropy -= (count / text.length) * Math.log2(count / text.length);
  return entropy;
}
