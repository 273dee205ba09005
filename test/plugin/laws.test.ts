/** `testFormat` and `testRule` say which law is broken, where and how; and plugins in the library. */
import { afterEach, describe, expect, it } from 'vitest';
import { addFormats, formats } from '../../src/formats/index.js';
import { check, open, redact } from '../../src/index.js';
import {
  defineFormat,
  defineRule,
  defineSecret,
  type Format,
  formatNamed,
  patch,
  type Rule,
  testFormat,
  testRule,
} from '../../src/plugin.js';
import { allRules } from '../../src/rules/index.js';

const chat = formatNamed('openai-chat');

/** OpenAI messages with a time, one a line. */
const acme = defineFormat({
  id: 'acme-log',
  traits: chat.traits,
  messagePaths: [],
  score: (raw) => (raw.get('sent_at') === undefined ? 0 : chat.score(raw)),
  read: (raw) => chat.read(raw),
  write: (message) => chat.write(message),
});
const LOG = [
  { role: 'user', content: 'What is the time?', sent_at: 1 },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'clock', arguments: '{"zone":"UTC"}' } }],
    sent_at: 2,
  },
  { role: 'tool', tool_call_id: 'c1', content: 'It is twelve by the clock.', sent_at: 3 },
  { role: 'assistant', content: 'It is noon.', sent_at: 4 },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');

const polite = defineRule({
  id: 'acme/no-please',
  summary: 'a question without please',
  severity: 'warning',
  providers: ['openai-chat'],
  error: 'please say please',
  cause: 'Haste.',
  example: {
    bad: { messages: [{ role: 'user', content: 'Go' }] },
    repaired: { messages: [{ role: 'user', content: 'Go please' }] },
  },
  reported: [],
  *check({ transcript, wire }) {
    for (const [index, message] of transcript.messages.entries())
      if (message.role === 'user' && !wire(message)?.get('content')?.text.includes('please'))
        yield { message: index, text: 'no please' };
  },
  fix: {
    safety: 'lossy',
    summary: 'Add it.',
    apply: ({ transcript, wire, rewire }) => ({
      ...transcript,
      messages: transcript.messages.map((message) => rewire(message, patch(wire(message)!, { content: 'Go please' }))),
    }),
  },
});

const secret = defineSecret({
  id: 'acme-key',
  title: 'Acme key',
  anchors: ['acme_'],
  pattern: /acme_[a-z0-9]{16}/,
  tier: 'definite',
  source: 'https://acme.example, read 2026-11-25',
});

const [own, ownRules] = [formats.length, allRules().length];
afterEach(() => addFormats([acme])()); // throws where one is left

describe('testFormat', () => {
  it('is content with a format that keeps its laws, and takes it out again', () => {
    testFormat(acme, { 'log.jsonl': LOG });
    expect(formats.length).toBe(own);
  });

  it.each<[what: string, broken: Partial<Format>, said: RegExp]>([
    ['no score', { score: () => 0 }, /^`acme-log` breaks its laws:\n- log\.jsonl: it is taken for openai-chat;/],
    [
      'a copy for what nobody changed',
      { write: ({ raw, ...message }) => chat.write(message) },
      /log\.jsonl: message 1: `write` makes another value.* \(the law: a message that nobody changed is written as/,
    ],
    [
      'edits that are lost',
      { write: (message) => (message.raw ?? chat.write(message)) as ReturnType<Format['write']> },
      /message 1, texts grow: `parts\[0\]\.text` is "What is the time\?"; expected "What is the time\? — mehr/,
    ],
    [
      'a member that need not be there',
      { read: (raw) => ({ ...chat.read(raw), ...(raw.get('sent_at')!.isNull ? {} : {}) }) },
      /log\.jsonl: it throws TypeError: .* \(the law: a new message reads as what was written\)/,
    ],
    [
      'a value of another type',
      { recorded: (raw) => ({ time: raw.get('sent_at')!.number!.valueOf() }) },
      /message 1, `sent_at` is null: TypeError.*; throw `wrongType\(node, path, expected\)` instead \(the law: a value/,
    ],
  ])('names the law: %s', (_, broken, said) => {
    expect(() => testFormat({ ...acme, ...broken }, { 'log.jsonl': LOG })).toThrow(said);
  });

  it('wants a recording, and a format', () => {
    expect(() => testFormat(acme, {})).toThrow('no recordings');
    expect(() => testFormat({ ...acme, read: undefined } as unknown as Format, {})).toThrow(
      '`formats[0].read` is missing; expected a function',
    );
    expect(() => testFormat({ ...acme, id: 'openai-chat' }, { a: LOG })).toThrow('there is a format `openai-chat`');
  });
});

describe('testRule', () => {
  it('is content with a rule that keeps its laws', () => testRule(polite));

  it.each<[what: string, broken: Partial<Rule>, said: RegExp]>([
    ['a provider', { providers: ['acme'] }, /no provider is called `acme`/],
    ['a rule that finds nothing', { check: () => [] }, /finds nothing in its bad example \{"messages"/],
    [
      'the same examples',
      { example: { ...polite.example!, repaired: polite.example!.bad } },
      /in its repaired example/,
    ],
    [
      'a fix that does nothing',
      { fix: { ...polite.fix!, apply: ({ transcript }) => transcript } },
      /the fix makes .*"Go".*, in which acme\/no-please finds: no please/,
    ],
    [
      'a fix that breaks other rules',
      {
        severity: 'error',
        fix: {
          ...polite.fix!,
          apply: (context, problems) => {
            const { messages, ...rest } = polite.fix!.apply(context, problems);
            const call = { type: 'call', callId: 'c1', tool: 'clock', input: '{}' } as const;
            return { ...rest, messages: [...messages, { role: 'assistant', parts: [call] }, ...messages] };
          },
        },
      },
      /in which chat\/tool-call-unanswered finds/,
    ],
  ])('names what does not hold: %s', (_, broken, said) => {
    expect(() => testRule({ ...polite, ...broken })).toThrow(said);
  });
});

it('lends the library its formats, rules and secrets', () => {
  const plugins = [{ formats: [acme], rules: [polite], secrets: [secret] }];
  const text = LOG.replace('noon', 'acme_0123456789abcdef');
  const leave = addFormats([acme]);
  expect(open(text, { plugins }).format).toBe('acme-log');
  const found = check('{"messages": [{"role": "user", "content": "acme_0123456789abcdef"}]}', {
    plugins,
    provider: 'openai-chat',
    secrets: true,
  });
  expect(found.map(({ rule }) => rule)).toEqual(['acme/no-please', 'secret/acme-key']);
  expect(redact(text, { plugins })).toContain('It is [secret:acme-key:1].');
  expect(allRules().length).toBe(ownRules);
  expect(() => open(text, { plugins: [{ formats: [{ ...acme }] }] })).toThrow('there is a format `acme-log` already');
  leave();
});
