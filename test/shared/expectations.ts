/** What `test/rules/provider-cases` says of requests that providers refuse. */

/** By the name of a case. */
export type Expectations = Readonly<Record<string, Expectation>>;
export interface Expectation {
  /** The rule that finds it. */
  readonly rule: string;
  /** How safe its fix is, if it has one. */
  readonly fix?: 'safe' | 'lossy' | 'synthetic';
  /** The rule that still finds something once all is fixed, if one does. */
  readonly left?: string;
  /** What was sent, where it is not in the shared cases. */
  readonly sent?: { readonly provider: string; readonly request: object; readonly source: string };
}
