/** Finds the rules whose API error somebody pastes. */
import { greatest } from '../../lists.js';
import type { Rule } from '../../rules/rule.js';
import { OTHER_ERRORS } from './other-errors.js';

/** The least similarity: 0 (no word in common) to 1. Errors that no rule is about stay below. */
const ALIKE = 0.5;
/** The least similarity of other matches, as a share of that of the best one. */
const CLOSE = 0.8;
/** The most rules. */
const MOST = 3;
/** A part of an error with so many words or more stands for the whole. */
const WORDS_OF_A_PART = 3;

/**
 * The rules whose API error is most like a text, the best first; none if no error is. The text may be a part of the
 * error, or hold more: rare words count more than common ones, and numbers, ids and punctuation do not count.
 */
export function rulesByError(text: string, rules: readonly Rule[]): Rule[] {
  const errors = rules.map((rule) => ({ rule, texts: textsOf(rule) }));
  const weights = new Map<string, number>();
  for (const { texts } of errors)
    for (const word of new Set(texts.flatMap(wordsOf))) weights.set(word, (weights.get(word) ?? 0) + 1);
  for (const [word, count] of weights) weights.set(word, Math.log(1 + rules.length / count));
  const weigh = (words: Iterable<string>) => [...words].reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
  const sought = new Set(wordsOf(text));
  const whole = weigh(sought);
  const part = phraseOf(text);
  const isPart = (error: string) => sought.size >= WORDS_OF_A_PART && phraseOf(error).includes(part);
  const scoreOf = (error: string) => {
    const words = new Set(wordsOf(error));
    const shared = weigh([...words].filter((word) => sought.has(word)));
    return isPart(error) ? 1 : shared / Math.sqrt(whole * weigh(words) || 1);
  };
  const scored = errors
    .map(({ rule, texts }) => ({ rule, score: greatest(texts.map(scoreOf), 0) }))
    .sort((a, b) => b.score - a.score);
  const best = scored[0]?.score ?? 0;
  const least = Math.max(ALIKE, best * CLOSE);
  return scored
    .filter(({ score }) => score >= least)
    .slice(0, MOST)
    .map(({ rule }) => rule);
}

/** A rule's error, each of the errors in it where there are several, and others that it stands for. */
function textsOf({ id, error }: Rule): readonly string[] {
  return [error, ...error.split(' | '), ...(OTHER_ERRORS[id] ?? [])];
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z]+(?:_[a-z]+)*(?![\w-]*\d)/g) ?? [];
}

function phraseOf(text: string): string {
  return ` ${wordsOf(text).join(' ')} `;
}
