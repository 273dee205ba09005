/** What a kind of secret looks like. Rules are data: to add one, add a row to a file in `rules/`. */

export interface SecretRule {
  /** In kebab-case; a mark holds it: `[secret:anthropic-key:1]`. */
  readonly id: string;
  readonly title: string;
  /**
   * Every match begins with one of these texts (of three characters at least, in ASCII), or with `lead` more characters
   * before it.
   */
  readonly anchors: readonly string[];
  /** At most so many characters of a match stand before the anchor. 0 by default. */
  readonly lead?: number;
  /**
   * Matched where the anchor is. The secret is the last group that took part, but for those of the names `name`,
   * `quote` and `comma`; without such groups, the whole match.
   */
  readonly pattern: RegExp;
  /** What every match looks like in the bytes, whatever their escapes, from the anchor on: a look that is cheap. */
  readonly head?: RegExp;
  /** So many bytes before the anchor the pattern looks back at. */
  readonly before?: number;
  /**
   * `definite`: nothing else looks so. `candidate`: its name or place says that it is a secret, its form does not.
   */
  readonly tier: 'definite' | 'candidate';
  /** The anchor may follow letters: `key` in `MY_KEY`. */
  readonly isPart?: boolean;
  /** So many bytes are looked at first; where a match reaches their end, more. 512 by default. */
  readonly longest?: number;
  /** Tells secrets from what only looks so. By default, placeholders and texts that no machine drew are none. */
  readonly isSecret?: (text: string, match: RegExpExecArray) => boolean;
  /** Where the provider, or who knows, documents the form; and when it was read. */
  readonly source: string;
}

/** Types a kind of secret. */
export function defineSecret(rule: SecretRule): SecretRule {
  return rule;
}

/** Rules of ours: `definite`, unless one says otherwise. */
export function defineRules(rules: readonly OwnRule[]): readonly SecretRule[] {
  return rules.map((rule) => ({ tier: 'definite', ...rule }));
}

type OwnRule = Omit<SecretRule, 'tier'> & Partial<Pick<SecretRule, 'tier'>>;
