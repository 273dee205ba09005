import { languageOption } from '../../../options/language.js';
import type { Options, Values } from '../../../options/option.js';
import type { Parsed } from '../../options/command.js';
import { costOptions, periodOptions, readingOptions, selectionOptions } from '../../options/options.js';
import { CI_REPORTERS, reporterOptions } from '../../outputs/report-outputs.js';

/** The reporters of `audit`. */
export const REPORTERS = ['table', 'json', 'csv', 'markdown', ...CI_REPORTERS] as const;

/** Reports without rows and costs. */
const WITHOUT_ROWS = `format=${CI_REPORTERS.join('|')}+!reporter`;

export const auditOptions = {
  policy: {
    type: 'text',
    reach: 'reads',
    value: 'file|name',
    summary: 'policy file (YAML or JSON), or the built-in query-history; required unless the config names one',
  },
  by: {
    type: 'choice',
    choices: ['tool', 'rule', 'file', 'day'],
    default: 'tool',
    excludes: [WITHOUT_ROWS],
    summary: 'what a row is',
  },
  lenient: { type: 'flag', summary: 'allow a call with a warning if the words of the message do not decide' },
  callsPerDay: {
    type: 'integer',
    least: 0,
    value: 'n',
    default: 100,
    excludes: [WITHOUT_ROWS],
    summary: 'calls per day for the projected cost',
  },
  targetRate: {
    type: 'text',
    value: 'share',
    default: '2%',
    excludes: [WITHOUT_ROWS],
    summary: 'misuse rate that the projected saving assumes: 2%, 0.02',
  },
  ...periodOptions,
  timezone: {
    type: 'text',
    value: 'zone',
    needs: ['by=day', 'since', 'until'],
    summary: 'time zone of days instead of the local one: UTC, Europe/Berlin',
  },
  strict: { type: 'flag', summary: 'exit 1 if any call is denied or invalid, whatever the rate' },
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
      ...['model', 'asModel', 'tokenizer', 'from', 'messages', 'skipBadLines', 'verbose'],
    ],
    summary: 'show what the policy decides for this user message; without a text, for each line of stdin',
  },
  tool: {
    type: 'text',
    value: 'name',
    needs: ['explain'],
    summary: 'with --explain: the tool to be called, if the policy covers several',
  },
  ...languageOption,
  ...reporterOptions(REPORTERS),
  currency: {
    type: 'text',
    value: 'code=rate',
    excludes: [WITHOUT_ROWS],
    summary: "show costs in this currency, at this rate per unit of the policy's currency: USD=0.14",
  },
  exclude: selectionOptions.exclude,
  forceExclude: selectionOptions.forceExclude,
  staged: { ...selectionOptions.staged, excludes: ['explain'] },
  ...costOptions,
  ...readingOptions,
} as const satisfies Options;
export type AuditOptions = Parsed<Values<typeof auditOptions>>;
