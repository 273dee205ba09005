import { expect, it } from 'vitest';
import { takesUtf8 } from '../../../src/cli/terminal/locale.js';
import { asciiSigns } from '../../../src/cli/terminal/signs.js';

it('writes our own signs in ASCII, and leaves the characters of a recording', () => {
  expect(asciiSigns('… 3 more lines, 2 × Read, 6 → 7 (−40 %), für Zoë')).toBe(
    '... 3 more lines, 2 x Read, 6 -> 7 (-40 %), für Zoë',
  );
  expect(asciiSigns('███▌······ ▁▄█')).toBe('###=...... _-#');
});

it('keeps the columns of a table where they are', () => {
  const row = (title: string, cost: string) => `@8b61d0  ${title}  ${cost}\n…/to/Demo  x\n`;
  expect(asciiSigns(row('Add pagination to th…', ' ≥$1.77'))).toBe(
    '@8b61d0  Add pagination to ...  >=$1.77\n...o/Demo  x\n',
  );
});

it('fills a line to its end, not beyond it', () => {
  for (const line of [`  ⋯ 4 messages kept${' '.repeat(56)}1,332`, `+   ${'an answer '.repeat(7)}cut o…\x1b[39m`]) {
    expect(asciiSigns(line).replaceAll('\x1b', '')).toMatch(/^[ -~]*$/);
    expect(asciiSigns(line)).toHaveLength(line.length);
  }
  expect(asciiSigns('Thinking…\n')).toBe('Thinking...\n');
});

it('believes the first locale that is set', () => {
  for (const env of [{ LC_ALL: 'C', LANG: 'en_US.UTF-8' }, { LC_CTYPE: 'POSIX' }, { LANG: 'de_DE' }])
    expect(takesUtf8(env), JSON.stringify(env)).toBe(false);
  for (const env of [{}, { LC_ALL: '', LANG: 'en_US.UTF-8' }, { LC_CTYPE: 'UTF-8' }, { LC_ALL: 'C.utf8', LANG: 'C' }])
    expect(takesUtf8(env), JSON.stringify(env)).toBe(true);
});
