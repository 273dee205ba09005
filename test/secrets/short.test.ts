/** Short passwords, whose names and looks show them; and passwords of commands and of SQL. */
import { describe, expect, it } from 'vitest';
import { createFinder } from '../../src/secrets/find.js';
import { secretRules } from '../../src/secrets/rules/index.js';
import { redactedBy } from './redacted.js';

const find = createFinder(secretRules, () => false);

describe('goes, and nothing else', () => {
  it.each([
    'DB_PASSWORD=«s3cr3tP@ss»',
    'export DB_PASSWORD="«s3cr3tP@ss»"',
    'password: «Welcome1!»',
    '{"password":"«s3cr3tP9»","user":"x"}',
    'PGPASSWORD=«s3cr3tP9» psql -h db',
    '      - POSTGRES_PASSWORD=«s3cr3tP9»',
    'user=bob&password=«k9J%21jd82»&x=1',
    'psql "host=db password=«s3cr3tP9» dbname=x"',
    'smtp_pass: «s3cr3tP9»',
    '{"auth":{"user":"x","pass":"«kX93jd82hsKq71»"}}',
    'pass: «kX93jd82hsKq71»',
    'mysql -uroot --password=«s3cr3t9» shop',
    'mongo -u a -p «kX93jd82» --host x',
    'zip -P «kX93jd82» a.zip b',
    'unzip -q -P «kX93jd82» a.zip',
    '7z x -p«kX93jd82» a.7z',
    'htpasswd -bc f bob «kX93jd82»',
    'openssl rsa -passin pass:«kX93jd82» -in k',
    "CREATE USER 'app'@'%' IDENTIFIED BY '«s3cr3tP9»';",
    "alter role app with password '«s3cr3tP9»';",
  ])('%s', (shape) => {
    const text = shape.replace(/[«»]/g, '');
    const expected = (id: string) => shape.replace(/«.*»/, `[secret:${id}:1]`);
    for (const spell of [String, JSON.stringify, (one: string) => JSON.stringify(JSON.stringify({ one }))]) {
      const output = redactedBy(spell(text), [find]);
      expect([spell(expected('named-secret')), spell(expected('command-password'))]).toContain(output);
      expect(redactedBy(output, [find])).toBe(output);
    }
  });
});

describe('stays', () => {
  it.each([
    'password=user1.name2',
    'password = cfg.d1.pw2',
    'password: str2bool',
    'const password = getPw1x2()',
    'PWD=/tmp/a1b2c3',
    'password=hunter2',
    'password: v1.2.3-rc1',
    'DB_PASSWORD=$PASS1word',
    'password: 2024-01-01',
    'password: 12345678',
    '{"password":"P@ssw0rd"}',
    'token=a1b2c3d4',
    'secret: x1y2z3',
    'the password: a1b2c3d4,e5f6', // a part of it would stay
    'docker run --name mongo -p 27017:27017 mongo',
    'mongod && mkdir -p data1x2',
    "ALTER USER app IDENTIFIED BY 'new_password';",
    'it is identified by "run_001"',
    'pass: tests/test_a1.py::test_b[one-1]',
    '{"pass":"12 of 14 tests"}',
    'bypass=kX93jd82hsKq71ab',
    'gzip -P1 a',
  ])('%s', (text) => {
    expect(redactedBy(text, [find])).toBe(text);
    expect(redactedBy(JSON.stringify({ text }), [find])).toBe(JSON.stringify({ text }));
  });
});
