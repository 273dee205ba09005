/** Splits a shell command whose words mean themselves. */

/** A command and what stands behind it. */
export interface Words {
  readonly words: readonly string[];
  readonly after: '|' | '&&' | undefined;
}

/** A quoted text, a run of letters that mean themselves, an escaped letter, or an operator. */
const TOKEN = new RegExp(
  [
    /'([^']*)'|"([^"$`\\!]*)"|([\w./:,=+@%^-]+)|\\(.)/,
    /((?:[ \t]+2>[ \t]*(?:\/dev\/null|&1))?[ \t]*(?:(&&|\|(?![|&]))\s*|$))|([ \t]+)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'y',
);

/**
 * The commands of `cd src && nl -ba a.ts | head -50`. Undefined if anything else than `&&`, `|` and a dropped stderr
 * joins them, or a word depends on more than its letters: variables, globs, redirections, several lines.
 */
export function wordsOf(command: string): readonly Words[] | undefined {
  const text = command.trim();
  const stages: Words[] = [];
  let words: string[] = [];
  let word: string | undefined;
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text);
    if (token === null || token[0] === '') return undefined;
    at = TOKEN.lastIndex;
    const letters = token[1] ?? token[2] ?? token[3] ?? token[4];
    if (letters !== undefined) {
      word = (word ?? '') + letters;
      continue;
    }
    if (word !== undefined) words.push(word);
    word = undefined;
    if (token[5] === undefined) continue;
    stages.push({ words, after: token[6] as Words['after'] });
    words = [];
  }
  if (word !== undefined) words.push(word);
  if (words.length > 0) stages.push({ words, after: undefined });
  return stages.every((stage) => stage.words.length > 0) ? stages : undefined;
}
