/** Whatever a recording or a program hands over, what is thrown is a TranscriptError that says where and what. */
import { describe, expect, it } from 'vitest';
import { describeError, isTranscriptError, type TranscriptError } from '../../src/errors.js';
import { formats } from '../../src/formats/index.js';
import { check, convert, open, run, type StepName } from '../../src/index.js';
import { createAudit } from '../../src/measure/stats/audit.js';
import { createCounting } from '../../src/measure/stats/counting.js';
import { globOf } from '../../src/text/glob.js';
import { lawful } from '../shared/lawful.js';
import { deep, malformable, malformed, type Random, randomFrom } from '../shared/malform.js';
import { runs } from '../shared/random-runs.js';
import { forEveryTransform } from '../shared/trials.js';

const STEPS = forEveryTransform([
  ['patch', { placeholder: 'auto', orphan: 'text', lang: 'ja' }],
  ['filter', { maxToolCalls: 1, dropUser: true, pending: 'drop' }],
  ['truncate', { maxLength: 20, noMinimum: true, keep: 'both' }],
  ['clear', { trigger: 0, keep: 0, clearInputs: true }],
  ['dedupe', {}],
  ['prune', { reasoning: true, images: true, empty: true, records: true }],
  ['fit', { maxTokens: 100 }],
  ['strip', { keepText: true, keepToolNames: true, retryPrompt: true }],
  ['inject', { system: 'Be brief.', user: 'Go on.', toolDescription: [['search', 'finds']] }],
]).map(([transform, options]) => ({ transform, ...options }) as StepName);
const TARGETS = formats.filter((entry) => entry.load().encode !== undefined).map(({ id }) => id);
const countTokens = (text: string) => text.length;

/** What is done to a recording: all that looks at it, and some of what changes it. */
function attemptsOn(text: string, random: Random): readonly (readonly [what: string, attempt: () => unknown])[] {
  const steps = [0, 1].map(() => STEPS[random(STEPS.length)]!);
  const target = TARGETS[random(TARGETS.length)]!;
  return [
    ...steps.map((step) => [JSON.stringify(step), () => run(text, [step], { countTokens })] as const),
    [`convert ${target}`, () => convert(text, target)],
    ['check', () => check(text)],
    ['stats', () => statsOf(text)],
  ];
}

function statsOf(text: string): void {
  const audit = createAudit({
    within: undefined,
    grouping: undefined,
    settled: undefined,
    prices: undefined,
    at: undefined,
    model: undefined,
    carries: true,
    keepsMessages: true,
  } as never);
  for (const transcript of open(text).transcripts)
    audit.add(
      transcript,
      { file: 'f', line: 1 },
      createCounting(transcript.model, () => countTokens),
    );
  audit.facts();
}

describe('malformed recordings', () => {
  const recordings = malformable();
  const { numRuns, seed = Date.now() } = runs(1 / 25);

  it('malforms a recording of each format', () => {
    expect(new Set(recordings.map(({ format }) => format)).size).toBe(formats.length);
  });

  it('are refused with a place, or taken', () => {
    const defects: string[] = [];
    let refused = 0;
    for (let at = seed; at < seed + numRuns; at++) {
      const random = randomFrom(at);
      const recording = recordings[random(recordings.length)]!;
      const text = malformed(recording, random);
      for (const [what, attempt] of attemptsOn(text, random)) {
        try {
          attempt();
        } catch (error) {
          if (isTranscriptError(error)) refused++;
          else defects.push(`seed ${at}, ${recording.name}, ${what}: ${(error as Error).stack?.slice(0, 400)}`);
        }
      }
    }
    lawful(defects);
    expect(refused).toBeGreaterThan(0);
  });
});

