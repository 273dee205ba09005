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
  /** Matched where the anchor is. The group `secret`, if there is one, is the secret; else the whole match. */
  readonly pattern: RegExp;
  /**
   * `definite`: nothing else looks so. `candidate`: its name or place says that it is a secret, its form does not.
   */
  readonly tier: 'definite' | 'candidate';
  /** The anchor may follow letters: `key` in `MY_KEY`. */
  readonly isPart?: boolean;
  /** It is long, such as a private key. By default a match has at most 512 characters. */
  readonly longest?: number;
  /** The least entropy of the secret, in bits a character: what people type is below. 3 by default; 0 for any. */
  readonly entropy?: number;
  /** Where the provider, or who knows, documents the form; and when it was read. */
  readonly source: string;
}

export function defineRules(rules: readonly SecretRule[]): readonly SecretRule[] {
  return rules;
}
