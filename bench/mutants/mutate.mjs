// The mutants of a source file: small faults that a test should notice, each as a replacement of a range of its text.
import { parseAst } from 'vitest/node';

const SWAPPED = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&': ['|'],
  '|': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '&&': ['||'],
  '||': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '++': ['--'],
  '--': ['++'],
};
const METHODS = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
  min: 'max',
  max: 'min',
  find: 'findLast',
  findLast: 'find',
};
/** Calls that a mutant leaves out: `list.filter(f)` becomes `list`. */
const DROPPED = new Set(['filter', 'slice', 'toReversed', 'reverse', 'trim', 'toSorted', 'sort', 'concat']);
/** What can be put in parentheses, unless its parent needs it bare. */
const CHAINED = new Set(['CallExpression', 'MemberExpression', 'TSNonNullExpression']);
const EXPRESSIONS = new Set([
  ...CHAINED,
  'ArrayExpression',
  'AssignmentExpression',
  'BinaryExpression',
  'ChainExpression',
  'ConditionalExpression',
  'Literal',
  'LogicalExpression',
  'TaggedTemplateExpression',
  'TemplateLiteral',
  'UnaryExpression',
  'UpdateExpression',
]);
/** Parents that want what is written, not its value. */
const KEPT = new Set([
  'AssignmentExpression',
  'ChainExpression',
  'TSNonNullExpression',
  'UnaryExpression',
  'UpdateExpression',
]);
/** Words for people and where they come from: other tests compare them with what the documents print. */
const PROSE = new Set([
  'summary',
  'description',
  'error',
  'cause',
  'reported',
  'source',
  'date',
  'title',
  'why',
  'caveat',
]);
const REMOVED = new Set([
  'ExpressionStatement',
  'ReturnStatement',
  'ThrowStatement',
  'BreakStatement',
  'ContinueStatement',
]);
const TESTED = new Set(['IfStatement', 'ConditionalExpression', 'WhileStatement']);

/**
 * All mutants of one file, in the order of its text. `before` and `after` are the lines that a mutant changes,
 * `place` is
 * the statement or expression around it that can stand in a choice between both.
 */
export function mutantsOf(file, source) {
  const seen = new Map();
  return [...walk(parseAst(source, { lang: 'ts' }), source)].map(({ start, end, text, place }) => {
    const from = source.lastIndexOf('\n', start - 1) + 1;
    const nextLine = source.indexOf('\n', end);
    const to = nextLine < 0 ? source.length : nextLine;
    const before = onOneLine(source.slice(from, to));
    const after = onOneLine(source.slice(from, start) + text + source.slice(end, to));
    const line = source.slice(0, start).split('\n').length;
    const same = seen.get(before + after) ?? 0;
    seen.set(before + after, same + 1);
    return { file, source, start, end, text, place, line, before, after, same };
  });
}

export const applied = ({ source, start, end, text }) => source.slice(0, start) + text + source.slice(end);