const MALFORMED: readonly (readonly [what: string, value: unknown, error: string])[] = [
  [
    'a list of OTLP that holds a number',
    otlpSpan({ arrayValue: { values: [5] } }),
    '1:164: `resourceSpans[0].scopeSpans[0].spans[0].attributes[0].value.arrayValue.values[0]` is a number; ' +
      'expected an object',
  ],
  [
    'a list of OTLP that is a number',
    otlpSpan({ arrayValue: { values: 5 } }),
    '1:163: `resourceSpans[0].scopeSpans[0].spans[0].attributes[0].value.arrayValue.values` is a number; expected ' +
      'an array',
  ],
  [
    'a text in the history of Cohere’s first version',
    { message: 'Hi', chat_history: ['hello', { role: 'USER', message: 'a' }, { role: 'CHATBOT', message: 'b' }] },
    '1:33: message `chat_history[0]`: it is a string; expected a message object',
  ],
  [
    'a block of Bedrock that is a list',
    {
      messages: [
        { role: 'user', content: [{ text: 'x' }] },
        { role: 'assistant', content: [{ toolUse: [{ toolUseId: 'a', name: 't', input: {} }] }] },
      ],
    },
    '1:97: message `messages[1]`: `content[0].toolUse` is an array; expected an object',
  ],
  [
    'a part without a text',
    { messages: [{ role: 'user', content: [{ type: 'text' }] }] },
    '1:40: message `messages[0]`: `content[0].text` is missing; expected a string',
  ],
];

function otlpSpan(value: unknown): unknown {
  const attributes = [{ key: 'gen_ai.input.messages', value }];
  return { resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: '1', spanId: '2', name: 'chat', attributes }] }] }] };
}

it.each(MALFORMED)('%s is told by its path', (_, value, error) => {
  expect(errorOf(() => run(JSON.stringify(value), ['patch']))).toBe(error);
});

it('a message of a tool without a content is one without results', () => {
  const text = JSON.stringify([
    { role: 'user', content: [{ type: 'text', text: 'x' }] },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 't', input: {} }] },
    { role: 'tool' },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'a', toolName: 't', output: { type: 'text', value: 'r' } }],
    },
  ]);
  expect(open(text).format).toBe('vercel-model');
});

it('a time beyond all dates is none', () => {
  const line = { type: 'user', uuid: 'u', sessionId: 's', timestamp: 0, message: { role: 'user', content: 'hi' } };
  const [transcript] = open(JSON.stringify(line).replace('"timestamp":0', '"timestamp":1e400')).transcripts;
  expect(transcript!.recorded?.(transcript!.messages[0]!)?.time).toBeUndefined();
});

describe.each([3000, 100_000])('values that are nested %d times', (depth) => {
  const call = (args: string) =>
    `[{"role":"user","content":"go"},{"role":"assistant","content":null,"extra":${deep(depth)},` +
    `"tool_calls":[{"id":"a","type":"function","function":{"name":"t","arguments":${args}}}]}]`;
  const asValue = call(deep(depth));
  const asText = call(JSON.stringify(`{"x":${deep(depth)}}`));

  it.each([['patch'], ['strip:retry-prompt'], ['dedupe'], ['prune:empty'], ['filter:max-tool-calls=0']])(
    'go through %s',
    (step) => {
      for (const text of [asValue, asText]) expect(() => open(run(text, [step]))).not.toThrow();
    },
  );

  it('go through inject, and come out of it as they were', () => {
    const output = run(asValue, [{ transform: 'inject', system: 'Be brief.' }]);
    expect(output).toContain(deep(depth));
  });

  it('are converted, and stay JSON', () => {
    for (const target of TARGETS)
      for (const text of [asValue, asText]) expect(convert(text, target)[0]!.value).toBeTypeOf('object');
  });
});

