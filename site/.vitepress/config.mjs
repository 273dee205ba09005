/** The site of the documents: the pages that the repository shows, as static pages with a search that works offline. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REPOSITORY = 'https://github.com/ctx-trim/ctx-trim';
const PAGES = [...readdirSync(ROOT).filter((name) => name.endsWith('.md')), 'docs'];

// Pages find Vue only below the folder of the generator.
const COPY = fileURLToPath(new URL('../pages.tmp', import.meta.url));
rmSync(COPY, { recursive: true, force: true });
for (const name of PAGES) cpSync(ROOT + name, `${COPY}/${name}`, { recursive: true });

export default defineConfig({
  title: 'ctx-trim',
  description: 'Inspect and rewrite recorded LLM chat transcripts from the shell, losslessly.',
  lang: 'en-US',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  base: process.env.SITE_BASE ?? '/ctx-trim/',
  srcDir: './pages.tmp',
  outDir: './dist',
  cacheDir: './node_modules/.vitepress',
  rewrites: (page) => page.replace(/README\.md$/, 'index.md'),
  markdown: {
    anchor: { slugify: slugOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config({ core }) {
      core.ruler.push('repository-links', linkPages);
      core.ruler.push('empty-headings', emptyHeadings);
    },
  },
  themeConfig: {
    nav: [
      { text: 'Documents', link: '/docs/' },
      { text: 'Questions', link: '/docs/questions' },
      { text: 'Changes', link: '/CHANGELOG' },
    ],
    sidebar: sidebarOf(readFileSync(`${ROOT}/docs/README.md`, 'utf8')),
    outline: { level: [2, 3] },
    search: { provider: 'local', options: { miniSearch: { searchOptions: { combineWith: 'AND' } } } },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
  },
});

/** The anchors that GitHub makes of headings: the pages link to these. */
function slugOf(title) {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** What is no page of the site is in the repository. */
function linkPages(state) {
  for (const token of state.tokens)
    for (const child of token.children ?? [])
      if (child.type === 'link_open') child.attrSet('href', hrefOf(child.attrGet('href'), state.env.relativePath));
}

function hrefOf(href, page) {
  const [path, anchor] = href.split('#');
  if (path === '' || /^[a-z]+:/.test(path)) return href;
  const file = posix.join(posix.dirname(page), path);
  if (existsSync(`${COPY}/${file}`)) return href.replace(/README\.md/, 'index.md');
  const kind = statSync(ROOT + file).isDirectory() ? 'tree' : 'blob';
  return `${REPOSITORY}/${kind}/main/${file}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** A heading of a table that says nothing is a plain cell. */
function emptyHeadings({ tokens }) {
  for (const [index, { type, content }] of tokens.entries())
    if (type === 'inline' && content === '' && tokens[index - 1].type === 'th_open')
      for (const cell of [tokens[index - 1], tokens[index + 1]]) cell.tag = 'td';
}

/** The tables of docs/README.md: pages, and commands by their group. */
function sidebarOf(index) {
  const rows = [...index.matchAll(/^\| \[`?([^\]`]+)`?\]\(([^)]+)\.md\) \|.*?\|(?: (\w+) \|)?$/gm)];
  const items = rows.map(([, text, path, group]) => ({
    text: group === undefined ? capitalized(text) : text,
    link: `/docs/${path}`,
    group: group ?? 'documents',
  }));
  const groups = [...new Set(items.map(({ group }) => group))];
  return [
    { text: 'Start', link: '/' },
    ...groups.map((name) => ({
      text: capitalized(name),
      items: items.filter(({ group }) => group === name),
    })),
  ];
}

function capitalized(text) {
  return text[0].toUpperCase() + text.slice(1);
}
