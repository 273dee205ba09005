/** Finding and replacing secrets: forms as providers document them, look-alikes, and every byte around them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFinder } from '../../src/secrets/find.js';
import { createPersonalFinder } from '../../src/secrets/personal.js';
import { createRedactor } from '../../src/secrets/redact.js';
import { secretRules } from '../../src/secrets/rules/index.js';
import { otherKeys } from '../../src/secrets/rules/others.js';
import { anyText } from '../shared/any-text.js';
import { runs } from '../shared/random-runs.js';
import { fixtures, sharedRecordings } from '../shared/recordings.js';
import { lookAlikes, planted } from './corpus.js';
import { redactedBy, streamed } from './redacted.js';

const find = createFinder(secretRules, () => false);
const foundIn = (text: string) => find(Buffer.from(text)).map(({ rule, text: secret }) => [rule.id, secret]);

/** The forms of their lengths are not sure. */
const UNSURE = ['cloudflare-origin-key', 'onepassword-token'];
/** What test/secrets/shapes.test.ts tries. */
const SHAPED = [
  ...otherKeys.map(({ id }) => id),
  ...[
    'registry-credentials',
    'seed-phrase',
    'authorization',
    'command-password',
    'netrc-password',
    'connection-password',
  ],
  ...['token-in-url', 'signed-url', 'session-cookie', 'secret-before-name', 'piped-password'],
];

describe('finds each form', () => {
  it('has a form of each rule, and at least forty', () => {
    const tried = new Set(planted.map(({ rule }) => rule));
    const untried = secretRules.map(({ id }) => id).filter((id) => !tried.has(id));
    expect(untried).toEqual([...UNSURE, ...SHAPED]);
    expect(planted.length).toBeGreaterThanOrEqual(40);
  });

  for (const { rule, secret, text } of planted)
    it(`${rule}: ${text.slice(0, 12)}…`, () => {
      expect(foundIn(text)).toEqual([[rule, secret]]);
      expect(foundIn(`key="${text}",\n`)).toEqual([[rule, secret]]);
    });
});

it.each([
  'echo S3cretPass9 | sudo -S apt-get update',
  "echo 'S3cretPass9' | sudo -k -S true",
  "printf '%s\\n' S3cretPass9 | sudo --stdin ls",
  'sudo -S ls /root <<< "S3cretPass9"',
  'echo S3cretPass9 | docker login -u bot --password-stdin registry.internal',
])('%s: what a command reads is a password', (command) => {
  for (const text of [command, JSON.stringify({ command }), JSON.stringify([JSON.stringify({ command })])])
    expect(foundIn(text)).toEqual([['piped-password', 'S3cretPass9']]);
});

it.each([
  ['DB_PASSWORD=userPassword', ['userPassword']],
  ['https://a.example/?password=userPassword', ['userPassword']],
  ['dbPassword = userPassword', []],
  ['DB_PASSWORD=/var/user/password', []],
])('%s: a name of code is a secret only in an environment or a query, and a path in none: %j', (text, secrets) => {
  expect(foundIn(text).map(([, secret]) => secret)).toEqual(secrets);
});

/** A color of a terminal ends a word: `ESC[31m`, at the beginning of a text and behind much of it. */
it.each(['', 'x'.repeat(200)])('a secret right behind a color is found, not one within a word (after %j)', (before) => {
  const { rule, secret } = planted.find(({ rule: id, text, secret: one }) => id.startsWith('github') && text === one)!;
  expect(foundIn(`${before}\u001b[31m${secret}`)).toEqual([[rule, secret]]);
  expect(foundIn(`${before}\u001b[1;31m${secret}\u001b[0m`)).toEqual([[rule, secret]]);
  expect(foundIn(`${before}word${secret}`)).toEqual([]);
});

describe('takes nothing else for a secret', () => {
  for (const text of lookAlikes)
    it(text.slice(0, 60), () => {
      expect(foundIn(text)).toEqual([]);
      expect(foundIn(JSON.stringify({ text, inner: JSON.stringify({ text }) }))).toEqual([]);
    });

  const recordings = [...fixtures(), ...sharedRecordings()];
  it('in recordings: at most five, but for the passwords that a model made up', () => {
    const found = new Set(recordings.flatMap((recording) => find(recording.bytes).map(({ text }) => text)));
    const wrong = [...found].filter((text) => !/^[aA][\w!@#$%^&*]{11}$/.test(text));
    expect(wrong.length).toBeLessThanOrEqual(5);
  });
});

/** A JSON text with secrets at any depth, also in JSON in strings. */
const nested = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...planted.map(({ text }) => text)),
    fc.tuple(fc.string(), fc.constantFrom(...planted), fc.string()).map(([a, { text }, b]) => `${a} ${text} ${b}`),
    anyText(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
    tie('value').map((value) => JSON.stringify(value)),
  ),
})).value;

