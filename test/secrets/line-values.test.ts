/** Values on lines of their own: commas, `&` and letters outside ASCII are part of them. */
import { describe, expect, it } from 'vitest';
import { createFinder } from '../../src/secrets/find.js';
import { secretRules } from '../../src/secrets/rules/index.js';
import { randomOf } from './random.js';
import { redactedBy } from './redacted.js';

const find = createFinder(secretRules, () => false);

/** A text, and the same in JSON and in JSON in a string, with and without escapes. */
function written(text: string): readonly string[] {
  const json = JSON.stringify({ a: text });
  const escaped = json.replace(/[\x80-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [text, json, escaped, JSON.stringify({ b: json }), JSON.stringify({ c: escaped })];
}

/** «…» is what goes. */
describe('the whole value goes', () => {
  it.each([
    'DB_PASSWORD=«abc,déf&ghi9»',
    'A=1\nDB_PASSWORD=«abc,déf&ghi9»\nB=2',
    'DB_PASSWORD=«kq93xjd82hsw,déf&ghi9»\r\nB=2',
    'export API_KEY=«abc,def&ghi9x»; export B=2',
    'docker run -e API_KEY=«abc,def&ghi9x» image',
    'spring.datasource.password = «zkdx,d&f9éé1»\n',
    'password: «zkdx,d&f9éé1»\nuser: bob',
    '     3→DB_PASSWORD=«zkdx,密码f9xé1»\n',
    '+DB_PASSWORD=«correct,horse&battery»\n',
    'CLIENT_SECRET=«qwkjzhxqkzvbn,x»',
    'access_token=«kq93xjd82hsw71»&page=2&first=1',
    'API_KEY=«kq93xjd82hsw71»&&npm run build',
    'API_KEY=«kq93xjd82hsw71»，然后',
    'API_KEY=«kq93xjd82hsw71»,user=bob',
    'API_KEY=«kq93xjd82hsw71»&amp;page=2',
  ])('%s', (shape) => {
    const secret = /«(.*)»/.exec(shape)![1]!;
    for (const [index, text] of written(shape.replace(/[«»]/g, '')).entries()) {
      const output = redactedBy(text, [find]);
      expect(output).toBe(written(shape.replace(/«.*»/, '[secret:named-secret:1]'))[index]);
      expect(redactedBy(output, [find])).toBe(output);
      expect(find(Buffer.from(text)).map(({ text: found }) => found)).toEqual([secret]);
    }
  });

  it('of 500 random values', () => {
    const values = randomOf('line values');
    for (let round = 0; round < 500; round++) {
      const parts = Array.from({ length: 4 }, () => values.text('alnum', 5));
      const value = `${parts.map((part) => part + values.of([',', '&', 'é', 'ß', '漢'])).join('')}x9`;
      expect(find(Buffer.from(`DB_PASSWORD=${value}\n`)).map(({ text }) => text)).toEqual([value]);
    }
  });
});

describe('takes for none', () => {
  it.each([
    'TOKENS=input,output,cached,reasoning',
    'MAX_TOKENS=1000,2000,4000,8000',
    'token_models=gpt-4o,gpt-5.1,claude-3',
    'TOKEN_FILES=/run/secrets/a,/run/secrets/b',
    'DB_PASSWORD=你的数据库密码填写在这里面吧',
    'Passwort: Überprüfungsstelle',
    'password: string,user: string',
    'tokens: in,out,cache,more',
    'token=foo(bar,baz&qux)',
  ])('%s', (text) => {
    for (const one of written(text)) expect(redactedBy(one, [find])).toBe(one);
  });
});
