/** Values at a path of a record, and what `--where` asks of them. */
import { TranscriptError } from '../../errors.js';
import type { JsonNode } from '../../json/node.js';

/** The values at a path: `meta.reward`, `runs[].outcome` or `tags[0]`; none where it leads nowhere. */
export type ValuesAt = (root: JsonNode) => readonly JsonNode[];

const STEP = /^(?<key>[^[\]]*)(?<indices>(?:\[\d*\])*)$/;

/** Throws TranscriptError for what is no path. `flag`: the option that has it. */
export function valuesAt(path: string, flag: string): ValuesAt {
  const steps = path.split('.').flatMap((step, index) => stepsOf(step, index === 0));
  if (steps.includes(undefined))
    throw new TranscriptError(
      'usage',
      `${flag}: \`${path}\` is not a path; expected one such as meta.reward or runs[].id`,
    );
  return (root) => steps.reduce((nodes, step) => nodes.flatMap(step!), [root] as readonly JsonNode[]);
}

type Step = (node: JsonNode) => readonly JsonNode[];

function stepsOf(text: string, isFirst: boolean): (Step | undefined)[] {
  const { key = '', indices = '' } = STEP.exec(text)?.groups ?? {};
  if (key === '' && (indices === '' || !isFirst)) return [undefined];
  const member: Step = (node) => [node.get(key)].filter((value) => value !== undefined);
  const elements = [...indices.matchAll(/\[(\d*)\]/g)].map(([, at]): Step => {
    return at === '' ? (node) => node.items() : (node) => node.items(Number(at) + 1).slice(Number(at));
  });
  return key === '' ? elements : [member, ...elements];
}

type Compare = (order: number) => boolean;

const OPERATORS: ReadonlyMap<string, Compare> = new Map([
  ['=', (order: number) => order === 0],
  ['!=', (order: number) => order !== 0],
  ['<', (order: number) => order < 0],
  ['<=', (order: number) => order <= 0],
  ['>', (order: number) => order > 0],
  ['>=', (order: number) => order >= 0],
]);
const WHERE = /^(?<path>[^=!<>]+)(?<operator>!=|<=|>=|=|<|>)(?<value>.*)$/s;

/** `a==b` and `a=>5` are slips of the pen. */
const LIKE_OPERATOR = /^(?:=|[<>]\s*[-+.\d]+$)/;

/** `reward>=0.5`: whether any value at the path is so. Throws TranscriptError for what is no such condition. */
export function whereOf(text: string): (roots: readonly JsonNode[]) => boolean {
  const { path = '', operator = '', value = '' } = WHERE.exec(text)?.groups ?? {};
  if (operator === '')
    throw new TranscriptError('usage', `--where \`${text}\` is invalid; expected something like outcome=success`);
  if (LIKE_OPERATOR.test(value))
    throw new TranscriptError(
      'usage',
      `--where \`${text}\`: the operators are ${[...OPERATORS.keys()].join(', ')}; ` +
        `a value that begins with ${value[0]} needs a space before it`,
    );
  const at = valuesAt(path.trim(), '--where');
  const fits = OPERATORS.get(operator)!;
  const given = value.trim();
  const isEquality = operator.endsWith('=') && !/[<>]/.test(operator);
  return (roots) =>
    roots.some((root) =>
      at(root).some((node) => {
        const order = orderOf(node, given, isEquality);
        return order !== undefined && fits(order);
      }),
    );
}

const WHOLE = /^[+-]?\d+$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** How a value compares: numbers as numbers, other texts by their characters. Undefined if it has no order. */
function orderOf(node: JsonNode, given: string, isEquality: boolean): number | undefined {
  if (node.isObject || node.isArray) return undefined;
  const { text } = node;
  if (text === given) return 0;
  if (WHOLE.test(given) && WHOLE.test(text)) return wholeOrder(text, given);
  if (NUMBER.test(given) && NUMBER.test(text)) return Number(text) - Number(given);
  const isText = node.isString && !NUMBER.test(given);
  if (!isText && !isEquality) return undefined;
  return text < given ? -1 : 1;
}

/** Ids may be longer than a number holds. */
function wholeOrder(a: string, b: string): number {
  if (a.length < LONG && b.length < LONG) return Number(a) - Number(b);
  const [one, two] = [BigInt(a), BigInt(b)];
  return one === two ? 0 : one < two ? -1 : 1;
}

/** From so many digits on, not each number is exact: 2^53 has 16. */
const LONG = 16;