describe('redacts', () => {
  it('every secret, and nothing else: with the marks replaced, the bytes are the same', () => {
    fc.assert(
      fc.property(
        fc.array(nested, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 64, max: 4096 }),
        (values, window) => {
          const text = `${values.map((value) => JSON.stringify(value)).join('\n')}\n`;
          const output = redacted(text, window);
          for (const { secret } of planted) expect(output).not.toContain(JSON.stringify(secret).slice(1, -1));
          expect(restored(output, text)).toBe(text);
          expect(redacted(output, window)).toBe(output);
          for (const line of output.trimEnd().split('\n')) JSON.parse(line);
        },
      ),
      runs(0.02),
    );
  });

  it('secrets that JSON spells with escapes', () => {
    const { secret } = planted.find(({ rule }) => rule === 'aws-secret-key')!;
    for (const spelled of [
      secret.replaceAll('/', '\\/'),
      secret.replaceAll('+', '\\u002B'),
      secret.replaceAll('/', '\\\\/').replaceAll('+', '\\\\u002b'),
    ]) {
      const output = redacted(`{"a":"aws_secret_access_key=${spelled}","b":"x\\/y"}`);
      expect(output).toBe('{"a":"aws_secret_access_key=[secret:aws-secret-key:1]","b":"x\\/y"}');
    }
  });

  it('the same secret by the same mark, and another by another', () => {
    const tokens = planted.filter(({ rule }) => rule === 'github-token').map(({ text }) => text);
    const [one, two] = tokens as [string, string];
    expect(redacted(`${one} ${two}\n${one}\n`)).toBe(
      '[secret:github-token:1] [secret:github-token:2]\n[secret:github-token:1]\n',
    );
  });

  it('a known kind of key by its kind, whatever its name', () => {
    const { text } = planted.find(({ rule }) => rule === 'anthropic-key')!;
    expect(redacted(`Authorization: Bearer ${text}`)).toBe('Authorization: Bearer [secret:anthropic-key:1]');
    expect(redacted(`MY_API_KEY=${text}`)).toBe('MY_API_KEY=[secret:anthropic-key:1]');
  });

  it('what is not allowed', () => {
    const { text } = planted.find(({ rule }) => rule === 'groq-key')!;
    const redactor = createRedactor([createFinder(secretRules, (secret) => secret === text)]);
    expect(streamed(text, redactor)).toBe(text);
  });

  it('names that are words of a format, but not in it', () => {
    const redactor = createRedactor([createPersonalFinder([], () => false)]);
    const inner = '{"max_tokens":1,"text":"max"}';
    const text = JSON.stringify({
      model: 'claude-max-1',
      max_tokens: 9,
      cwd: '/home/claude/p',
      content: [{ type: 'text', text: `see /Users/max/x and /home/text: max said ${inner}` }],
    });
    const mark = (n: number) => `[secret:name:${n}]`;
    expect(JSON.parse(streamed(text, redactor))).toEqual({
      model: 'claude-max-1',
      max_tokens: 9,
      cwd: `/home/${mark(1)}/p`,
      content: [
        {
          type: 'text',
          text: `see /Users/${mark(2)}/x and /home/${mark(3)}: ${mark(2)} said {"max_tokens":1,"text":"${mark(2)}"}`,
        },
      ],
    });
  });

  it('names and addresses of people', () => {
    const isAllowed = () => false;
    const redactor = createRedactor([find, createPersonalFinder(['build-host-7'], isAllowed)]);
    const text = JSON.stringify({
      cwd: '/home/jsmith/work',
      folder: '-home-jsmith-work',
      mac: '/Users/jsmith',
      windows: 'C:\\Users\\anna.b\\x',
      mail: 'J.Smith+x@mail.example.org',
      remote: 'git@github.com:a/b.git',
      log: 'drwx\njsmith  staff\nroot wheel build-host-7',
      word: 'jsmithson /home/node/app',
    });
    expect(JSON.parse(streamed(text, redactor))).toEqual({
      cwd: '/home/[secret:name:1]/work',
      folder: '-home-[secret:name:1]-work',
      mac: '/Users/[secret:name:1]',
      windows: 'C:\\Users\\[secret:name:2]\\x',
      mail: '[secret:email:1]',
      remote: 'git@github.com:a/b.git',
      log: 'drwx\n[secret:name:1]  staff\nroot wheel [secret:name:3]',
      word: 'jsmithson /home/node/app',
    });
  });
});

function redacted(text: string, window?: number): string {
  return redactedBy(text, [find], window);
}

/** The text before: each mark stands for one of the planted secrets, as deep in JSON strings as it was. */
function restored(output: string, text: string): string {
  let before = '';
  for (const piece of output.split(/(\[secret:[a-z0-9-]+:\d+\])/)) {
    const rule = /^\[secret:([a-z0-9-]+):\d+\]$/.exec(piece)?.[1];
    before += rule === undefined ? piece : (spellings(rule).find((one) => text.startsWith(one, before.length)) ?? '?');
  }
  return before;
}

function spellings(rule: string): string[] {
  return planted
    .filter((one) => one.rule === rule)
    .flatMap(({ secret }) => {
      const spelled = [secret];
      for (let depth = 0; depth < 12; depth++) spelled.push(JSON.stringify(spelled.at(-1)).slice(1, -1));
      return spelled;
    });
}
