import type { Options, Values } from '../../options/option.js';
import { FINDINGS_REPORTERS } from '../../reports/findings/index.js';
import type { Parsed } from '../command.js';
import { costOptions, readingOptions, selectionOptions } from '../shared/options.js';
import { reporterSummary } from '../shared/report-outputs.js';

/** The reporters of `check`. */
export const REPORTERS = ['pretty', ...FINDINGS_REPORTERS] as const;

const budgetOptions = {
  maxTokens: { type: 'integer', least: 0, value: 'n', summary: 'budget: tokens of a transcript as one request' },
  maxTotalTokens: { type: 'integer', least: 0, value: 'n', summary: 'the same for all transcripts together' },
  maxCost: { type: 'text', value: 'usd', summary: 'budget: what a transcript cost' },
  maxTotalCost: { type: 'text', value: 'usd', summary: 'the same for all transcripts together' },
  maxCalls: { type: 'integer', least: 0, value: 'n', summary: 'budget: tool calls of a transcript' },
  maxTotalCalls: { type: 'integer', least: 0, value: 'n', summary: 'the same for all transcripts together' },
  maxRepeatedCalls: {
    type: 'integer',
    least: 0,
    value: 'n',
    summary: 'budget: how often the very same call (tool and arguments) is made again',
  },
  maxResultLength: { type: 'integer', least: 0, value: 'n', summary: 'budget: characters of a tool result' },
  maxSystemLength: { type: 'integer', least: 0, value: 'n', summary: 'budget: characters of a system prompt' },
  maxContextShare: {
    type: 'text',
    value: 'share',
    summary: "budget: how much of its model's context window a transcript fills, such as 0.8",
  },
} as const satisfies Options;
export type BudgetOptions = Values<typeof budgetOptions>;

export const checkOptions = {
  provider: {
    type: 'text',
    value: 'id',
    summary: "whose rules to go by (ctx-trim rules lists them); by default the transcript's own",
  },
  asRequest: {
    type: 'flag',
    summary: 'the transcript is a request that is about to be sent: mind also what only matters then',
  },
  rule: {
    type: 'text',
    value: 'id',
    many: true,
    summary: 'only this rule, whatever the provider; repeatable; anthropic/* is a family',
  },
  disable: { type: 'text', value: 'id', many: true, summary: 'not this rule; repeatable' },
  severity: { type: 'text', value: 'rule=level', many: true, summary: 'error, warning or off for a rule; repeatable' },
  maxWarnings: { type: 'integer', least: 0, value: 'n', summary: 'more warnings than this are an error' },
  maxFindings: {
    type: 'integer',
    least: 0,
    excludes: [`format=${FINDINGS_REPORTERS.join('|')}+!reporter`],
    value: 'n',
    default: 20,
    summary: 'how many findings are shown to people before the rest is counted',
  },
  after: {
    type: 'text',
    reach: 'runs',
    excludes: ['fix'],
    value: 'step',
    many: true,
    summary:
      'check what this step or pipeline would leave, as ctx-trim run takes it: filter:max-tool-calls=3; repeatable',
  },
  policy: {
    type: 'text',
    reach: 'reads',
    value: 'file|name',
    many: true,
    summary: 'hold tool calls against this policy too, as audit does; repeatable',
  },
  fix: {
    type: 'optional-text',
    reach: 'writes',
    value: 'safety',
    summary:
      'mend in place what can be: safe (the default), lossy (something goes), synthetic (something is made up), each with those before it',
  },
  diff: { type: 'flag', needs: ['fix'], summary: 'with --fix: show what would change, write nothing' },
  output: {
    type: 'text',
    reach: 'writes',
    value: 'file',
    needs: ['fix'],
    excludes: ['diff'],
    summary: 'with --fix: write to this file instead, or to stdout (-)',
  },
  backup: {
    type: 'text',
    reach: 'writes',
    needs: ['fix'],
    excludes: ['diff', 'output'],
    value: 'suffix',
    summary: 'with --fix: keep the old file under its name with this suffix, such as .bak',
  },
  reporter: {
    type: 'text',
    reach: 'writes',
    value: 'name[=file]',
    many: true,
    summary: reporterSummary(REPORTERS),
  },
  format: {
    type: 'choice',
    choices: REPORTERS,
    value: 'name',
    summary: 'short for one reporter to stdout; json is stable and versioned',
  },
  baseline: {
    type: 'text',
    reach: 'reads',
    value: 'file',
    excludes: ['writeBaseline'],
    summary: 'pass over the findings that this file lists; paths in it are relative to it',
  },
  writeBaseline: {
    type: 'text',
    reach: 'writes',
    value: 'file',
    summary: 'list all findings in this file, for --baseline',
  },
  ...selectionOptions,
  ...budgetOptions,
  ...costOptions,
  ...readingOptions,
} as const satisfies Options;
export type CheckOptions = Parsed<Values<typeof checkOptions>>;
