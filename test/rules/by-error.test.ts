/** Rules found by the error that an API returned. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OTHER_ERRORS } from '../../src/engine/check/other-errors.js';
import { rulesByError } from '../../src/engine/check/rules-by-error.js';
import { allRules } from '../../src/rules/index.js';
import { errorsOf, OR } from '../../src/rules/rule.js';
import { runProgram } from '../shared/program.js';

const rules = allRules();

const idsFor = (text: string) => rulesByError(text, rules).map(({ id }) => id);
const COLLECTED = '../shared/rules/RULES.json';

it.each(rules.map((rule) => [rule.id, errorsOf(rule)] as const))(
  '%s is found by its error, as APIs wrap it',
  (id, error) => {
    const body = {
      type: 'error',
      error: { type: 'invalid_request_error', message: error },
      request_id: 'req_011CSHoEeq',
    };
    for (const text of [error, `400 ${JSON.stringify(body)}`, error.toUpperCase()])
      expect(errorsOf(rulesByError(text, rules)[0]!), id).toBe(error);
  },
);

describe.skipIf(!existsSync(COLLECTED))('errors as they were collected', () => {
  const collected = existsSync(COLLECTED)
    ? (JSON.parse(readFileSync(COLLECTED, 'utf8')) as { rules: { id: string; errorText: string }[] }).rules
    : [];
  it.each(collected.map(({ id, errorText }) => [id, errorText]))('%s', (id, text) => {
    expect(idsFor(text!)).toContain(id);
  });
});

const ofProviders = rules.flatMap(({ id, error }) =>
  typeof error === 'string'
    ? []
    : Object.values(error).flatMap((text) => [text, ...text.split(OR)].map((one) => [id, one] as const)),
);
const others = Object.entries(OTHER_ERRORS).flatMap(([id, texts]) => texts.map((text) => [id, text] as const));
it.each([...others, ...ofProviders])('%s is found by other errors, whatever their numbers: %s', (id, text) => {
  expect(idsFor(`Error code: 400 - ${text.replace(/\d+/g, '17')}`)).toContain(id);
});

const CASES = '../shared/cases/providers/index.json';
/** Errors that no rule is about yet. */
const NO_RULE = /^(?:a40|a42|a44|a46|a52|g16|g26|o14)-/;
it.skipIf(!existsSync(CASES))('finds a rule for the error of each case', () => {
  const cases = JSON.parse(readFileSync(CASES, 'utf8')) as { name: string; error: string; want?: string }[];
  const lost = cases.filter(({ error, want }) => {
    const ids = idsFor(error);
    return want === undefined ? ids.length === 0 : !ids.includes(want);
  });
  expect(lost.map(({ name }) => name).filter((name) => !NO_RULE.test(name))).toEqual([]);
});

it('finds a rule by some words of its error', () => {
  expect(idsFor('`tool_use` ids were found')).toEqual(['anthropic/tool-use-unanswered']);
  expect(idsFor('roles must alternate')).not.toEqual([]);
  expect(idsFor('must be')).toEqual([]);
});

it.each([
  'what is the weather in Rome',
  'Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM)',
  'The model `gpt-5` does not exist or you do not have access to it.',
  'Incorrect API key provided',
])('no rule is found by: %s', (text) => expect(idsFor(text)).toEqual([]));

it('explains the rule of a part of an error, quoted or not', () => {
  const explained = runProgram(['rules', 'anthropic/tool-use-unanswered']).stdout;
  const part = 'tool_use ids were found without tool_result blocks';
  expect(explained).toContain('Each `tool_use` block must have');
  expect(runProgram(['rules', part]).stdout).toBe(explained);
  expect(runProgram(['rules', ...part.split(' ')]).stdout).toBe(explained);
  const unknown = runProgram(['rules', 'nothing like this']);
  expect(unknown).toMatchObject({ status: 2, stdout: '' });
  expect(unknown.stderr).toContain('no rule has an API error like this text');
  expect(runProgram(['rules', 'anthropic/tool-use-unanswred']).stderr).toContain('did you mean');
});
