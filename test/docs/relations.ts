/** `needs` and `excludes` of an option in words. */
import { termsOf } from '../../src/cli/options/relations.js';
import type { Option, Options } from '../../src/options/option.js';
import { kebab } from '../../src/options/parse.js';

export function relationsOf(options: Options, { needs = [], excludes = [] }: Option): string[] {
  return [
    ...(needs.length > 0 ? [`Only with ${needs.map((condition) => worded(options, condition)).join(' or ')}.`] : []),
    ...(excludes.length > 0 ? [`Not with ${excludes.map((condition) => worded(options, condition)).join(', ')}.`] : []),
  ];
}

function worded(options: Options, condition: string): string {
  const terms = termsOf(condition);
  const given = terms.filter(({ isNegated, values }) => !isNegated || values !== undefined);
  const absent = terms.filter(({ isNegated, values }) => isNegated && values === undefined);
  return [
    given
      .map(({ key, isNegated, values }) => flagsOf(key, isNegated ? others(options[key], values) : values))
      .join(' and '),
    ...absent.map(({ key }) => `without ${flagsOf(key, undefined)}`),
  ]
    .filter((text) => text !== '')
    .join(' ');
}

/** `--format json|markdown`. */
function flagsOf(key: string, values: readonly string[] | undefined): string {
  const flag = `--${kebab(key)}`;
  if (values === undefined || values[0] === 'true') return `\`${flag}\``;
  return `\`${flag} ${values.join('|')}\``;
}

/** The choices that are not among `values`. */
function others(option: Option | undefined, values: readonly string[] | undefined): readonly string[] | undefined {
  if (option?.type !== 'choice' || values === undefined) return values;
  return option.choices.filter((choice) => !values.includes(choice));
}
