/** What transforms say of their options, and how steps are written down. */
import { describe, expect, it } from 'vitest';
import { defaultsOf, type Option } from '../../src/options/option.js';
import { kebab, optionValue, rejectOutOfRange } from '../../src/options/parse.js';
import { missingOption } from '../../src/transforms/declared.js';
import { transformNamed, transforms } from '../../src/transforms/index.js';
import { applySteps, countsTokens, limitUnits, type Step } from '../../src/transforms/pipeline.js';
import { parseStepText } from '../../src/transforms/step-text.js';
import { NO_COUNTS } from '../../src/transforms/transform.js';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';

const all = transforms.flatMap(({ id, options }) =>
  Object.entries(options).map(([key, option]) => ({ name: `${id} ${kebab(key)}`, option, options })),
);

describe('each option', () => {
  it.each(all)('$name is described', ({ option, options }) => {
    expect(option.summary).toMatch(/\S{3}/);
    if (option.type !== 'flag' && option.type !== 'choice') expect(option.value).toMatch(/\S/);
    const named = [...(option.needs ?? []), ...(option.excludes ?? [])].map((term) => term.split(/[=!]/)[0]!);
    for (const key of named) expect(Object.keys(options)).toContain(key);
  });

  it.each(all.filter(({ option }) => option.type === 'choice'))(
    '$name takes its choices, and nothing else',
    ({ option }) => {
      const { choices, default: usual } = option as Extract<Option, { type: 'choice' }>;
      expect(new Set(choices).size).toBe(choices.length);
      expect(choices.length).toBeGreaterThan(1);
      for (const choice of choices) {
        expect(choice).toMatch(/^[a-z\d-]+$/);
        expect(optionValue(option, choice)).toBe(choice);
      }
      if (usual !== undefined) expect(choices).toContain(usual);
      expect(() => optionValue(option, 'other')).toThrow(`expected one of ${choices.join(', ')}`);
    },
  );
});

describe('each transform', () => {
  it.each(transforms)('$id is described', ({ id, summary, description, options, needs = [] }) => {
    expect(id).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
    expect(transformNamed(id).id).toBe(id);
    for (const text of [summary, description]) expect(text).toMatch(/\w+ \w+/);
    for (const key of needs) expect(Object.keys(options)).toContain(key);
  });

  it('says whether it leaves a transcript alone that has no calls', () => {
    const says = ({ id, options, onlyTraffic }: (typeof transforms)[number]) =>
      onlyTraffic?.(defaultsOf(options)) === true ? [id] : [];
    const saying = transforms.flatMap(says);
    expect(saying).toEqual(
      expect.arrayContaining(['patch', 'filter', 'truncate', 'clear', 'dedupe', 'stale', 'retries', 'strip']),
    );
    for (const id of ['prune', 'fit', 'inject', 'guard']) expect(saying).not.toContain(id);
  });

  it('is known by its name alone', () => {
    expect(() => transformNamed('nothing')).toThrow(
      `no step \`nothing\`; there are ${transforms.map(({ id }) => id).join(', ')}`,
    );
  });
});

describe('values', () => {
  const integer: Option = { type: 'integer', least: 0, summary: '' };
  const limits: Option = { type: 'limits', least: 1, summary: '' };
  const share: Option = { type: 'number', above: 0, most: 1, summary: '' };
  const size: Option = { type: 'size', reach: 'lifts', summary: '' };
  it.each<[string, Option, string, unknown]>([
    ['a number', integer, '12', 12],
    ['spaces around it', integer, ' +3 ', 3],
    ['the least', integer, '0', 0],
    ['a flag', { type: 'flag', summary: '' }, 'true', true],
    ['none', { type: 'flag', summary: '' }, 'false', false],
    ['a limit', limits, 'a=b=1', ['a=b', 1]],
    ['bytes', size, '300', 300],
    ['kilobytes', size, '2 kB', 2048],
    ['megabytes', size, '1.5MiB', 1.5 * 1024 ** 2],
    ['gigabytes', size, '20g', 20 * 1024 ** 3],
    ['terabytes', size, ' 1TB ', 1024 ** 4],
    ['a text', { type: 'text', summary: '' }, ' x ', ' x '],
    ['a file', { type: 'file', reach: 'reads', summary: '' }, 'a.txt', 'a.txt'],
    ['a named file', { type: 'named-file', reach: 'reads', summary: '' }, 'a=b=c', ['a', 'b=c']],
  ])('%s', (_, option, text, value) => {
    expect(optionValue(option, text)).toEqual(value);
  });

  it.each<[Option, string, string]>([
    [integer, '1.5', 'expected a whole number'],
    [integer, '-1', 'expected a whole number of at least 0'],
    [integer, 'a1', 'expected a whole number'],
    [integer, '1a', 'expected a whole number'],
    [share, '0', 'expected a number above 0 and at most 1'],
    [share, '1e-1', 'expected a number above 0 and at most 1'],
    [{ type: 'flag', summary: '' }, 'yes', 'expected true or false'],
    [limits, 'a=0', 'expected a whole number of at least 1'],
    [limits, '=1', 'expected name=number'],
    [limits, 'a=1x', 'expected name=number'],
    [size, '1 x', 'expected a size, such as 300MB or 20GB'],
    [size, 'x1', 'expected a size, such as 300MB or 20GB'],
    [{ type: 'named-file', reach: 'reads', summary: '' }, 'a=', 'expected name=file'],
    [{ type: 'named-file', reach: 'reads', summary: '' }, '=a', 'expected name=file'],
  ])('%j is not %j', (option, text, message) => {
    expect(() => optionValue(option, text)).toThrow(new Error(message));
  });

  it('below the least are refused from a program too', () => {
    rejectOutOfRange(integer, 0);
    rejectOutOfRange(limits, [['a', 1]]);
    rejectOutOfRange(share, 1);
    expect(() => rejectOutOfRange(share, 0)).toThrow('expected a number above 0 and at most 1');
    expect(() => rejectOutOfRange(share, 1.1)).toThrow('expected a number above 0 and at most 1');
    rejectOutOfRange({ type: 'text', summary: '' }, -1);
    rejectOutOfRange(integer, undefined);
    rejectOutOfRange(limits, undefined);
    expect(() => rejectOutOfRange(integer, -1)).toThrow('of at least 0');
    expect(() =>
      rejectOutOfRange(limits, [
        ['a', 1],
        ['b', 0],
      ]),
    ).toThrow('of at least 1');
  });
});

