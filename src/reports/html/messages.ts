/** The transcript of a session: every message with its address, its figures, its findings and what policies change. */
import type { ReportSession } from '../../engine/report/sessions.js';
import type { ShownMessage } from '../../engine/show/shown.js';
import { changedUnshown, type Difference } from '../../measure/stats/differences.js';
import { groupBy } from '../../measure/stats/groups.js';
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import { joined } from '../../safe/text.js';
import { costInRow, grouped, percent, plural, shortCount, tokensText } from '../../text/words.js';
import { cleanedParts } from '../../transcript/cleaned.js';
import { textOf } from '../../transcript/text.js';
import type { ContentPart, Message, Part } from '../../transcript/types.js';
import { promptTokens } from '../../transcript/usage.js';
import { argumentsIn } from '../show/arguments.js';
import { type Fragment, wordDiff } from '../word-diff.js';
import { concat, lines, NOTHING, type Page, type SessionLook } from './page.js';
import { colorOf } from './policies.js';
import { ARGUMENT, codeOf, PROMPT, proseOf, REASONING, RESULT } from './texts.js';
import { timeOf } from './times.js';

/** Browsers skip a section that is not in view: sections of about this many messages scroll best. */
const SECTION = 50;
/** The height that a section has before it was ever in view, in steps, by the size of its text. */
const HEIGHT_STEPS = 12;

/** A session with more tokens shows less of each long text, so that its page stays small. */
const MOST_TOKENS = 400_000;

export function messagesOf(session: ReportSession, look: SessionLook): HtmlText {
  const { messages, facts } = session.shown;
  look.page.scale = Math.min(1, MOST_TOKENS / Math.max(1, facts.totals.tokens));
  const changes = changesOf(session);
  const sections: HtmlText[] = [];
  for (let start = 0; start < messages.length; start += SECTION) {
    const own = messages.slice(start, start + SECTION).flatMap((message) => {
      const article = messageHtml(message, session, changes, look);
      return article === undefined ? [] : [article];
    });
    if (own.length === 0) continue;
    const size = own.reduce((sum, { length }) => sum + length, 0);
    const step = Math.min(HEIGHT_STEPS, Math.ceil(size / 12_000));
    sections.push(html`<div class="run h${step}">${lines(own)}</div>`);
  }
  return lines(sections);
}

/** What the policies change, by message: messages that they add stand behind the one before. */
interface Changes {
  readonly of: ReadonlyMap<number, readonly PolicyChange[]>;
  readonly addedAfter: ReadonlyMap<number, readonly PolicyChange[]>;
}

interface PolicyChange {
  /** From 1. */
  readonly policy: number;
  readonly at: number;
  readonly difference: Difference;
}

function changesOf({ policies }: ReportSession): Changes {
  const own: PolicyChange[] = [];
  const added: PolicyChange[] = [];
  policies.forEach(({ difference: { differences } }, index) => {
    let last = -1;
    for (const difference of differences) {
      const at = difference.before?.index ?? last;
      last = at;
      if (difference.kind === 'added') added.push({ policy: index + 1, at, difference });
      else if (difference.kind !== 'kept') own.push({ policy: index + 1, at, difference });
    }
  });
  return { of: groupBy(own, ({ at }) => at), addedAfter: groupBy(added, ({ at }) => at) };
}

function messageHtml(
  shown: ShownMessage,
  session: ReportSession,
  changes: Changes,
  { prefix, page }: SessionLook,
): HtmlText | undefined {
  const { index, message, facts, findings } = shown;
  const added = (changes.addedAfter.get(index) ?? []).map((change) => addedHtml(change, session, page));
  if (message.role === 'meta' || facts === undefined) return added.length === 0 ? undefined : concat(added);
  const own = changes.of.get(index) ?? [];
  const classes = [
    ROLES[message.role],
    ...(findings.length > 0 ? [html`found`] : []),
    ...own.map(({ policy, difference }) => html`p${policy} p${policy}-${KINDS[difference.kind]}`),
  ];
  const id = html`${prefix}m${index}`;
  const tools = facts.tools.length === 0 ? NOTHING : toolsHtml(message, facts.tools, page);
  const name = html`<a class="at" href="#${id}">#${index}</a> <b class="role">${ROLES[message.role]}</b>${tools}`;
  const head = html`<header>${name}${concat(own.map(droppedBadge))}${figuresHtml(shown, session)}</header>`;
  const body = concat(message.parts.length === 0 ? [EMPTY] : partsHtml(message, facts.tools, page));
  const notes = concat([
    ...findings.map((finding) => findingHtml(finding, page)),
    ...own.flatMap((change) => (change.difference.kind === 'dropped' ? [] : [changeHtml(change, session, page)])),
  ]);
  const look = html`class="m ${joined(classes, ' ')}" id="${id}"`;
  const isBeside = own.some(({ difference }) => difference.kind === 'changed');
  const content = isBeside
    ? html`<div class="beside"><div>${body}</div><div>${notes}</div></div>`
    : concat([body, notes]);
  const article = html`<article ${look}>${head}${content}</article>`;
  return concat([article, ...added]);
}

