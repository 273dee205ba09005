import { expect, it } from 'vitest';
import { sessionTitle } from '../../src/measure/stats/title.js';
import { omissionLines } from '../../src/reports/omissions.js';
import { PLAIN } from '../../src/reports/report.js';
import { painted } from '../../src/safe/text.js';
import { shortFolder } from '../../src/text/words.js';

it('has no marks of headings in a title, and no space before what was cut', () => {
  expect(sessionTitle({ title: '# Plan\n\n## Steps\nIssue #3' } as never)).toBe('Plan Steps Issue #3');
  expect(sessionTitle({ title: `${'a'.repeat(98)} and more` } as never)).toBe(`${'a'.repeat(98)}…`);
});

it('has a short folder in full, and the last two names of a long one', () => {
  expect(shortFolder('/path/to/Demo')).toBe('/path/to/Demo');
  expect(shortFolder('/home/ada/work/projects/shop')).toBe('…/projects/shop');
});

it('breaks what figures are without as the terminal wants it', () => {
  const badLines = [{ file: 'a.jsonl', bad: 1, lines: 2, line: 1, reason: '' }];
  const style = { ...PLAIN, fold: painted((text) => text.replace(': ', ':\n')) };
  expect(omissionLines({ unread: [], badLines }, style)).toMatch(/^a\.jsonl:\n1 of 2/);
});
