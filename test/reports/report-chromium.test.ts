/** The page of `report` in a real Chromium: nothing runs or loads but its own script, and people can use it. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, openChromium } from '../shared/chromium.js';
import { ALL, cases } from '../shared/effort.js';
import { HOSTILE_TEXTS, hostileSession } from '../shared/hostile.js';
import { runProgram } from '../shared/program.js';

/** Messages of a long recording. */
const MANY = cases(2000, 10_000, 'REPORT_MESSAGES');

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Found {
  readonly names: readonly string[];
  readonly handlers: number;
  readonly links: readonly string[];
  readonly scripts: number;
  readonly text: string;
}

/** What a page consists of. */
const IN_THE_PAGE = `(() => {
  const elements = [...document.querySelectorAll('*')];
  const links = [...document.querySelectorAll('a[href]')].map((one) => one.getAttribute('href'));
  return {
    names: [...new Set(elements.map(({ tagName }) => tagName.toLowerCase()))].sort(),
    handlers: elements.flatMap((one) => [...one.attributes].filter(({ name }) => name.startsWith('on'))).length,
    links: links.filter((href) => !href.startsWith('#')),
    scripts: document.scripts.length,
    text: document.body.textContent,
  };
})()`;

/** Words in the cells of tables that go on in a next line. */
const BROKEN_WORDS = `[...document.querySelectorAll('td:not(.t), th, dt')].flatMap((cell) => {
  const found = [];
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    for (const { index, 0: word } of node.data.matchAll(/[\\w$.,]+/g)) {
      const range = new Range();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
    }
  return found;
})`;

/** Tables of figures that have to be scrolled sideways. */
const CUT_TABLES = `[...document.querySelectorAll('.wide:has(>.rows)')]
  .filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.querySelector('caption').textContent)`;

if (chromiumPath === undefined) it.skip('NO CHROMIUM HERE: set CHROMIUM to its path to test the report in a browser');

