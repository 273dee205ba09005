/** The report as HTML: one page, or a page of several sessions and one for each. Nothing is loaded from outside. */
import type { ReportFacts } from '../../engine/report/report.js';
import type { WholeSession } from '../../engine/report/sessions.js';
import { type HtmlText, html, htmlSource, htmlText, SCRIPT_ENDS } from '../../safe/formats.js';
import { joined, type SafeText, safe } from '../../safe/text.js';
import { grouped } from '../../text/words.js';
import type { Clean } from '../../transcript/cleaned.js';
import { auditFigures, auditSpan, auditTables, type ListedSession, sessionTable } from './audit.js';
import { comparisonHtml } from './compare.js';
import { auditHeadline, sessionHeadline } from './headline.js';
import { closingNotes } from './notes.js';
import { concat, createPage, lines, NOTHING, type Page } from './page.js';
import { policiesHtml } from './policies.js';
import { type Part, sessionFigures, sessionParts, sessionTitle } from './session.js';
import { subagentsHtml } from './subagents.js';
import { trendHtml } from './trend.js';

export interface HtmlOptions {
  /** The script and the style sheet of the page. */
  readonly script: string;
  readonly style: string;
  /** Redacts a text. */
  readonly clean: Clean;
  /** Whether addresses in texts are links. */
  readonly links: boolean;
  /** Whether `clean` changes secrets: the page says so. */
  readonly isRedacted: boolean;
  /** Compresses a text with deflate, as base64. */
  pack(text: string): string;
  /** The SHA-256 of a text, as base64. */
  hash(text: string): string;
  readonly version: string;
  /** Which messages a printed page holds. */
  readonly printed: 'text' | 'all' | 'none';
  /** How many of several sessions have a section of their own: the most expensive ones. */
  readonly sections: number;
}

export interface HtmlFile {
  readonly name: string;
  readonly text: SafeText;
}

/** All on one page. */
export function reportPage(facts: ReportFacts, options: HtmlOptions): SafeText {
  const [session] = facts.sessions;
  if (facts.sessions.length === 1 && session !== undefined) return sessionPage(session, facts, options);
  const sorted = byPaid(facts.sessions);
  const shown = sorted.slice(0, options.sections);
  const listed = sorted.map(
    (each, index): ListedSession => ({
      session: each,
      href: index < shown.length ? html`#s${index + 1}` : undefined,
    }),
  );
  return auditPage(facts, listed, options, (page) =>
    shown.map((each, index) => sessionSection(each, html`s${index + 1}`, page)),
  );
}

/** A page with all sessions, and one for each. */
export function reportFiles(facts: ReportFacts, options: HtmlOptions): HtmlFile[] {
  const sorted = byPaid(facts.sessions);
  const listed = sorted.map((session, index): ListedSession => ({ session, href: html`session-${index + 1}.html` }));
  return [
    { name: 'index.html', text: auditPage(facts, listed, options, () => []) },
    ...sorted.map((session, index) => ({
      name: `session-${index + 1}.html`,
      text: sessionPage(session, { ...facts, policies: [] }, options, html`<a href="index.html">all sessions</a>`),
    })),
  ];
}

function byPaid(sessions: readonly WholeSession[]): WholeSession[] {
  return [...sessions].sort(
    (a, b) =>
      Number(b.paid.knownCost - a.paid.knownCost) ||
      b.main.shown.facts.totals.tokens - a.main.shown.facts.totals.tokens,
  );
}

function sessionPage(session: WholeSession, facts: ReportFacts, options: HtmlOptions, up = NOTHING): SafeText {
  const page = createPage(options);
  const { title, about } = sessionTitle(session.main, page);
  const parts: Part[] = [
    { id: html`policies`, title: 'Policies', body: policiesHtml(facts, page) },
    ...sessionParts(
      session.main,
      { prefix: NOTHING, page },
      subagentsHtml(session, { prefix: NOTHING, page, level: 3 }),
    ),
  ].filter(({ body }) => body !== NOTHING);
  const headline = sessionHeadline(session, facts.policies, page);
  const header = headerHtml({ title, about, up, headline, figures: sessionFigures(session) });
  const main = lines(parts.map((part) => sectionHtml(part, 2)));
  return documentOf({ title, header, nav: navOf(parts), main }, page, facts, options);
}

function navOf(parts: readonly Part[]): HtmlText {
  return concat(parts.map(({ id, title }) => html`<a href="#${id}">${htmlText(title)}</a>`));
}