const ROLES = {
  system: html`system`,
  user: html`user`,
  assistant: html`assistant`,
  tool: html`tool`,
  meta: html`meta`,
} as const;
const KINDS = {
  kept: html`kept`,
  moved: html`moved`,
  changed: html`changed`,
  dropped: html`dropped`,
  added: html`added`,
} as const;

function toolsHtml({ role }: Message, tools: readonly string[], page: Page): HtmlText {
  const names = [...new Set(tools)].map((tool) => html`<code>${page.text(tool)}</code>`);
  return html` <span class="tools">${role === 'tool' ? html`from` : html`calls`} ${concat(names)}</span>`;
}

/** Tokens, what later requests paid for it, and what the request cost whose reply it is. */
function figuresHtml({ facts, carried, request }: ShownMessage, { shown }: ReportSession): HtmlText {
  const source = shown.facts.totals.tokensSource;
  const figures = [html`${htmlText(tokensText(facts!.tokens, source))} tokens`];
  const [first] = carried;
  if (first !== undefined && first.requests > 0) {
    const cost = carried.reduce<bigint | undefined>(
      (sum, one) => (sum === undefined || one.cost === undefined ? undefined : sum + one.cost),
      0n,
    );
    const paid = cost === undefined ? NOTHING : html` for ${htmlText(costInRow(cost, source))}`;
    figures.push(html`carried by ${htmlText(plural(first.requests, 'request'))}${paid}`);
  }
  if (request !== undefined) {
    const { usage, cost, tokensSource } = request;
    const prompt = promptTokens(usage);
    const cached = usage.cacheRead === 0 ? NOTHING : html`, ${htmlText(percent(usage.cacheRead / prompt))} cached`;
    const counted = tokensSource === 'estimated' ? 'estimated' : 'exact';
    const hasTokens = prompt + usage.output > 0; // some logs state a cost alone
    const tokens = hasTokens ? html`prompt ${htmlText(shortCount(prompt))}${cached}` : html`no tokens recorded`;
    figures.push(html`${tokens}, ${htmlText(costInRow(cost, counted))}`);
    if (request.time !== undefined) figures.push(timeOf(request.time));
  }
  return html`<span class="figs">${concat(figures.map((figure) => html`<i>${figure}</i>`))}</span>`;
}

// --- parts

const EMPTY = html`<p class="none">(empty)</p>`;

/** `tools`: the tools of the calls and results of the message, in their order. */
function partsHtml({ parts, role }: Message, tools: readonly string[], page: Page): HtmlText[] {
  const results = parts.filter(({ type }) => type === 'result').length;
  let at = 0;
  return cleanedParts(parts, page.clean).map((part) => {
    const tool = part.type === 'call' || part.type === 'result' ? tools[at++] : undefined;
    const isNamed = part.type === 'result' && (results > 1 || role !== 'tool');
    return partHtml(part, role, isNamed ? tool : undefined, page);
  });
}

