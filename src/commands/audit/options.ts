import { languageOption } from '../../options/language.js';
import type { Options, Values } from '../../options/option.js';
import type { Parsed } from '../command.js';
import { costOptions, periodOptions, readingOptions, selectionOptions } from '../shared/options.js';
import { CI_REPORTERS, reporterSummary } from '../shared/report-outputs.js';

/** The reporters of `audit`. */
export const REPORTERS = ['table', 'json', 'csv', 'markdown', ...CI_REPORTERS] as const;

/** Reports in which there are no rows and no costs. */
const WITHOUT_ROWS = `format=${CI_REPORTERS.join('|')}+!reporter`;

export const auditOptions = {
  policy: {
    type: 'text',
    reach: 'reads',
    value: 'file|name',
    summary:
      'a policy file (YAML or JSON), or query-history, which is built in; where no config names one, it has to be given',
  },
  by: {
    type: 'choice',
    choices: ['tool', 'rule', 'file', 'day'],
    default: 'tool',
    excludes: [WITHOUT_ROWS],
    summary: 'what a row is',
  },
  lenient: { type: 'flag', summary: 'where the words of a message decide nothing, allow the call with a warning' },
  callsPerDay: {
    type: 'integer',
    least: 0,
    value: 'n',
    default: 100,
    excludes: [WITHOUT_ROWS],
    summary: 'how many calls a day the projected cost is for',
  },
  targetRate: {
    type: 'text',
    value: 'share',
    default: '2%',
    excludes: [WITHOUT_ROWS],
    summary: 'the share of misuse that the saving is reckoned to: 2%, 0.02',
  },
  ...periodOptions,
  timezone: {
    type: 'text',
    default: 'UTC',
    value: 'zone',
    needs: ['by=day', 'since', 'until'],
    summary: 'what a day is: Europe/Berlin, Asia/Tokyo',
  },
  strict: { type: 'flag', summary: 'exit with 1 where any call is denied or invalid, whatever the share' },
  explain: {
    type: 'optional-text',
    value: 'text',
    excludes: [
      ...[
        'by',
        'callsPerDay',
        'targetRate',
        'since',
        'until',
        'strict',
        'currency',
        'reporter',
        `format=csv|markdown|${CI_REPORTERS.join('|')}`,
      ],
      ...['model', 'tokenizer', 'from', 'messages', 'skipBadLines', 'verbose'],
    ],
    summary: 'what the policy says of this message of a user; without a text, of each line of stdin',
  },
  tool: {
    type: 'text',
    value: 'name',
    needs: ['explain'],
    summary: 'with --explain: the tool that would be called, where the policy is about several',
  },
  ...languageOption,
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
  currency: {
    type: 'text',
    value: 'code=rate',
    excludes: [WITHOUT_ROWS],
    summary: "show costs in this currency, at its price of one unit of the policy's currency: USD=0.14",
  },
  exclude: selectionOptions.exclude,
  forceExclude: selectionOptions.forceExclude,
  staged: { ...selectionOptions.staged, excludes: ['explain'] },
  ...costOptions,
  ...readingOptions,
} as const satisfies Options;
export type AuditOptions = Parsed<Values<typeof auditOptions>>;
