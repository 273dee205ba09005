/** Tells secrets from what only looks like one: examples in documentation, references, code, and plain words. */

const WORDS = new RegExp(
  [
    'example|sample|dummy|placeholder|redacted|change[-_]?me|your[-_ ]|[-_]here|hunter2|my[-_]?secret|foobar|foobaz',
    String.raw`^(?:insert|replace|enter|put)[-_ ]|\.\.\.|\*\*\*|…|\[secret:|<[a-z]|\{\{`,
    'process\\.env|os\\.environ|getenv',
    'x{5}|X{5}|0{8}|(?:123){3}|deadbeef',
  ].join('|'),
  'i',
);
/** Runs of the keyboard are most of such a text. */
const RUNS = /0?1234567(?:89?0?)?|abcdefg(?:hi?j?k?l?m?n?o?p?q?r?s?t?u?v?w?x?y?z?)?|qwerty(?:uiop)?|asdfgh?j?k?l?/gi;
/** Passwords that documentation shows. Real ones of this kind protect nothing. */
const SAMPLES = new Set(
  (
    'password passwd pass secret postgres root admin user test guest username token undefined null none true false ' +
    'changeit mysecretpassword secretpassword password123 mypassword yourpassword supersecret topsecret ' +
    'password1! p@ssw0rd passw0rd'
  ).split(' '),
);
/** What is looked up elsewhere: variables, files of secrets, addresses, other stores. */
const REFERENCE = new RegExp(
  String.raw`^(?:\$(?:[A-Z_][A-Z0-9_]*|[a-z_]+)$|\$[({]|\$\$|%[A-Z_]+%$|#\{|@[A-Za-z]|<|\(|` +
    String.raw`[a-z][a-z0-9+.-]*:\/\/|arn:|projects\/|\[[\w -]+\]$)`,
);
/** Words of descriptions: what holds them is a text about a secret. */
const PROSE = /\s(?:the|your|an?|of|for|to|is|are|was|be|must|in|on|with|and|or|not)\s|^(?:the|your|an?)\s/i;

/** Whether a text that its name calls a secret is none. */
export function isPlaceholder(text: string): boolean {
  if (SAMPLES.has(text.toLowerCase()) || WORDS.test(text) || REFERENCE.test(text) || PROSE.test(text)) return true;
  if (text.replace(RUNS, '').length < text.length / 2) return true;
  return new Set(text).size < 5;
}

/**
 * Whether a text has the form of a secret only by chance: what machines draw spreads over the alphabet, hexadecimal
 * over one of 16, other texts over one of 62.
 */
export function isTooEven(text: string): boolean {
  const most = Math.log2(Math.min(text.length, /^[0-9a-fA-F]*$/.test(text) ? 16 : 62));
  return entropyOf(text) < LEAST * most;
}

/** Of 100,000 random texts of 12 characters and more, hexadecimal or not, fewer than one in a thousand is below. */
const LEAST = 0.6;

/** Whether a text reads like a name in code, a path, or words: most pairs of its letters are common in English. */
export function isCode(text: string): boolean {
  if (!/^[$@~\w./:>-]+$/.test(text)) return false;
  const letters = text.replace(/[^A-Za-z]/g, '').length;
  if (text.replace(/\D/g, '').length > text.length / 5 || DIGITS_WITHIN.test(text)) return false;
  const pairs = text
    .split(/[^A-Za-z]+/)
    .flatMap((word) => Array.from({ length: Math.max(0, word.length - 1) }, (_, at) => word.slice(at, at + 2)));
  const common = pairs.filter((pair) => COMMON.has(pair.toLowerCase())).length;
  const humps = text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)?.length ?? 0;
  return letters >= humps * 2.5 && pairs.length >= letters / 2 && common >= pairs.length * 0.56;
}

/** Twice digits among the letters of a word, as in no name. */
const DIGITS_WITHIN = /(?:\b|[A-Za-z])\d+[A-Za-z]+\d+[A-Za-z]/;

/** The pairs of letters that come most in English, and some of programs (http://norvig.com/mayzner.html). */
const COMMON = new Set(
  (
    'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ' +
    'ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so ' +
    'rs un lo ge ie ee em ad ol rt po na ul ni ts mo pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry ' +
    'mp bl ab ty op sa ex ke oo av ag ap od sp do uc ep oc fa cu sc gi da cr cl du ga qu ue va um lu rc eg au ck pt ' +
    'rg ey ki ok pi tp ht db cf nf xt ui ql js on fr gr bo'
  ).split(' '),
);

/** Shannon entropy in bits a character (https://en.wikipedia.org/wiki/Entropy_(information_theory)). */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let entropy = 0;
  for (const count of counts.values()) entropy -= (count / text.length) * Math.log2(count / text.length);
  return entropy;
}
