/** Private keys by their heads, and secrets that stand in several strings. */
import { describe, expect, it } from 'vitest';
import { createFinder } from '../../src/secrets/find.js';
import { secretRules } from '../../src/secrets/rules/index.js';
import { planted } from './corpus.js';
import { randomOf } from './random.js';
import { redactedBy } from './redacted.js';

const find = createFinder(secretRules, () => false);
const values = randomOf('split');
const lines = Array.from({ length: 12 }, () => values.text('base64', 64)).concat(`${values.text('base64', 21)}3==`);
const dashes = '-'.repeat(5);
const HEAD = `${dashes}BEGIN RSA PRIVATE KEY${dashes}`;
const END = `${dashes}END RSA PRIVATE KEY${dashes}`;
const whole = [HEAD, ...lines, END];
const token = planted.find(({ rule }) => rule === 'github-token')!.text;

/** Checks that nothing of the lines is left, that it is JSON, and that a second run changes nothing. */
function expectClean(record: string, secrets: readonly string[] = lines): string {
  const output = redactedBy(record, [find]);
  for (const secret of secrets) expect(output).not.toContain(secret);
  for (const line of output.replace(/^(?:data: |event: .*)/gm, '').split('\n')) if (line !== '') JSON.parse(line);
  expect(redactedBy(output, [find])).toBe(output);
  return output;
}

describe('a private key is one by its head', () => {
  const texts: Readonly<Record<string, string>> = {
    whole: whole.join('\n'),
    'on lines of Windows': whole.join('\r\n'),
    'with a note that something was cut': [...whole.slice(0, 6), '[... 1,234 characters ...]', ...whole.slice(8)].join(
      '\n',
    ),
    'an example': [HEAD, 'Comment: example', ...lines, END].join('\n'),
    'cut at its end': `${whole.slice(0, 8).join('\n')}...`,
    'cut, with a note': `${whole.slice(0, 8).join('\n')}\n[... 900 characters ...]\n${whole.slice(9, 12).join('\n')}`,
    'with numbers': whole.map((line, index) => `${String(index + 1).padStart(6)}\u2192${line}`).join('\n'),
    'with numbers, cut': whole
      .slice(0, 9)
      .map((line, index) => `${index + 1}\t${line}`)
      .join('\n'),
    'in a diff': whole.map((line) => `+${line}`).join('\n'),
    'as JSON in a string': JSON.stringify({ private_key: whole.join('\n') }),
    'in an address': encodeURIComponent(whole.join('\n')),
    'of PGP': whole.join('\n').replaceAll('RSA PRIVATE KEY', 'PGP PRIVATE KEY BLOCK'),
    'that is encrypted': whole
      .join('\n')
      .replace(HEAD, `${HEAD}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,1F2E\n`),
  };
  for (const [name, text] of Object.entries(texts))
    it(name, () => {
      expectClean(JSON.stringify({ role: 'user', content: `Here:\n${text}\nThat was it, \u2603.` }));
      expectClean(JSON.stringify({ input: JSON.stringify({ text }) }));
      expect(redactedBy(JSON.stringify({ a: text, b: 'EqQBCkYIAhgCIkBc8fJ2hQ9' }), [find])).toContain(
        'EqQBCkYIAhgCIkBc8fJ2hQ9',
      );
    });

  it('a string a line', () => {
    expectClean(JSON.stringify({ structuredPatch: [{ lines: whole.map((line) => `+${line}`) }] }));
    expectClean(JSON.stringify({ lines: whole }, null, 2).replace(/\n\s*/g, ' '));
    expectClean(JSON.stringify({ code: JSON.stringify(whole) }));
  });

  it('split over text parts', () => {
    expectClean(JSON.stringify({ content: whole.map((text) => ({ type: 'text', text: `${text}\n` })) }));
    expectClean(JSON.stringify({ content: whole.map((text) => ({ text })) }));
  });

  it('not a head without a key', () => {
    const text = `grep -r "${HEAD}" . finds nothing; see ${HEAD}\n...\n${END}`;
    expect(redactedBy(text, [find])).toBe(text);
  });
});