function auditPage(
  facts: ReportFacts,
  listed: readonly ListedSession[],
  options: HtmlOptions,
  sections: (page: Page) => readonly HtmlText[],
): SafeText {
  const page = createPage(options);
  const title = html`${htmlText(grouped(facts.sessions.length))} sessions`;
  const parts: Part[] = [
    { id: html`policies`, title: 'Policies', body: policiesHtml(facts, page) },
    { id: html`compared`, title: 'Side by side', body: comparisonHtml(facts.sessions, page) },
    { id: html`trend`, title: 'Trend', body: trendHtml(facts, page) },
    { id: html`sessions`, title: 'Sessions', body: sessionTable(listed, page) },
    { id: html`groups`, title: 'Where the money went', body: auditTables(facts, page) },
  ].filter(({ body }) => body !== NOTHING);
  const main = lines([...parts.map((part) => sectionHtml(part, 2)), ...sections(page)]);
  const headline = auditHeadline(facts, page);
  const header = headerHtml({ title, about: auditSpan(facts), up: NOTHING, headline, figures: auditFigures(facts) });
  return documentOf({ title, header, nav: navOf(parts), main }, page, facts, options);
}

/** A session on a page of several. */
function sessionSection(session: WholeSession, id: HtmlText, page: Page): HtmlText {
  const { title, about } = sessionTitle(session.main, page);
  const look = { prefix: html`${id}-`, page };
  const parts = sessionParts(session.main, look, subagentsHtml(session, { ...look, level: 4 })).map((part) =>
    part.title === 'Transcript' ? folded(part) : sectionHtml(part, 3),
  );
  const head = lines([
    html`<h2><a href="#${id}">${title}</a></h2><p class="about">${about}</p>`,
    sessionHeadline(session, undefined, page),
    sessionFigures(session),
  ]);
  return html`<section class="session" id="${id}">${head}${lines(parts)}</section>`;
}

function folded({ id, title, body }: Part): HtmlText {
  return html`<details class="part" id="${id}"><summary>${htmlText(title)}</summary>${body}</details>`;
}

function sectionHtml({ id, title, body, isHalf }: Part, level: 2 | 3): HtmlText {
  const half = isHalf === true ? html` half` : NOTHING;
  return html`<section class="part${half}" id="${id}"><h${level}>${htmlText(title)}</h${level}>
${body}</section>`;
}

interface Header {
  readonly title: HtmlText;
  readonly about: HtmlText;
  /** A link to the page above. */
  readonly up: HtmlText;
  readonly headline: HtmlText;
  readonly figures: HtmlText;
}

function headerHtml({ title, about, up, headline, figures }: Header): HtmlText {
  const parts = [
    html`<p class="brand">ctx-trim report ${up}</p>`,
    html`<h1>${title}</h1>`,
    html`<p class="about">${about}</p>`,
    headline,
    figures,
  ];
  return html`<header class="top">${concat(parts)}</header>`;
}

/** What paper says of the messages that are not on it. */
const UNPRINTED = {
  all: NOTHING,
  text: html`Printed without tool calls, results and reasoning; <code>--print-messages all</code> prints them, too.`,
  none: html`Printed without the transcript; <code>--print-messages all</code> prints it, too.`,
} as const;

interface Body {
  readonly title: HtmlText;
  readonly header: HtmlText;
  readonly nav: HtmlText;
  readonly main: HtmlText;
}

function documentOf(
  { title, header, nav, main }: Body,
  page: Page,
  facts: ReportFacts,
  options: HtmlOptions,
): SafeText {
  const { script, style, pack, hash, isRedacted, version } = options;
  const sheet = htmlSource(`${style}\n${page.rules.join('\n')}\n`);
  const program = htmlSource(script);
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${hash(program)}'`,
    `style-src 'sha256-${hash(sheet)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const kept = page.kept.length === 0 ? '' : pack(JSON.stringify(page.kept));
  return safe`${joined(
    [
      html`<!doctype html>`,
      html`<html lang="en">`,
      html`<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${htmlText(policy)}">`,
      html`<meta name="viewport" content="width=device-width, initial-scale=1">`,
      html`<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">`,
      html`<meta name="generator" content="ctx-trim ${htmlText(version)}">`,
      html`<title>${title} · ctx-trim report</title><link rel="icon" href="data:,">`,
      html`<style>${sheet}</style></head>`,
      html`<body class="print-${htmlText(options.printed)}"><a class="skip" href="#main">skip to the report</a>`,
      header,
      html`<nav aria-label="parts of the report">${nav}</nav>`,
      html`<main id="main">${main}</main>`,
      html`<p class="unprinted">${UNPRINTED[options.printed]}</p>`,
      html`<footer>${closingNotes(facts, isRedacted)}</footer>`,
      html`<noscript><p class="hint">Search, keys and the rest of long texts need JavaScript.</p></noscript>`,
      html`<script type="application/octet-stream" id="texts">${htmlText(kept)}${SCRIPT_ENDS}`,
      html`<script>${program}${SCRIPT_ENDS}</body></html>`,
    ],
    '\n',
  )}\n`;
}
