/** `--since` and `--until` with an hour: the moment that clocks of `--timezone` show. Programs there judge which. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { periodOf } from '../../../src/engine/period.js';
import { dayIn } from '../../../src/measure/stats/groups.js';

const MOMENTS = ['2026-10-03T00:00', '2026-10-03 00:00', '2026-10-03T23:59:59.25', '2026-03-28T12:00:30'];
/** Where clocks are put forward or back, in one of the zones. */
const CHANGES = ['2026-03-29T02:30', '2026-10-25T02:30', '2026-03-08T02:30', '2026-11-01T01:30', '2026-04-05T01:45'];

it.each(['UTC', 'Asia/Tokyo', 'Asia/Kathmandu', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'])(
  'an hour is one of %s',
  (timezone) => {
    const texts = [...MOMENTS, ...CHANGES];
    const script = `console.log(JSON.stringify(${JSON.stringify(texts)}.map((text) => +new Date(text))))`;
    const there = execFileSync(process.execPath, ['-e', script], { env: { ...process.env, TZ: timezone } });
    const judged: number[] = JSON.parse(there.toString());
    for (const [index, text] of texts.entries()) {
      const since = periodOf({ since: text, timezone }, dayIn(timezone))!;
      const until = periodOf({ until: text, timezone }, dayIn(timezone))!;
      const around = [judged[index]! - 1, judged[index]!];
      expect([around.map(since), around.map(until)], text).toEqual([
        [false, true],
        [true, false],
      ]);
    }
  },
);

it.each(['2026-10-03T00:00Z', '2026-10-03T02:00+02:00'])('%s names its zone', (since) => {
  const counts = periodOf({ since, timezone: 'Asia/Tokyo' }, dayIn('Asia/Tokyo'))!;
  expect(['2026-10-02T23:59Z', '2026-10-03T00:00Z'].map((time) => counts(Date.parse(time)))).toEqual([false, true]);
});

it.each(['2026-02-30', '2026-04-31T10:00', '2025-02-29'])('%s is no day', (since) => {
  expect(() => periodOf({ since }, dayIn('UTC'))).toThrow(`--since \`${since}\` is not a date`);
});

it('2024-02-29 is a day', () => {
  const counts = periodOf({ since: '2024-02-29' }, dayIn('UTC'))!;
  expect(['2024-02-28', '2024-02-29'].map((day) => counts(Date.parse(day)))).toEqual([false, true]);
});
