/** Headers as cassettes, HAR and logs write them, and lists of names beside which no secret stands. */
import { describe, expect, it } from 'vitest';
import { createFinder } from '../../src/secrets/find.js';
import { secretRules } from '../../src/secrets/rules/index.js';
import { redactedBy } from './redacted.js';

const find = createFinder(secretRules, () => false);
const VALUE = 'kX93jd82hsKq71ndLx92QpZ44';
const BASIC = Buffer.from(`bot:${VALUE}`).toString('base64');

describe('a header is found in', () => {
  const headers = [
    ['x-api-key', VALUE, ''],
    ['Authorization', VALUE, 'Bearer '],
    ['authorization', BASIC, 'Basic '],
    ['Cookie', `sessionid=${VALUE}`, ''],
  ] as const;
  const written: Readonly<Record<string, (name: string, value: string) => unknown>> = {
    HAR: (name, value) => ({ headers: [{ name, value }] }),
    'lists of values': (name, value) => ({ headers: { [name]: [value] } }),
    pairs: (name, value) => ({ headers: [[name, value]] }),
    'a cassette of VCR': (name, value) => `headers:\n  ${name}:\n  - ${value}\n  accept:\n  - '*/*'\n`,
    'a deeper cassette': (name, value) => `  request:\n      headers:\n        ${name}:\n          - "${value}"\n`,
  };
  for (const [place, write] of Object.entries(written))
    for (const [name, secret, scheme] of headers)
      it(`${place}: ${name}`, () => {
        const value = write(name, scheme + secret);
        for (const text of [JSON.stringify(value), JSON.stringify({ text: JSON.stringify(value) })]) {
          const output = redactedBy(text, [find]);
          expect(output).not.toContain(secret);
          expect(output).toBe(text.replace(secret, () => /\[secret:[a-z-]+:1\]/.exec(output)![0]));
          expect(redactedBy(output, [find])).toBe(output);
        }
      });
});

it.each([
  { ParameterKey: 'DbPassword', ParameterValue: VALUE },
  { name: 'API_KEY', slotSetting: false, value: VALUE },
])('the value of a parameter is found, and its name stays: %j', (parameter) => {
  expect(redactedBy(JSON.stringify(parameter), [find])).toBe(
    JSON.stringify(parameter).replace(VALUE, '[secret:named-secret:1]'),
  );
});

describe('the next name stays', () => {
  it.each([
    { type: 'password', autocomplete: 'off' },
    { grant_type: 'password', client_identifier: 'abc' },
    { grant_type: 'password', username_or_email: 'x' },
    { role: 'secret', participants: ['a'] },
    { field: 'password', rule_2_of_x9y8z7: 'min' },
    { columns: ['id', 'password', 'created_at_ts', 'failed_login_attempts'] },
    { required: ['username', 'password', 'confirmation1'] },
    ['api_key', 'organization_id'],
    ['password', '2026-01-01T00:00:00Z'],
  ])('%j', (value) => {
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2), JSON.stringify(JSON.stringify(value))])
      expect(redactedBy(text, [find])).toBe(text);
  });

  it('in code', () => {
    const text = "cols = ['password', 'last_login_at', 'is_superuser']; get('api_key', 'organization_id')";
    expect(redactedBy(text, [find])).toBe(text);
  });
});
