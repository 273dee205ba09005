/** Results that are cut again and again, in any language and unit: what their notes say. */
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../src/options/language.js';
import { measureByUnit } from '../../src/transforms/measure.js';
import type { Unit } from '../../src/transforms/transform.js';
import { CHARACTERS, rewriteText } from '../shared/rewrite-text.js';

const UNITS: readonly Unit[] = ['chars', 'bytes', 'tokens'];
const KEEPS = ['head', 'tail', 'both'] as const;
const MEASURES = measureByUnit(CHARACTERS.text);
const NAMES = {
  en: { chars: 'chars', bytes: 'bytes', tokens: 'tokens' },
  zh: { chars: '字符', bytes: '字节', tokens: '令牌' },
  ja: { chars: '文字', bytes: 'バイト', tokens: 'トークン' },
};

const TEXT = Array.from({ length: 200 }, (_, line) => `${line}: 東京 👩‍👩‍👧 and é`).join('\n');

function transcriptWith(content: string): string {
  return JSON.stringify([
    { role: 'user', content: 'Go.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: '1', type: 'function', function: { name: 'read', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: '1', content },
    { role: 'assistant', content: 'Done.' },
  ]);
}

function cut(content: string, options: Readonly<Record<string, unknown>>): string {
  const output = rewriteText(transcriptWith(content), 'truncate', { noMinimum: true, ...options });
  return (JSON.parse(output) as { content: string }[])[2]!.content;
}

const ways = LANGUAGES.flatMap((lang) => UNITS.flatMap((unit) => KEEPS.map((keep) => ({ lang, unit, keep }))));

describe.each(ways)('cut to 800 with $lang, $unit, $keep', (first) => {
  const original = MEASURES[first.unit].length(TEXT);
  const once = cut(TEXT, { ...first, maxLength: 800 });

  it('says the length of the original in the unit of the limit', () => {
    expect(once).toMatch(new RegExp(`: ${original} ${NAMES[first.lang][first.unit]}\\]$`));
  });

  it('and still says it when it is cut again, any way', () => {
    for (const way of ways) {
      const options = { ...way, maxLength: 300 };
      const twice = cut(once, options);
      expect(MEASURES[way.unit].length(twice)).toBeLessThanOrEqual(300);
      expect(twice.match(/\d+ \S+\]/g)).toEqual([`${original} ${NAMES[way.lang][first.unit]}]`]);
      expect(cut(twice, options)).toBe(twice);
      const bare = cut(twice, { ...way, maxLength: 3 });
      expect(bare).toMatch(new RegExp(`^\\.\\.\\.\\n\\[.*: ${original} \\S+\\]$`));
      expect(cut(bare, { ...way, maxLength: 3 })).toBe(bare);
    }
  });
});

it('a text that fits with a shorter note is neither cut nor repeated', () => {
  const once = cut(TEXT, { maxLength: 500, lang: 'en' });
  const body = once.slice(0, once.indexOf('...\n['));
  for (const keep of KEEPS)
    expect(cut(once, { maxLength: 499, lang: 'zh', keep })).toBe(
      `${body}...\n[结果已截断，原始长度: ${MEASURES.chars.length(TEXT)} 字符]`,
    );
});

it('what only looks like a note is cut like any text', () => {
  const forged = `...\n[result truncated, original length: ${'9'.repeat(5000)} chars]`;
  expect(cut(forged, { maxLength: 1000 })).toHaveLength(1000);
  const short = `${TEXT}...\n[result truncated, original length: 12 chars]`;
  expect(cut(short, { maxLength: 1000 })).toMatch(/original length: [3-9]\d{3} chars\]$/);
});

describe('limits', () => {
  const lengthWith = (options: Readonly<Record<string, unknown>>) => cut('x'.repeat(50_000), options).length;

  it.each([
    ['1', 1500],
    ['3999', 1500],
    ['4K', 2500],
    ['7999', 2500],
    ['8k', 5000],
    ['31999', 5000],
    ['32k', 12_000],
    ['99999', 12_000],
    ['100k', 24_000],
    ['128k', 24_000],
    ['1M', 24_000],
    ['gpt-4', 5000],
  ])('--for %s is %i', (window, limit) => {
    expect(lengthWith({ for: window })).toBe(limit);
  });

  it.each(['0k', '2q', 'k', '-1', '', 'no-such-model'])('--for %j is refused', (window) => {
    expect(() => lengthWith({ for: window })).toThrow(/context window of .* is unknown; use --for with a window/);
  });

  it.each([
    [['search'], 6000],
    [['file=read*'], 5000],
    [['database=read,api=write'], 3000],
    [['api={write,read}'], 2000],
    [['calculator={x,read},api=y'], 1000],
    [['api=other'], 4000],
    [['search', 'api=read'], 2000],
    [['api=read', 'database=r*'], 3000],
  ])('--preset %j is %i', (preset, limit) => {
    expect(lengthWith({ preset })).toBe(limit);
  });

  it('--tool-length wins over a preset', () => {
    expect(lengthWith({ preset: ['search=read'], toolLength: [['read', 1234]] })).toBe(1234);
  });

  it.each(['web', 'Search=x', 'search=', '', 'search,,api', 'constructor'])('--preset %j is refused', (preset) => {
    expect(() => lengthWith({ preset: [preset] })).toThrow(/is not a preset; expected a kind of tool \(search, file, /);
  });
});

it.each(KEEPS)('blocks of a text are cut as the whole is: %s', (keep) => {
  const places = [0, 10, 700, 701, 2000, TEXT.length];
  const content = places.slice(1).map((end, at) => ({ type: 'text', text: TEXT.slice(places[at], end) }));
  for (const maxLength of [100, 600, 1500, 2500]) {
    const blocks = cut(content as unknown as string, { keep, maxLength }) as unknown as typeof content;
    expect(blocks.map(({ text }) => text).join('')).toBe(cut(TEXT, { keep, maxLength }));
  }
});
