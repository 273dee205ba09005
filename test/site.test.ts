/** The site of the documents in a real Chromium, where `npm run site` has built it: `npm run site:test` does both. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, openChromium } from './shared/chromium.js';

const SITE = 'site/dist';
const BASE = '/ctx-trim/';
const REPOSITORY = /^https:\/\/github\.com\/ctx-trim\/ctx-trim\/(?:blob|tree)\/main\/([^#]+)/;
/** A page of each kind. */
const ONE_OF_A_KIND = ['index.html', 'docs/index.html', 'docs/json.html', 'docs/commands/stats.html'];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const isBuilt = existsSync(SITE) && chromiumPath !== undefined;
if (!existsSync(SITE)) it.skip('THE SITE IS NOT BUILT: npm run site:test builds and tests it');
else if (!isBuilt) it.skip('NO CHROMIUM HERE: set CHROMIUM to its path to test the site in a browser');

describe.skipIf(!isBuilt)('the site', () => {
  const pages = isBuilt ? filesBelow(SITE).filter((path) => path.endsWith('.html') && path !== '404.html') : [];
  let server: Server;
  let browser: Browser;
  const problems: string[] = [];

  beforeAll(async () => {
    server = createServer(({ url = '' }, response) => {
      const path = join(SITE, decodeURI(url.slice(BASE.length)).replace(/[?#].*/, '') || 'index.html');
      if (!url.startsWith(BASE) || !existsSync(path)) return response.writeHead(404).end();
      return response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain' }).end(readFileSync(path));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** A page that asks others for something, or that says something on the console, has a problem. */
  async function opened(path: string, page: Page): Promise<void> {
    problems.length = 0;
    await page.goto(`${origin()}${BASE}${path}`, { waitUntil: 'load' });
    expect(problems).toEqual([]);
  }

  async function newPage(width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    page.on('console', (message) => problems.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(origin()) && !request.url().startsWith('data:')) problems.push(request.url());
    });
    return page;
  }

  it('has a page for each document', () => {
    const documents = [...filesBelow('docs').map((path) => `docs/${path}`), ...readdirSync('.')];
    const expected = documents
      .filter((path) => path.endsWith('.md'))
      .map((path) => path.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html'));
    expect(pages.sort()).toEqual(expected.sort());
  });

  it('links to pages, headings, pictures and files of the repository that exist', () => {
    const texts = new Map(pages.map((path) => [path, readFileSync(join(SITE, path), 'utf8')]));
    const broken: string[] = [];
    for (const [page, text] of texts)
      for (const [, name, link = ''] of text.matchAll(/<(?:a|img|link|script)\b[^>]*? (href|src)="([^"]+)"/g)) {
        const inRepository = REPOSITORY.exec(link)?.[1];
        if (inRepository !== undefined ? !existsSync(inRepository) : !resolves(link, page, texts))
          broken.push(`${page}: ${name} ${link}`);
      }
    expect(broken).toEqual([]);
  });

  it('finds words without a network', async () => {
    const page = await newPage(1280, 'light');
    await opened('', page);
    await page.keyboard.press('Control+k');
    await page.locator('.VPLocalSearchBox input').fill('dangling call');
    const results = page.locator('.VPLocalSearchBox .result');
    await results.first().waitFor();
    const links = await results.evaluateAll((found) => found.map((one) => one.getAttribute('href') ?? ''));
    expect(links.slice(0, 3).join(' ')).toMatch(/patch|check/);
    await results.first().click();
    await page.waitForURL(/#/);
    expect(problems).toEqual([]);
    await page.close();
  });

  it.each([
    [390, 'light', () => pages],
    [390, 'dark', () => ONE_OF_A_KIND],
    [1280, 'light', () => ONE_OF_A_KIND],
    [1280, 'dark', () => ONE_OF_A_KIND],
  ] as const)('has nothing for axe to find, nor scrolls sideways, at %i pixels, %s', async (width, scheme, tried) => {
    const page = await newPage(width, scheme);
    const found: string[] = [];
    for (const path of tried()) {
      await opened(path, page);
      await page.evaluate(AXE);
      const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
        'axe.run(document)',
      );
      for (const { id, nodes } of violations) found.push(`${path}: ${id}, ${nodes[0]!.html.slice(0, 120)}`);
      const tooWide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      if (Number(tooWide) > 0) found.push(`${path}: ${tooWide} pixels too wide`);
    }
    expect(found).toEqual([]);
    await page.close();
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
}

/** Links to others are theirs; all else is a file of the site, and an anchor a heading on it. */
function resolves(link: string, page: string, texts: ReadonlyMap<string, string>): boolean {
  const url = new URL(link, `http://site${BASE}${page}`);
  if (url.host !== 'site') return true;
  if (!url.pathname.startsWith(BASE)) return false;
  const path = url.pathname.slice(BASE.length).replace(/(^|\/)$/, '$1index.html');
  const anchor = decodeURIComponent(url.hash.slice(1));
  return existsSync(join(SITE, path)) && (anchor === '' || texts.get(path)?.includes(`id="${anchor}"`) === true);
}