describe.skipIf(chromiumPath === undefined)('the report in Chromium', () => {
  let folder = '';
  let browser: Browser;
  const problems: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ctx-trim-report-'));
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function written(name: string, ...words: string[]): string {
    const path = join(folder, name);
    const { status, stderr } = runProgram(['report', ...words, '-o', path]);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    return path;
  }

  /** Opens a page; whatever it asks for, says or runs beyond its own script is a problem. */
  async function opened(path: string, { hash = '' } = {}): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    problems.length = 0;
    page.on('console', (message) => problems.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    const url = `file://${path}`;
    page.on('request', (request) => {
      if (request.url().split('#')[0] !== url) problems.push(`request: ${request.url()}`);
    });
    await page.goto(`${url}${hash}`);
    return page;
  }

  async function violations(page: Page): Promise<string[]> {
    await page.evaluate(AXE); // not a script element: the policy of the page would refuse it
    return page.evaluate<string[]>(
      `axe.run().then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 200) + ' (' + nodes.length + ')'))`,
    );
  }

  /** Waits for a condition of the page: its policy allows Playwright's own way no `eval`. */
  function becomes(page: Page, condition: string): Promise<void> {
    return expect.poll(() => page.evaluate<boolean>(condition), { timeout: 300_000 }).toBe(true);
  }

  const LOOKS = [
    ['light', 1280],
    ['dark', 360],
    ...(ALL
      ? ([
          ['dark', 2560],
          ['dark', 1280],
          ['light', 360],
        ] as const)
      : []),
  ] as const;
  const SESSION = 'fixtures/formats/openai-chat/tau-bench-retail.json';
  const LOG = 'fixtures/formats/claude-code/short.jsonl';

  it.each([
    ['session', LOG],
    ['audit', SESSION],
  ])(
    'has no accessibility violation and asks for nothing, light, dark, narrow and wide: %s',
    async (kind, file) => {
      const page = await opened(written(`${kind}.html`, file, '--policy', 'filter:max-tool-calls=2'));
      for (const [colorScheme, width] of LOOKS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        expect(await violations(page), `${colorScheme} ${width}`).toEqual([]);
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect(overflow, `${colorScheme} ${width}`).toBeLessThanOrEqual(0);
        const broken = await page.evaluate<string[]>(
          `[...document.querySelectorAll('td.id > span, th')].filter((name) =>
            name.getClientRects().length > 0 && name.offsetHeight > 1.9 * parseFloat(getComputedStyle(name).lineHeight)
          ).map((name) => name.textContent)`,
        );
        expect(broken, `${colorScheme} ${width}`).toEqual([]);
        expect(await page.evaluate<string[]>(BROKEN_WORDS), `${colorScheme} ${width}`).toEqual([]);
        expect(await page.evaluate<string[]>(CUT_TABLES), `${colorScheme} ${width}`).toEqual([]);
      }
      expect(problems).toEqual([]);
      await page.close();
    },
    120_000,
  );

  it('keeps hostile texts inert in every field', async () => {
    expect(HOSTILE_TEXTS.length).toBeGreaterThanOrEqual(ALL ? 1000 : 300);
    const file = join(folder, 'hostile.jsonl');
    writeFileSync(file, hostileSession());
    const path = written('hostile.html', file, '--no-redact', '--policy', 'truncate:max-length=20');
    const page = await opened(path);
    await page.waitForTimeout(300);
    await page.evaluate(`
      for (const button of document.querySelectorAll('.more')) button.click();
      for (const details of document.querySelectorAll('details')) details.open = true;
    `);
    const found = await page.evaluate<Found>(IN_THE_PAGE);
    expect(problems).toEqual([]);
    expect(found.handlers).toBe(0);
    expect(found.links).toEqual([]);
    expect(found.scripts).toBe(2);
    const foreign = [
      'img',
      'iframe',
      'object',
      'embed',
      'base',
      'video',
      'audio',
      'math',
      'template',
      'marquee',
      'textarea',
    ];
    expect(found.names.filter((name) => foreign.includes(name))).toEqual([]);
    const missing = HOSTILE_TEXTS.filter((text) => !found.text.includes(text));
    expect(missing).toEqual([]);
    await page.close();
  });

  it('is used by keys, search and addresses', async () => {
    const text = Array.from({ length: 80 }, (_, index) => `line ${index} of a long result`).join('\n');
    const messages = [
      { role: 'user', content: 'First question' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'read', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: text },
      { role: 'assistant', content: 'The answer' },
    ];
    const file = join(folder, 'keys.json');
    writeFileSync(file, JSON.stringify({ model: 'gpt-5', messages }));
    const page = await opened(written('keys.html', file), { hash: '#m2' });
    const here = () => page.evaluate<string | undefined>("document.querySelector('.here')?.id");
    expect(await here()).toBe('m2');
    await page.keyboard.press('j');
    expect(await here()).toBe('m3');
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    expect(await here()).toBe('m1');
    expect(new URL(page.url()).hash).toBe('#m1');
    await page.keyboard.press('?');
    expect(await page.locator('dialog').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('line 40 of');
    await becomes(page, "document.querySelector('output').textContent === '1 of 1'");
    expect(await here()).toBe('m2');
    expect(await page.locator('.rest').isVisible()).toBe(true);
    expect(await page.locator('.rest').textContent()).toContain('line 40 of a long result');
    expect(await page.locator('.fold').evaluate((one) => one.textContent?.replace('fold', ''))).toBe(
      text.replace('fold', ''),
    );
    expect(problems).toEqual([]);
    await page.close();
  });

  it('is found by the search of the browser and printed', async () => {
    const page = await opened(join(folder, 'keys.html'));
    await becomes(page, "document.querySelector('.rest') !== null");
    expect(await page.locator('.rest').getAttribute('hidden')).toBe('until-found');
    const printed = await page.pdf({ format: 'A4' });
    expect(printed.length).toBeGreaterThan(10_000);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('nav').isVisible()).toBe(false);
    // Chromium prints empty pages where a container query hides the text of a box.
    expect(await page.evaluate("getComputedStyle(document.querySelector('.treemap .box')).containerType")).toBe(
      'normal',
    );
    expect(await page.locator('#m0').isVisible()).toBe(true);
    expect(await page.locator('#m2').isVisible()).toBe(false);
    await page.evaluate("document.body.className = 'print-all'");
    expect(await page.locator('#m2').isVisible()).toBe(true);
    await page.close();
  });

  it('reads without its script', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`file://${join(folder, 'keys.html')}`);
    expect(await page.locator('#m0').textContent()).toContain('First question');
    expect(await page.locator('#m2').textContent()).toContain('line 0 of a long result');
    expect(await page.locator('.treemap a').count()).toBe(1);
    await context.close();
  });

  it(`scrolls ${MANY} messages, of which it lays out few`, async () => {
    const messages = Array.from({ length: MANY }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `message ${index}: ${'some words of an answer '.repeat(10)}`,
    }));
    const file = join(folder, 'many.json');
    writeFileSync(file, JSON.stringify({ model: 'gpt-5', messages }));
    const path = written('many.html', file);
    expect(statSync(path).size).toBeLessThan(3 * statSync(file).size);
    const page = await opened(path);
    const count = (selector: string) => page.locator(selector).count();
    expect([await count('.run'), await count('.m')]).toEqual([MANY / 50, MANY]);
    const late = `m${MANY - 10}`;
    await page.evaluate(`location.hash = '#${late}'`);
    const top = `document.getElementById('${late}').getBoundingClientRect().top`;
    await becomes(page, `${top} >= 0 && ${top} < innerHeight`);
    await page.close();
  });
});