function partHtml(part: Part, role: Message['role'], tool: string | undefined, page: Page): HtmlText {
  switch (part.type) {
    case 'text':
      return textHtml(textOf(part.text), role, page);
    case 'thinking': {
      const text = textOf(part.text);
      if (text.trim() === '') return NOTHING;
      const size = htmlText(plural(text.length, 'character'));
      const body = codeOf(text, REASONING, page);
      return html`<details class="thinking"><summary>reasoning, ${size}</summary>${body}</details>`;
    }
    case 'call': {
      const args = argumentsHtml(textOf(part.input), page);
      return html`<div class="call"><b class="tool">${page.text(part.tool)}</b>${args}</div>`;
    }
    case 'result': {
      const name = tool === undefined ? NOTHING : html`<b class="tool">${page.text(tool)}</b>`;
      const error = part.isError === true ? html`<b class="error">error</b>` : NOTHING;
      const shown = concat(part.content.map((one) => contentHtml(one, page)));
      const content = shown === NOTHING ? EMPTY : shown;
      return html`<div class="result">${name}${error}${content}</div>`;
    }
    default:
      return contentHtml(part, page);
  }
}

function textHtml(text: string, role: Message['role'], page: Page): HtmlText {
  if (role === 'tool') return codeOf(text, RESULT, page);
  if (role === 'system') return codeOf(text, PROMPT, page);
  return proseOf(text, page);
}

function argumentsHtml(input: string, page: Page): HtmlText {
  const args = argumentsIn(input);
  if (args === undefined) return codeOf(input, ARGUMENT, page);
  if (args.length === 0) return NOTHING;
  const rows = args.map(({ name, text }) => html`<dt>${page.text(name)}</dt><dd>${codeOf(text, ARGUMENT, page)}</dd>`);
  return html`<dl class="args">${concat(rows)}</dl>`;
}

function contentHtml(part: ContentPart, page: Page): HtmlText {
  if (part.type === 'text') return codeOf(textOf(part.text), RESULT, page);
  if (part.type === 'media') return html`<p class="none">[${htmlText(part.kind)}]</p>`;
  return part.text === undefined ? html`<p class="none">[…]</p>` : argumentsHtml(textOf(part.text), page);
}

// --- findings and changes

function findingHtml({ severity, message, rule }: ShownMessage['findings'][number], page: Page): HtmlText {
  const kind = htmlText(severity);
  return html`<p class="note ${kind}"><b>${kind}</b> ${page.text(message)} <code>${htmlText(rule)}</code></p>`;
}

function changeHtml({ policy, difference }: PolicyChange, { policies, shown }: ReportSession, page: Page): HtmlText {
  const { kind, before, after } = difference;
  const source = shown.facts.totals.tokensSource;
  const name = policyName(policy, policies.length);
  const tokens = htmlText(tokensText(before!.tokens, source));
  if (kind === 'moved') return html`<p class="note changed">${name} moves it</p>`;
  const now = htmlText(tokensText(after!.tokens, source));
  const words = wordDiff(page.plain(before!.text), page.plain(after!.text)).map(fragmentHtml);
  const unshown = changedUnshown(difference);
  const what = unshown.length === 0 ? html`it` : html`it (${htmlText(unshown.join(', '))})`;
  const summary = html`<summary>${name} changes ${what}: ${tokens} → ${now} tokens</summary>`;
  return html`<details class="note changed" open>${summary}<pre>${concat(words)}</pre></details>`;
}

function fragmentHtml({ kind, text }: Fragment): HtmlText {
  const shown = htmlText(text);
  if (kind === 'removed') return html`<del>${shown}</del>`;
  return kind === 'added' ? html`<ins>${shown}</ins>` : shown;
}

function droppedBadge({ policy, difference }: PolicyChange): HtmlText {
  return difference.kind === 'dropped' ? html` <span class="badge k-p${colorOf(policy)}">dropped</span>` : NOTHING;
}

function addedHtml({ policy, difference }: PolicyChange, { policies }: ReportSession, page: Page): HtmlText {
  const { role, text, tokens } = difference.after!;
  const name = policyName(policy, policies.length);
  const figures = html`<span class="figs"><i>${name} adds it: +${htmlText(grouped(tokens))} tokens</i></span>`;
  const head = html`<header><b class="role">${htmlText(role)}</b> ${figures}</header>`;
  return html`<article class="m added p${policy} p${policy}-added">${head}${codeOf(text, RESULT, page)}</article>`;
}

function policyName(policy: number, count: number): HtmlText {
  return count === 1 ? html`The policy` : html`Policy ${policy}`;
}
