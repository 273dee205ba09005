/** Finds the rules whose API error somebody pastes. */
import { greatest } from '../../lists.js';
import type { ListedRule } from '../../rules/resume-rules.js';
import { errorsOf, OR } from '../../rules/rule.js';
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
export function rulesByError(text: string, rules: readonly ListedRule[]): ListedRule[] {
  const { errors, weigh } = indexed(rules);
  const sought = new Set(wordsOf(text));
  const whole = weigh(sought);
  const part = phraseOf(text);
  const isPart = (phrase: string) => sought.size >= WORDS_OF_A_PART && phrase.includes(part);
  const scoreOf = ({ words, phrase, weight }: KnownError) => {
    const shared = weigh([...words].filter((word) => sought.has(word)));
    return isPart(phrase) ? 1 : shared / Math.sqrt(whole * weight || 1);
  };
  const scored = errors
    .map(({ rule, known }) => ({ rule, score: greatest(known.map(scoreOf), 0) }))
    .sort((a, b) => b.score - a.score);
  const best = scored[0]?.score ?? 0;
  const least = Math.max(ALIKE, best * CLOSE);
  return scored
    .filter(({ score }) => score >= least)
    .slice(0, MOST)
    .map(({ rule }) => rule);
}

interface KnownError {
  readonly words: ReadonlySet<string>;
  readonly phrase: string;
  readonly weight: number;
}

const indexes = new WeakMap<readonly ListedRule[], ReturnType<typeof indexOf>>();

function indexed(rules: readonly ListedRule[]) {
  const index = indexes.get(rules) ?? indexOf(rules);
  indexes.set(rules, index);
  return index;
}

/** The words of all errors, read once, and what each is worth. */
function indexOf(rules: readonly ListedRule[]) {
  const read = rules.map((rule) => ({
    rule,
    errors: textsOf(rule).map((error) => ({ words: new Set(wordsOf(error)), phrase: phraseOf(error) })),
  }));
  const weights = new Map<string, number>();
  for (const { errors } of read)
    for (const word of new Set(errors.flatMap(({ words }) => [...words])))
      weights.set(word, (weights.get(word) ?? 0) + 1);
  for (const [word, count] of weights) weights.set(word, Math.log(1 + rules.length / count));
  const weigh = (words: Iterable<string>) => [...words].reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
  const errors = read.map(({ rule, errors }) => ({
    rule,
    known: errors.map((error): KnownError => ({ ...error, weight: weigh(error.words) })),
  }));
  return { errors, weigh };
}

/** All of a rule's errors together, each of them, and others that it stands for. */
function textsOf(rule: ListedRule): readonly string[] {
  const all = errorsOf(rule);
  return [all, ...all.split(OR), ...(OTHER_ERRORS[rule.id] ?? [])];
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z]+(?:_[a-z]+)*(?![\w-]*\d)|\p{Script=Han}+/gu) ?? [];
}

function phraseOf(text: string): string {
  return ` ${wordsOf(text).join(' ')} `;
}
