/** Passwords in lists of arguments: what a shell line would show shows in a list, too, at any depth of JSON. */
import { describe, expect, it } from 'vitest';
import { createFinder } from '../../src/secrets/find.js';
import { secretRules } from '../../src/secrets/rules/index.js';
import { redactedBy } from './redacted.js';

const find = createFinder(secretRules, () => false);
const SECRET = 'S3cretPass9';
const MARK = '[secret:command-password:1]';

describe('the password goes, and nothing else', () => {
  it.each([
    [['mysql', '-u', 'root', `-p${SECRET}`]],
    [['mysqldump', '-h', 'db', `-p${SECRET}`, 'shop']],
    [['sudo', '/usr/bin/mariadb', `-p${SECRET}`]],
    [['curl', '-u', `user:${SECRET}`, 'https://a.internal']],
    [['curl', '-H', 'Accept: "*/*"', `-uuser:${SECRET}`]],
    [['curl', '-s', `--user=user:${SECRET}`, 'https://a.internal']],
    [['wget', '--proxy-user', `user:${SECRET}`]],
    [['sshpass', '-p', SECRET, 'ssh', 'host']],
    [['sshpass', `-p${SECRET}`, 'ssh', 'host']],
    [['docker', 'login', '-u', 'bob', '-p', SECRET]],
    [['redis-cli', '-h', 'cache', '-a', SECRET]],
    [['ldapsearch', '-x', '-w', SECRET, '-b', 'dc=x']],
    [['smbclient', '//host/share', '-U', `bob%${SECRET}`]],
    [['sqlplus', `scott/${SECRET}@db`]],
    [['mysql', `-p${SECRET} $igns, "quotes" é`]],
  ])('%j', (list) => {
    const line = list.join(' ');
    const secret = line.includes('$igns') ? list[1]!.slice(2) : SECRET;
    const left = list.map((one) => one.replace(secret, () => MARK));
    const written = (argv: readonly string[]) => [
      JSON.stringify({ argv }),
      JSON.stringify({ argv }, null, 2),
      JSON.stringify({ command: argv[0], args: argv.slice(1) }),
      JSON.stringify({ arguments: JSON.stringify({ argv }) }),
      JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ command: argv[0], args: argv.slice(1) }) }) }),
    ];
    const after = written(left);
    for (const [index, text] of written(list).entries()) {
      expect(redactedBy(text, [find])).toBe(after[index]);
      expect(redactedBy(after[index]!, [find])).toBe(after[index]);
    }
  });

  it('in a list of Python', () => {
    const text = `subprocess.run(['mysql', '-u', 'root', '-p${SECRET}'], check=True)`;
    expect(redactedBy(text, [find])).toBe(text.replace(SECRET, MARK));
  });
});

describe('takes for none', () => {
  it.each([
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell writes it
    [['mysql', '-u', 'root', '-p${MYSQL_PASSWORD}']],
    [['mysql', '-p$PASS', '-P', '3306']],
    [['mysql', '-p{password}']],
    [['curl', '-u', 'username:password', 'https://a.test']],
    [['curl', '-u', '$USER:$PASS', 'https://a.test']],
    [['curl', '-u', 'myusername']],
    [['gh', 'auth', 'login', '-p', 'https']],
    [['docker', 'run', '-p', '8080:8080', 'mysql']],
    [['ssh', '-p', '22022', 'host']],
    [['mysql', 'postgres', 'redis-cli', 'ldap', 'a sentence about passwords']],
  ])('%j', (argv) => {
    for (const text of [JSON.stringify({ argv }), JSON.stringify({ arguments: JSON.stringify({ argv }) })])
      expect(redactedBy(text, [find])).toBe(text);
  });

  it('a list of Python that joins a variable', () => {
    const text = `run(['mysql', '-p' + password]); run(['curl', '-u', f'{user}:{password}', 'https://a.test'])`;
    expect(redactedBy(text, [find])).toBe(text);
  });
});
