/**
 * The README and the pages under docs/ show what the program prints. `npm run docs` writes their generated parts anew
 * (see filled.ts), makes the page of a new command, and draws the picture.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { describe, expect, it } from 'vitest';
// @ts-expect-error: a script without types
import { CHART, policiesChart } from '../../bench/policies-chart.mjs';
import { filled } from './filled.js';
import { typesModule } from './interfaces.js';
import { picture } from './picture.js';
import { commands } from './regions.js';

const commandPages = commands.map(({ id }) => ({ id, page: `docs/commands/${id}.md` }));
// as Vitest does with new snapshots: not where CI would pass by it
if (!process.env['CI'])
  for (const { id, page } of commandPages) if (!existsSync(page)) writeFileSync(page, newPage(id));
const pages = ['README.md', ...globSync('docs/**/*.md').sort()];
const WORDS_IN_README = 1800;

it.each(pages)('%s shows what the program prints', async (page) => {
  await expect(filled(read(page))).toMatchFileSnapshot(resolve(page));
});

it.each(pages)('%s shows no input that is missing', (page) => {
  expect(read(page)).not.toMatch(/^ctx-trim: .*no such file/m);
});

it('draws the picture anew', async () => {
  await expect(picture()).toMatchFileSnapshot(resolve('docs/diff.svg'));
});

it('prints the types of the documents anew', async () => {
  await expect(typesModule()).toMatchFileSnapshot(resolve('src/documents/types.ts'));
});

it('has a page for each command and for no other', () => {
  expect(globSync('docs/commands/*.md').sort()).toEqual(commandPages.map(({ page }) => page).sort());
});

it('has a short README', () => {
  expect(read('README.md').split(/\s+/).length).toBeLessThanOrEqual(WORDS_IN_README);
});

it('has the figures of bench/POLICIES.md in the README', () => {
  const policies = read('bench/POLICIES.md');
  const anthropic = (every: string) => {
    const row = policies.split('\n').find((line) => line.startsWith(`| filter 10 | ${every} |`))!;
    return row
      .split('|')[4]!
      .split('/')
      .map((figure) => figure.trim());
  };
  const [each] = anthropic('1');
  const [, together, dearer] = anthropic('auto');
  const [, count] = /(\d+) recorded sessions/.exec(policies)!;
  const readme = read('README.md').replace(/\s+/g, ' ');
  expect(readme).toContain(`In ${count} recorded sessions, keeping the last 10 calls costs ${each!.slice(1)} % more`);
  expect(dearer).toBe('0');
  expect(readme).toContain(`makes none of them more expensive, and all together ${together!.slice(1)} % cheaper`);
});

it('has a chart of the figures of bench/POLICIES.md', () => {
  expect(read(CHART)).toBe(policiesChart(read('bench/POLICIES.md')));
});

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' });

describe.each([...pages, 'CHANGELOG.md', 'SECURITY.md'])('%s', (page) => {
  it('has lines of at most 120 characters, outside of tables and blocks', () => {
    const prose = read(page).replace(/```[\s\S]*?```/g, '');
    const long = prose.split('\n').filter((line) => line.length > 120 && !line.startsWith('|'));
    expect(long).toEqual([]);
  });

  it('links to pages and headings that exist', () => {
    const broken = linksIn(read(page)).filter(({ path, anchor }) => {
      const target = path === '' ? page : join(dirname(page), path);
      return !existsSync(target) || (anchor !== undefined && !anchorsIn(read(target)).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  it('names only fixtures and scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const [, name] of read(page).matchAll(/npm run ([\w-]+)/g)) expect(scripts).toHaveProperty(name!);
    for (const [path] of read(page).matchAll(/(?:fixtures|test)\/[\w./-]+\w/g)) expect(tracked).toContain(path);
  });
});

/** The page of a command before anybody wrote more than the program knows. */
function newPage(id: string): string {
  const region = (name: string) => `<!-- ${name} ${id} -->\n<!-- /${name} -->\n`;
  return [
    `# ctx-trim ${id}\n`,
    region('description'),
    `## Examples\n\n${region('examples')}`,
    `## Options\n\n${region('options')}`,
  ].join('\n');
}

/** Links to files of the repository, without those in code. */
function linksIn(markdown: string): { readonly path: string; readonly anchor: string | undefined }[] {
  const text = markdown.replace(/```[\s\S]*?```/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [path = '', anchor] = target.split('#');
    return [{ path, anchor }];
  });
}

/** The anchors that GitHub makes of headings. */
function anchorsIn(markdown: string): string[] {
  const headings = markdown.replace(/```[\s\S]*?```/g, '').matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}