const onOneLine = (text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim();

function* walk(node, source, around) {
  if (isType(node) || (node.type === 'Property' && PROSE.has(node.key.name) && isText(node.value))) return;
  const place = isPlace(node, around?.node) ? { start: node.start, end: node.end, kind: kindOf(node) } : around?.place;
  for (const mutation of mutationsOf(node, source))
    if (source.slice(mutation.start, mutation.end) !== mutation.text) yield { place, ...mutation };
  for (const child of childrenOf(node)) yield* walk(child, source, { node, place });
}

const kindOf = ({ type }) => (REMOVED.has(type) || type === 'BlockStatement' ? 'statement' : 'expression');

/** What a call is made on, keeps its object, and a chain with `?.` its end: these go with what is around them. */
function isPlace(node, parent) {
  if (kindOf(node) === 'statement') return true;
  if (!EXPRESSIONS.has(node.type)) return false;
  if (CHAINED.has(node.type)) return parent.object !== node && parent.callee !== node && !KEPT.has(parent.type);
  return parent.tag !== node && parent.quasi !== node && parent.operator !== 'delete';
}

/** Types and imports have no behavior. A cast has that of its expression. */
const isType = ({ type, expression, source }) =>
  type.startsWith('Import') ||
  (type.startsWith('Export') && Boolean(source)) ||
  (type.startsWith('TS') && expression === undefined);

function isText({ type, value, elements, left, right }) {
  if (type === 'BinaryExpression') return isText(left) && isText(right); // a long text is put together
  return typeof value === 'string' || type === 'TemplateLiteral' || (elements?.every(isText) ?? false);
}

function childrenOf(node) {
  const isName = (key) => (key === 'key' || key === 'property') && !node.computed;
  return Object.entries(node)
    .filter(([key]) => !isName(key) && key !== 'typeArguments')
    .flatMap(([, value]) => value)
    .filter((value) => typeof value?.type === 'string');
}

function* mutationsOf(node, source) {
  const { start, end, type } = node;
  const textOf = (part) => source.slice(part.start, part.end);
  if (REMOVED.has(type) && !node.directive) yield { start, end, text: ';' };
  if (TESTED.has(type)) yield* truths(node);
  if (isEmptied(node)) yield { start, end, text: '{}' };
  if (node.left && node.operator) yield* operators(node, source);
  if (type === 'UpdateExpression') yield* swapped(node, node.prefix ? start : end - 2);
  if (type === 'UnaryExpression' && node.operator === '!') yield { start, end, text: `(${textOf(node.argument)})` };
  if (type === 'CallExpression') yield* calls(node, textOf);
  if (node.optional) yield* required(node, source);
  if (type === 'Literal') yield* literals(node);
  if (type === 'TemplateLiteral' && end - start > 2) yield { start, end, text: '``' };
  if (type === 'ArrayExpression' && node.elements.length > 0) yield { start, end, text: '[]' };
}

/** A loop that never ends is noticed without a test of its own. */
function* truths({ type, test: { start, end } }) {
  const place = { start, end, kind: 'expression' };
  yield { start, end, text: 'false', place };
  if (type !== 'WhileStatement') yield { start, end, text: 'true', place };
}

const isEmptied = ({ type, body, start, end }) =>
  type === 'BlockStatement' && Array.isArray(body) && body.length > 1 && end - start > 2;

function* operators(node, source) {
  const { left, right, operator, start, end } = node;
  const isText = [left, right].some((side) => side.type === 'TemplateLiteral' || typeof side.value === 'string');
  const at = source.indexOf(operator, left.end);
  if (!(isText && operator.startsWith('+'))) yield* swapped(node, at);
  if (node.type !== 'LogicalExpression') return;
  yield { start, end, text: `(${source.slice(left.start, left.end)})` };
  yield { start, end, text: `(${source.slice(right.start, right.end)})` };
}

function* swapped({ operator }, at) {
  for (const text of SWAPPED[operator] ?? []) yield { start: at, end: at + operator.length, text };
}

function* calls({ callee, start, end }, textOf) {
  if (callee.type !== 'MemberExpression' || callee.computed) return;
  const { name } = callee.property;
  if (Object.hasOwn(METHODS, name))
    yield { start: callee.property.start, end: callee.property.end, text: METHODS[name] };
  if (DROPPED.has(name)) yield { start, end, text: textOf(callee.object) };
}

/** `a?.b` becomes `a.b`, and `a?.[0]` becomes `a[0]`. */
function* required(node, source) {
  const object = node.object ?? node.callee;
  if (object === undefined) return;
  const start = source.indexOf('?.', object.end);
  yield { start, end: start + 2, text: node.object && !node.computed ? '.' : '' };
}

function* literals({ value, start, end, regex }) {
  if (typeof value === 'boolean') yield { start, end, text: String(!value) };
  if (typeof value === 'string') yield { start, end, text: value === '' ? "'mutant'" : "''" };
  if (typeof value !== 'number' || regex) return;
  yield { start, end, text: String(value + 1) };
  yield { start, end, text: value === 0 ? '-1' : String(value - 1) };
}
