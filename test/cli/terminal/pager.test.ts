/** The pager of `show`. */
import { expect, it } from 'vitest';
import { openPager } from '../../../src/cli/outputs/pager.js';
import { safe } from '../../../src/safe/text.js';

async function paged(command: string, times: number): Promise<void> {
  const pager = openPager({ PATH: process.env['PATH'], PAGER: command }, (text) => text)!;
  for (let left = times; left > 0; left--) {
    await pager.write(safe`a line of a transcript\n`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await pager.close();
}

it.skipIf(process.platform === 'win32').each([1, 20])('that cannot be started is an error after %i texts', (times) =>
  expect(paged('no-such-pager 2>/dev/null', times)).rejects.toThrow(
    'PAGER cannot be started: `no-such-pager 2>/dev/null`; set another one, or use --no-pager',
  ),
);

it.skipIf(process.platform === 'win32')('that quits early or in failure has shown what it was to show', async () => {
  await expect(paged('true', 1)).resolves.toBe(undefined);
  await expect(paged('false', 1)).resolves.toBe(undefined);
  await expect(paged('true', 20)).rejects.toThrow(expect.objectContaining({ name: 'ClosedPipe' }));
});
