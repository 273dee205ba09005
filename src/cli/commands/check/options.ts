import type { Options, Values } from '../../../options/option.js';
import { FINDINGS_REPORTERS } from '../../../reports/findings/index.js';
import type { Parsed } from '../../options/command.js';
import { costOptions, readingOptions, selectionOptions, threadOptions } from '../../options/options.js';
import { perOption } from '../../options/per.js';
import { reporterOptions } from '../../outputs/report-outputs.js';

/** The reporters of `check`. */
export const REPORTERS = ['pretty', ...FINDINGS_REPORTERS] as const;

const budgetOptions = {
  maxTokens: { type: 'integer', least: 0, value: 'n', summary: 'budget: tokens of a transcript as one request' },
  maxTotalTokens: { type: 'integer', least: 0, value: 'n', summary: 'budget: tokens of all transcripts together' },
  maxCost: { type: 'text', value: 'usd', summary: 'budget: cost of a transcript' },
  maxTotalCost: { type: 'text', value: 'usd', summary: 'budget: cost of all transcripts together' },
  per: perOption,
  maxCalls: { type: 'integer', least: 0, value: 'n', summary: 'budget: tool calls of a transcript' },
  maxTotalCalls: { type: 'integer', least: 0, value: 'n', summary: 'budget: tool calls of all transcripts together' },
  maxRepeatedCalls: {
    type: 'integer',
    least: 0,
    value: 'n',
    summary: 'budget: repetitions of the same call (tool and arguments)',
  },
  maxResultLength: { type: 'integer', least: 0, value: 'n', summary: 'budget: characters of a tool result' },
  maxSystemLength: { type: 'integer', least: 0, value: 'n', summary: 'budget: characters of a system prompt' },
  maxContextShare: {
    type: 'text',
    value: 'share',
    summary: "budget: share of the model's context window, such as 0.8",
  },
} as const satisfies Options;
export type BudgetOptions = Values<typeof budgetOptions>;

export const checkOptions = {
  provider: {
    type: 'text',
    value: 'id',
    summary: "check against this provider's rules; default: the transcript's own provider",
  },
  asRequest: { type: 'flag', summary: 'also apply rules for requests about to be sent' },
  rule: {
    type: 'text',
    value: 'id',
    many: true,
    summary: 'only this rule, whatever the provider; repeatable; globs such as anthropic/*',
  },
  disable: { type: 'text', value: 'id', many: true, summary: 'skip this rule; repeatable' },
  severity: {
    type: 'text',
    value: 'rule=level',
    many: true,
    summary: 'set a rule to error, warning or off; repeatable',
  },
  maxWarnings: {
    type: 'integer',
    least: 0,
    value: 'n',
    summary: 'report an error if there are more warnings than this',
  },
  maxFindings: {
    type: 'integer',
    least: 0,
    excludes: [`format=${FINDINGS_REPORTERS.join('|')}+!reporter`],
    value: 'n',
    default: 20,
    summary: 'findings to show in full; the others are counted',
  },
  after: {
    type: 'text',
    reach: 'runs',
    excludes: ['fix'],
    value: 'step',
    many: true,
    summary: 'check the result of this step or pipeline, such as filter:max-tool-calls=3; repeatable',
  },
  policy: {
    type: 'text',
    reach: 'reads',
    value: 'file|name',
    many: true,
    summary: 'also check tool calls against this policy, as audit does; repeatable',
  },
  secrets: { type: 'flag', summary: 'also search for keys, tokens and passwords, as redact does' },
  allow: {
    type: 'text',
    value: 'glob',
    many: true,
    needs: ['secrets'],
    summary: 'with --secrets: keep quiet about what matches this pattern; repeatable',
  },
  fix: {
    type: 'optional-text',
    reach: 'writes',
    value: 'safety',
    summary:
      'fix in place: safe (default), lossy (removes something), synthetic (adds something); each includes those ' +
      'before it',
  },
  force: {
    type: 'flag',
    reach: 'lifts',
    needs: ['fix'],
    excludes: ['diff', 'output'],
    summary: 'with --fix: also a session named by @ that changed within the last minute',
  },
  diff: { type: 'flag', needs: ['fix'], summary: 'with --fix: show the changes, write nothing' },
  output: {
    type: 'text',
    reach: 'writes',
    value: 'file',
    needs: ['fix'],
    excludes: ['diff'],
    summary: 'with --fix: write the repaired transcripts to this file, or to stdout (-); for findings see --reporter',
  },
  backup: {
    type: 'text',
    reach: 'writes',
    needs: ['fix'],
    excludes: ['diff', 'output'],
    value: 'suffix',
    summary: 'with --fix: keep the old file with this suffix, such as .bak',
  },
  ...reporterOptions(REPORTERS),
  merge: {
    type: 'flag',
    excludes: [
      ...['provider', 'asRequest', 'rule', 'disable', 'severity', 'maxWarnings', 'after', 'policy', 'secrets', 'fix'],
      ...['baseline', 'writeBaseline', 'from', 'messages', 'skipBadLines', 'staged'],
      ...Object.keys(budgetOptions),
    ],
    summary: 'add up files written by check --format json; budgets over all transcripts are those of each part',
  },
  baseline: {
    type: 'text',
    reach: 'reads',
    value: 'file',
    excludes: ['writeBaseline'],
    summary: 'hide the findings that this file lists; its paths are relative to it',
  },
  writeBaseline: {
    type: 'text',
    reach: 'writes',
    value: 'file',
    summary: 'write all findings to this file, for --baseline',
  },
  ...selectionOptions,
  ...budgetOptions,
  ...costOptions,
  ...threadOptions,
  ...readingOptions,
} as const satisfies Options;
export type CheckOptions = Parsed<Values<typeof checkOptions>>;
