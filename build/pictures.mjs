// `npm run pictures`: takes the pictures of a report that docs/report.md and the README show, in a real Chromium.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

/** What the README tries a policy on. */
const WORDS = [
  'fixtures/formats/openai-chat/apollo-airline.json',
  ...['--model', 'gpt-4.1', '--scope', 'all', '--policy', 'filter:max-tool-calls=3,every=10'],
];
const OUT = 'docs/pictures';

/** By name: the place on the page, and the scheme and the size of the window. */
const PICTURES = {
  'report-top': { hash: '', scheme: 'light', width: 1100, height: 1010 },
  'report-results': { hash: '#results', scheme: 'light', width: 1100, height: 700 },
  'report-transcript': { hash: '#m20', scheme: 'dark', width: 1100, height: 700 },
};

const executablePath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
);
if (executablePath === undefined) throw new Error('no Chromium found: set CHROMIUM to its path');

const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-pictures-'));
const report = join(folder, 'report.html');
execFileSync('node', ['bin/ctx-trim.js', 'report', ...WORDS, '-o', report]);
mkdirSync(OUT, { recursive: true });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  for (const [name, { hash, scheme, width, height }] of Object.entries(PICTURES)) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme });
    await page.goto(`file://${report}${hash}`);
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(OUT, `${name}.png`) });
    await page.close();
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