describe('a step', () => {
  const given = (step: string) => parseStepText(step, transformNamed).given;

  it('is a name, and pairs behind a colon', () => {
    expect(parseStepText('patch', transformNamed).transform.id).toBe('patch');
    expect(given('patch')).toEqual({});
    expect(given('patch:')).toEqual({});
    expect(given('patch:orphan=text,template=a\\,b=c')).toEqual({ orphan: 'text', template: 'a,b=c' });
    expect(given('filter:max-tool-calls=3,drop-user')).toEqual({ maxToolCalls: 3, dropUser: true });
    expect(given('strip:retry-prompt')).toEqual({ retryPrompt: true });
    expect(given('strip:retry-prompt=Again.')).toEqual({ retryPrompt: 'Again.' });
    expect(given('truncate:tool-length=a=1,tool-length=b=2')).toEqual({
      toolLength: [
        ['a', 1],
        ['b', 2],
      ],
    });
  });

  it.each([
    ['nothing', 'no step `nothing`'],
    ['filter:no=1', 'step `filter:no=1`: filter has no option `no`; it has max-tool-calls, '],
    ['filter:maxToolCalls=1', 'has no option `maxToolCalls`'],
    ['filter:max-tool-calls', 'step `filter:max-tool-calls`: max-tool-calls: needs a value'],
    ['filter:max-tool-calls=x', 'step `filter:max-tool-calls=x`: max-tool-calls: expected a whole number'],
    ['filter:drop-user=true,drop-user=true', 'drop-user is given twice: choose one'],
  ])('%s is refused', (step, message) => {
    expect(() => parseStepText(step, transformNamed)).toThrow(message);
  });
});

describe('steps in a row', () => {
  const step = (id: string, values: object = {}): Step => {
    const transform = transformNamed(id);
    return { transform, values: { ...defaultsOf(transform.options), ...values } };
  };

  it('say what they need', () => {
    const missing = (id: string, values: object) => missingOption(transformNamed(id), values as never, kebab);
    expect(missing('filter', {})).toBe('filter needs max-tool-calls');
    expect(missing('filter', { maxToolCalls: 0 })).toBe(undefined);
    expect(missing('patch', {})).toBe(undefined);
    const prune = transformNamed('prune');
    expect(prune.needs!.length).toBeGreaterThan(2);
    const names = prune.needs!.map((key) => kebab(key));
    expect(missing('prune', {})).toBe(`prune needs ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`);
    for (const nothing of [undefined, false, []]) expect(missing('prune', { reasoning: nothing })).toMatch(/needs/);
    for (const something of [true, ['a'], '']) expect(missing('prune', { reasoning: something })).toBe(undefined);
  });

  it('count tokens where one of them does, and tell the units of their limits', () => {
    expect(countsTokens([step('patch'), step('truncate')])).toBe(false);
    expect(countsTokens([step('patch'), step('truncate', { unit: 'tokens' })])).toBe(true);
    expect(limitUnits([step('patch')])).toEqual(['chars']);
    const units = ['tokens', 'bytes', 'tokens'].map((unit) => step('truncate', { unit }));
    expect(limitUnits(units)).toEqual(['tokens', 'bytes']);
  });

  it('tell what they fell short of', () => {
    const [transcript] = openText('[{"role":"user","content":"aaaa"}]').transcripts;
    const counts = { ...NO_COUNTS, message: () => 10 };
    const told: string[] = [];
    expect(applySteps(transcript!, [step('fit', { maxTokens: 5 })], counts, (text) => told.push(text))).toBe(
      transcript,
    );
    expect(told).toEqual([
      'fit: the least that can stay has 10 tokens, 5 more than the budget; --unit round or --everything may leave less',
    ]);
    applySteps(transcript!, [step('fit', { maxTokens: 10 })], counts, (text) => told.push(text));
    applySteps(transcript!, [step('fit', { maxTokens: 9, unit: 'round' })], counts, (text) => told.push(text));
    expect(told.slice(1)).toEqual([
      'fit: the least that can stay has 10 tokens, 1 more than the budget; --everything may leave less',
    ]);
  });

  it('tell where the end of a session went, and a branch that the user left follows what is left', () => {
    const [session] = openText(fixture('claude-code/hand-tree.jsonl')).transcripts;
    const told: string[] = [];
    const counts = { ...NO_COUNTS, message: () => 10 };
    const kept = (maxTokens: number) =>
      applySteps(session!, [step('fit', { maxTokens, strategy: 'first' })], counts, (text) => told.push(text));
    expect(kept(10_000)).toBe(session);
    expect(told).toEqual([]);
    kept(110);
    expect(told).toEqual(['fit: an abandoned branch follows what is left, and the agent would go on with it']);
  });
});