describe('what a program hands over', () => {
  const messages = [{ role: 'user', content: 'go' }];
  const wrong: readonly (readonly [attempt: () => unknown, error: string | RegExp])[] = [
    [() => run(messages, undefined as never), '`steps` is missing; expected a list of steps'],
    [() => run(messages, [null as never]), /^`steps\[0\]` is null; expected a step such as/],
    [() => run(messages, ['patch', 5 as never]), /^`steps\[1\]` is 5; expected a step such as/],
    [
      () => run(messages, [{ transform: 'filter', maxToolCalls: 'three' as never }]),
      '`steps[0].maxToolCalls` is "three"; expected a whole number',
    ],
    [
      () => run(messages, [{ transform: 'filter', maxToolCalls: 1.5 }]),
      '`steps[0].maxToolCalls` is 1.5; expected a whole number',
    ],
    [
      () => run(messages, [{ transform: 'patch', lang: 'xx' as never }]),
      '`steps[0].lang` is "xx"; expected one of en, zh, ja',
    ],
    [() => run(messages, [{ transform: 'patch', tool: 'ls' as never }]), '`steps[0].tool` is "ls"; expected a list'],
    [() => run(messages, [{ transform: 'patch', tool: [5 as never] }]), '`steps[0].tool[0]` is 5; expected a string'],
    [
      () => run(messages, [{ transform: 'patch', generator: 'g.mjs' as never }]),
      '`steps[0].generator` is "g.mjs"; expected a function',
    ],
    [
      () => run(messages, ['short'], { pipelines: { short: [{ transform: 'strip', keepText: 1 as never }] } }),
      '`options.pipelines.short[0].keepText` is 1; expected true or false',
    ],
    [
      () => run(messages, [{ transform: 'filter', constructor: 1 } as never]),
      /^filter has no option `constructor`; it has/,
    ],
    [() => run(5 as never, ['patch']), '`input` is 5; expected a text or a list of messages'],
    [() => run([null as never], ['patch']), '`input[0]` is null; expected a message object'],
    [
      () => run([{ role: 'user', content: 1n }], ['patch']),
      /^`input\[0\]\.content` cannot be written as JSON: .*BigInt/,
    ],
    [() => run(messages, ['patch'], { from: 5 as never }), '`options.from` is 5; expected a string'],
    [() => run(messages, ['patch'], { form: 'x' } as never), /^no option `form`; the options are from, messages/],
    [() => run(messages, ['patch'], null as never), '`options` is null; expected an object'],
    [() => check(messages, { disable: 'x' as never }), '`options.disable` is "x"; expected a list of strings'],
    [() => check(null as never), '`input` is null; expected a text or a list of messages'],
    [() => convert(messages, undefined as never), '`to` is missing; expected the id of a format or a provider'],
    [() => globOf('[z-a]'), /^`\[z-a\]` is not a set of characters/],
  ];

  it.each(wrong.map(([attempt, error]) => [String(error), attempt, error] as const))('%s', (_, attempt, error) => {
    if (typeof error === 'string') expect(errorOf(attempt)).toBe(error);
    else expect(errorOf(attempt)).toMatch(error);
  });

  it('is a generator that fails: it is told by its file', () => {
    const calls = [{ id: 'a', type: 'function', function: { name: 'ls', arguments: '{}' } }];
    const open = [...messages, { role: 'assistant', content: null, tool_calls: calls }, ...messages];
    const fails = () => {
      throw new Error('no such luck\nat all');
    };
    const attempt = (generator: () => unknown) => () => run(open, [{ transform: 'patch', generator }]);
    expect(errorOf(attempt(fails))).toBe('the generator failed for the call of ls (a): no such luck');
    expect(errorOf(attempt(Object.assign(fails, { file: 'g.mjs' })))).toMatch(/^g\.mjs: the generator failed/);
    expect(errorOf(attempt(() => 5))).toBe('the generator returned number; it must return a string');
  });
});

/** What the TranscriptError says that is thrown; anything else is thrown on. */
function errorOf(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    if (isTranscriptError(error)) return describeError(error as TranscriptError);
    throw error;
  }
  return 'nothing was thrown';
}
