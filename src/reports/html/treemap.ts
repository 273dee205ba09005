/** What the results of tools cost over their lives, as a treemap: boxes by tool, in them the results. */
import { type HierarchyRectangularNode, hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';
import { groupBy } from '../../measure/stats/groups.js';
import { type HtmlText, html } from '../../safe/formats.js';
import { concat, NOTHING, type Page, short } from './page.js';

export interface Box {
  readonly group: string;
  /** Its size: tokens or money. */
  readonly size: number;
  readonly label: HtmlText;
  /** What is said of it where there is room. */
  readonly about: HtmlText;
  /** The address of its message; undefined for a sum of small boxes. */
  readonly href: HtmlText | undefined;
}

interface Node {
  readonly name: string;
  readonly box?: Box;
  readonly children?: readonly Node[];
}

/** Units in both directions; positions are shares of them. */
const WIDTH = 100;
const HEIGHT = 45;
/** Room for the name of a tool. */
const HEADING = 2.6;
/** Smaller boxes could not be hit. */
const LEAST_SHARE = 0.002;
/** Tools below this share have one group together. */
const LEAST_TOOL = 0.01;

/** `prefix`: of the ids of the boxes, another one for each treemap of a page. */
export function treemapOf(boxes: readonly Box[], prefix: HtmlText, page: Page): HtmlText {
  const whole = boxes.reduce((sum, { size }) => sum + size, 0);
  if (whole <= 0) return NOTHING;
  const sizes = new Map<string, number>();
  for (const { group, size } of boxes) sizes.set(group, (sizes.get(group) ?? 0) + size);
  const nameOf = ({ group }: Box) => (sizes.get(group)! < whole * LEAST_TOOL ? 'others' : group);
  const tools = [...groupBy(boxes, nameOf)].map(([name, own]): Node => {
    const large = own.filter(({ size }) => size >= whole * LEAST_SHARE);
    const rest = own.filter(({ size }) => size < whole * LEAST_SHARE);
    const size = rest.reduce((sum, box) => sum + box.size, 0);
    const small = rest.length === 0 ? [] : [smallBox(name, rest.length, size)];
    return { name, children: [...large, ...small].map((box) => ({ name, box })) };
  });
  const root = hierarchy<Node>({ name: '', children: tools }, ({ children }) => children as Node[] | undefined)
    .sum(({ box }) => box?.size ?? 0)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const laidOut = treemap<Node>()
    .size([WIDTH, HEIGHT])
    .tile(treemapSquarify.ratio(1.6))
    .paddingTop(({ depth }) => (depth === 1 ? HEADING : 0))
    .paddingInner(0.15)(root);
  let number = 0;
  const groups = (laidOut.children ?? []).map((tool, color) => {
    const results = (tool.children ?? []).map((leaf) => boxHtml(leaf, html`${prefix}${number++}`, color, page));
    const at = html`${prefix}${number++}`;
    place(tool, at, page);
    return html`<li>${concat([html`<b class="tool" id="${at}">${page.text(tool.data.name)}</b>`, ...results])}</li>`;
  });
  return html`<ul class="treemap">${concat(groups)}</ul>`;
}

function smallBox(group: string, count: number, size: number): Box {
  return { group, size, label: html`${count} small`, about: NOTHING, href: undefined };
}

/** Colors repeat after so many tools. */
const COLORS = 6;

function boxHtml(leaf: HierarchyRectangularNode<Node>, id: HtmlText, color: number, page: Page): HtmlText {
  const { label, about, href } = leaf.data.box!;
  place(leaf, id, page);
  const look = html`class="box c${color % COLORS}" id="${id}" title="${label} ${about}"`;
  const text = html`<span>${label} <small>${about}</small></span>`;
  return href === undefined ? html`<span ${look}>${text}</span>` : html`<a ${look} href="${href}">${text}</a>`;
}

function place({ x0, x1, y0, y1 }: HierarchyRectangularNode<Node>, id: HtmlText, page: Page): void {
  const [left, width] = [short((x0 / WIDTH) * 100), short(((x1 - x0) / WIDTH) * 100)];
  const [top, height] = [short((y0 / HEIGHT) * 100), short(((y1 - y0) / HEIGHT) * 100)];
  page.addRule(html`#${id}{left:${left}%;top:${top}%;width:${width}%;height:${height}%}`);
}
