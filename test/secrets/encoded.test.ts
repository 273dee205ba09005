/** Secrets in base64: a `.env` file, a key of a cluster, credentials of a registry; what holds none stays. */
import { describe, expect, it } from 'vitest';
import { createFinder } from '../../src/secrets/find.js';
import { secretRules } from '../../src/secrets/rules/index.js';
import { random } from './corpus.js';
import { redactedBy } from './redacted.js';

const find = createFinder(secretRules, () => false);
const base64 = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding).toString('base64');
const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const value = (length: number, seed: string) => random(ALNUM, length, seed);

const env = (seed: string) => `HOST=db.internal\nAPI_KEY=${value(32, seed)}\nPORT=8080\nNAME=${'a b '.repeat(20)}\n`;
const key = `-----BEGIN PRIVATE KEY-----\n${value(64, 'a')}\n${value(64, 'b')}\n-----END PRIVATE KEY-----\n`;
const SECRET: Readonly<Record<string, string>> = {
  'a .env file': base64(env('one')),
  'a .env file in lines': base64(env('two')).replace(/.{76}/g, '$&\n'),
  'a script of PowerShell': base64(env('three'), 'utf16le'),
  'a private key': base64(key),
  'pulls from a registry': base64(JSON.stringify({ auths: { r: { auth: base64(`bot:${value(24, 'c')}`) } } })),
};

describe('base64 of', () => {
  for (const [name, encoded] of Object.entries(SECRET))
    it(`${name}: nothing of it stays`, () => {
      for (const text of [`data: ${encoded}\nend`, JSON.stringify({ text: `\n${encoded}\n`, inner: [encoded] })]) {
        const output = redactedBy(text, [find]);
        expect(output).toMatch(/\[secret:[a-z-]+:\d+\]/);
        for (const line of encoded.split('\n')) expect(output).not.toContain(line.slice(8, 48));
        expect(redactedBy(output, [find])).toBe(output);
      }
    });
});

it('base64 without a secret stays', () => {
  for (const bytes of [
    base64(`${'A text of words. '.repeat(9)}`),
    value(400, 'noise'),
    base64('{"id": 1, "n": [2]}'.repeat(4)),
  ])
    expect(redactedBy(JSON.stringify({ bytes }), [find])).toBe(JSON.stringify({ bytes }));
});
