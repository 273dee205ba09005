/** The library's face, as a program meets it. */
import { expect, it } from 'vitest';
import { check, convert, redact, run, type StepName, simulate } from '../../src/index.js';

const CALL = { id: 'call_1', type: 'function', function: { name: 'ls', arguments: '{}' } };
const MESSAGES = [
  { role: 'user', content: 'list' },
  { role: 'assistant', content: null, tool_calls: [CALL] },
  { role: 'user', content: 'go on' },
];

it('gives the `every` of a pipeline to its steps without a value of their own', () => {
  const read = (id: string) => [
    { role: 'assistant', content: null, tool_calls: [{ ...CALL, id }] },
    { role: 'tool', tool_call_id: id, content: `${id}: ${'many files '.repeat(20)}` },
  ];
  const messages = [{ role: 'user', content: 'list' }, ...['a', 'b', 'c', 'd', 'e'].flatMap(read)];
  const countTokens = (text: string) => text.length;
  const cut = (steps: readonly StepName[], every?: number) =>
    run(messages, ['cut'], { pipelines: { cut: every === undefined ? { steps } : { steps, every } }, countTokens });
  expect(cut(['filter:max-tool-calls=0'], 2)).toEqual([messages[0], ...messages.slice(-2)]);
  expect(cut(['filter:max-tool-calls=0'])).toEqual([messages[0]]);
  expect(cut(['patch', { transform: 'filter', maxToolCalls: 1, every: 3 }], 2)).toEqual([
    messages[0],
    ...messages.slice(-4),
  ]);
  expect(cut(['dedupe'], 4)).toEqual(run(messages, ['dedupe:every=4'], { countTokens }));
  expect(cut(['dedupe'], 4)).not.toEqual(run(messages, ['dedupe'], { countTokens }));
  expect(() => cut(['dedupe'], 0)).toThrow('`options.pipelines.cut.every` is 0; expected a whole number from 1 on');
  expect(() => cut('dedupe' as never)).toThrow('`options.pipelines.cut.steps` is "dedupe"; expected a list');
});

it('checks a list of messages, for its own provider or for another', () => {
  expect(check(MESSAGES)).toMatchObject([
    {
      rule: 'chat/tool-call-unanswered',
      severity: 'error',
      transcript: 0,
      index: 1,
      callId: 'call_1',
      fix: 'synthetic',
    },
  ]);
  expect(check(MESSAGES, { provider: 'anthropic' }).map(({ rule }) => rule)).toEqual(['anthropic/tool-use-unanswered']);
  expect(check(MESSAGES, { disable: ['chat/tool-call-unanswered'] })).toEqual([]);
  expect(check(run(MESSAGES, ['patch']))).toEqual([]);
  expect(() => check(MESSAGES, { provider: 'nobody' })).toThrow(/unknown provider `nobody`; use one of openai-chat/);
});

it('numbers the transcripts of a text', () => {
  const line = JSON.stringify({ messages: MESSAGES });
  const good = JSON.stringify({ messages: [MESSAGES[0]] });
  expect(check([line, good, line].join('\n')).map(({ transcript }) => transcript)).toEqual([0, 2]);
});

it('converts a list of messages', () => {
  const [converted] = convert(
    [...MESSAGES.slice(0, 2), { role: 'tool', tool_call_id: 'call_1', content: 'a.txt' }],
    'anthropic-messages',
  );
  expect(converted!.lost).toEqual([]);
  expect(converted!.value).toEqual({
    max_tokens: 4096,
    messages: [
      { role: 'user', content: 'list' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'ls', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'a.txt' }] },
    ],
  });
  expect(converted!.repairs).toEqual([]);
});

it('takes steps as a config writes them, and its named pipelines', async () => {
  const pipelines = { short: ['patch', 'filter:max-tool-calls=0'] };
  expect(run(MESSAGES, ['short'], { pipelines })).toEqual(
    run(MESSAGES, ['patch', { transform: 'filter', maxToolCalls: 0 }]),
  );
  expect(run(MESSAGES, ['patch:placeholder=auto,lang=ja'])).toEqual(
    run(MESSAGES, [{ transform: 'patch', placeholder: 'auto', lang: 'ja' }]),
  );
  const steps = async (name: string) =>
    (await simulate(MESSAGES, [name], { pipelines, scope: 'all', model: 'gpt-4o' })).transcripts[0]!.requests.map(
      (request) => request.calls_after,
    );
  expect(await steps('short')).toEqual(await steps('filter:max-tool-calls=0'));
  expect(() => run(MESSAGES, ['shorter'], { pipelines })).toThrow(/no step `shorter`; there are patch/);
  expect(() => run(MESSAGES, ['filter:max-calls=1'])).toThrow(
    /filter has no option `max-calls`; it has max-tool-calls/,
  );
  expect(() => run(MESSAGES, ['inject:system=rules.md'])).toThrow(
    /`system` names a file, which a program reads by itself: give \{ transform: 'inject', system: … \}/,
  );
});

it('redacts a text, or messages that keep their classes', () => {
  class Note {
    constructor(
      readonly content: string,
      readonly role = 'user',
    ) {}
  }
  const token = `gh${'p_'}aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5`;
  const messages = [new Note('nothing'), new Note(`use ${token}`)];
  const marks: [string, string][] = [];
  const [first, second] = redact(messages, { onMark: (mark, secret) => marks.push([mark, secret]) });
  expect(first).toBe(messages[0]);
  expect(second).toBeInstanceOf(Note);
  expect(second!.content).toBe('use [secret:github-token:1]');
  expect(messages[1]!.content).toBe(`use ${token}`);
  expect(marks).toEqual([['[secret:github-token:1]', token]]);
  expect(redact(`${token} of jane@corp.org`, { personal: true })).toBe('[secret:github-token:1] of [secret:email:1]');
  expect(redact(token, { allow: ['ghp_*'] })).toBe(token);
  expect(() => redact('a', { allowed: [] } as never)).toThrow(/allowed/);
  expect(check([{ role: 'user', content: token }], { secrets: true })).toMatchObject([{ rule: 'secret/github-token' }]);
});