describe('text in pieces is joined before it is searched', () => {
  const text = `The token is ${token}, keep it.\n${whole.join('\n')}\nDone.`;
  const pieces = Array.from({ length: Math.ceil(text.length / 7) }, (_, at) => text.slice(at * 7, at * 7 + 7));
  const records: Readonly<Record<string, (piece: string, index: number) => string>> = {
    anthropic: (piece) => {
      const delta = { type: 'text_delta', text: piece };
      return `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta })}\n`;
    },
    'openai chat': (piece) => {
      const choices = [{ index: 0, delta: { content: piece } }];
      return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', choices })}\n`;
    },
    'openai responses': (piece, index) =>
      JSON.stringify({ type: 'response.output_text.delta', sequence_number: index, delta: piece, item_id: 'msg_1' }),
    'vercel ui': (piece) => JSON.stringify({ type: 'text-delta', id: '0', delta: piece }),
    codex: (piece, index) =>
      JSON.stringify({
        timestamp: `2026-01-01T00:00:0${index % 10}Z`,
        payload: { type: 'agent_message_delta', delta: piece },
      }),
    acp: (piece) =>
      JSON.stringify({ update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: piece } } }),
  };
  for (const [name, recordOf] of Object.entries(records))
    it(name, () => {
      const output = redactedBy(`${pieces.map(recordOf).join('\n')}\n`, [find]);
      const joined = [...output.matchAll(/"(?:text|content|delta)":"((?:[^"\\]|\\.)*)"/g)]
        .map(([, piece]) => JSON.parse(`"${piece}"`))
        .filter((piece) => piece !== 'text')
        .join('');
      expect(joined).toBe('The token is [secret:github-token:1], keep it.\n[secret:private-key:1]\nDone.');
      expect(redactedBy(output, [find])).toBe(output);
    });

  it('of text parts', () => {
    const content = [token.slice(0, 9), token.slice(9, 20), token.slice(20)].map((piece) => ({
      type: 'text',
      text: piece,
    }));
    const output = expectClean(JSON.stringify({ content }), [token.slice(9, 20), token.slice(20)]);
    expect(JSON.parse(output).content.map(({ text: left }: { text: string }) => left)).toEqual([
      '[secret:github-token:1]',
      '',
      '',
    ]);
  });

  const VALUE = 'kX93jd82hsKq71ndLx92QpZ44';
  const TYPED = { type: 'text' };
  it.each([
    ['a value', [`API_KEY=${VALUE.slice(0, 12)}`, VALUE.slice(12)], TYPED, ['API_KEY=[secret:named-secret:1]', '']],
    [
      'three pieces',
      [`password: "${VALUE.slice(0, 3)}`, VALUE.slice(3, 16), `${VALUE.slice(16)}" it is`],
      {},
      ['password: "[secret:named-secret:1]', '', '" it is'],
    ],
    ['its name apart', ['API_KEY=', `${VALUE} it is`], TYPED, ['API_KEY=', '[secret:named-secret:1] it is']],
    ['a name cut', ['export DB_PASS', `WORD=${VALUE}`], TYPED, ['export DB_PASS', 'WORD=[secret:named-secret:1]']],
    [
      'with a cache',
      [`token=${VALUE.slice(0, 13)}`, VALUE.slice(13)],
      { cache_control: { type: 'ephemeral' } },
      ['token=[secret:named-secret:1]', ''],
    ],
    ['words after', [`API_KEY=${VALUE}`, 'Now the next'], TYPED, ['API_KEY=[secret:named-secret:1]', 'Now the next']],
    ['a list after', [`API_KEY=${VALUE}`, '1. Go'], TYPED, ['API_KEY=[secret:named-secret:1]', '1. Go']],
    ['a line after', [`API_KEY=${VALUE}`, '_____'], TYPED, ['API_KEY=[secret:named-secret:1]', '_____']],
  ])('of named values: %s', (_, texts, more, expected) => {
    const output = expectClean(JSON.stringify({ content: texts.map((text) => ({ text, ...more })) }), []);
    expect(JSON.parse(output).content.map(({ text }: { text: string }) => text)).toEqual(expected);
  });
});
