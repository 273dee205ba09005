/** Runs the rules of a plan on transcripts, and fixes what they find. */
import type { Safety } from '../../findings.js';
import { formatNamed } from '../../formats/index.js';
import type { Provider } from '../../rules/providers.js';
import { applyFixes, type RuleFinding, type RuleOptions, runRules } from '../../rules/run-rules.js';
import type { Opened } from '../../source/piece.js';
import type { Transcript } from '../../transcript/types.js';
import { COUNTING } from './context-limits.js';
import type { Meter } from './meter.js';
import type { Plan } from './plan.js';

/** A transcript with the piece and the file that hold it. */
export interface Subject {
  readonly transcript: Transcript;
  readonly piece: Opened;
  readonly file: string;
}

export interface TranscriptRules {
  /** `counts`: whether the rule that counts the context window was run. */
  run(subject: Subject): {
    readonly found: readonly RuleFinding[];
    readonly counts: boolean;
    readonly provider: Provider;
  };
  /** The transcript with its problems fixed, by fixes of these kinds. */
  fix(subject: Subject, allowed: ReadonlySet<Safety>): Transcript;
  /** Ids of the rules that were run. */
  readonly ids: Set<string>;
}

export function createTranscriptRules(plan: Plan, meter: () => Meter): TranscriptRules {
  const ids = new Set<string>();
  const planned = ({ transcript, piece, file }: Subject) => {
    const options: RuleOptions = {
      provider: plan.at(file).providerFor(transcript),
      asRequest: plan.asRequest,
      format: formatNamed(transcript.format),
      record: piece.record,
      contextUse: (of) => meter().fit(of),
    };
    const rules = plan.at(file).rulesFor(options.provider);
    for (const { id } of rules) ids.add(id);
    return { options, rules };
  };
  return {
    ids,
    run(subject) {
      const { transcript } = subject;
      const { options, rules } = planned(subject);
      const counts = transcript.abandoned === undefined && rules.some(({ id }) => id === COUNTING);
      return { found: runRules(transcript, rules, options), counts, provider: options.provider };
    },
    fix(subject, allowed) {
      const { transcript } = subject;
      const { options, rules } = planned(subject);
      const before = runRules(transcript, rules, options);
      if (!before.some(({ safety }) => safety !== undefined && allowed.has(safety))) return transcript;
      return applyFixes(transcript, rules, allowed, options);
    },
  };
}
