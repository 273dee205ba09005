// Loads a chunk of the program when a function first needs one of its names, not when a chunk that imports it loads:
// what no function of a run asks for is never compiled. Without this a chunk brings all chunks that it imports.
import { basename } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/** `always`: files that every run loads; they are imported as usual. */
export function lazyChunks(always) {
  const exports = new Map(); // by file and key
  const stubs = []; // what stands for a function of another chunk
  return {
    name: 'lazy-chunks',
    renderChunk(code, { fileName }, _, { chunks, magicString }) {
      const { body } = parseAst(code, { lang: 'js' });
      const names = declaredIn(body);
      const exported = body.map(exportIn).filter((one) => one !== undefined);
      const kindOf = ({ key, name }) => [key, { name, isFunction: names.get(name) === 'function' }];
      exports.set(fileName, new Map(exported.map(kindOf)));
      const imported = body.map(importIn).filter((one) => one !== undefined && !always.includes(one.file));
      for (const { node, name, source } of imported) {
        const required = code.slice(source.start, source.end);
        magicString.update(node.start, node.end, `let ${name}_; const ${name} = () => ${name}_ ??= ${required};`);
      }
      const files = new Map(imported.map(({ name, file }) => [name, file]));
      for (const { chunk, name, start, end, isInside, isCalled, isMade } of usesOf(files, body)) {
        const value = isMade ? `(${chunk}().${name})` : `${chunk}().${name}`; // `new chunk().name()` calls the chunk
        const isStub = !isInside && reaches(files.get(chunk), fileName, chunks);
        if (isStub) stubs.push({ file: files.get(chunk), name, fileName, isCalled });
        magicString.update(start, end, isStub ? `((...given) => ${value}(...given))` : value);
      }
      // a getter is for a name that changes; others are made and read faster as values
      for (const { node, key, name } of exported)
        if (FIXED.has(names.get(name))) magicString.update(node.start, node.end, `exports.${key} = ${name};`);
      return magicString;
    },
    /** A stub can be handed on, and called later. */
    generateBundle() {
      const wrong = stubs.filter(({ file, name, isCalled }) => isCalled || !exports.get(file).get(name).isFunction);
      const places = wrong.map(({ file, name, fileName }) => `${exports.get(file).get(name).name} in ${fileName}`);
      if (wrong.length > 0) throw new Error(`needed while chunks load that need each other (chunks.mjs): ${places}`);
    },
  };
}

const FIXED = new Set(['function', 'const', 'var']);

/** By the names that a chunk declares: `function`, `class`, `const`, `var` or `let`. */
function declaredIn(body) {
  return new Map(
    body.flatMap((node) => {
      if (node.type === 'FunctionDeclaration') return [[node.id.name, 'function']];
      if (node.type === 'ClassDeclaration') return [[node.id.name, 'class']];
      if (node.type !== 'VariableDeclaration') return [];
      return node.declarations.map(({ id }) => [id.name, node.kind]);
    }),
  );
}

/** `const require_x = require("./x.cjs");` of another chunk. */
function importIn(node) {
  const { id, init } = (node.type === 'VariableDeclaration' && node.declarations[0]) || {};
  const path = init?.type === 'CallExpression' && init.callee.name === 'require' ? init.arguments[0].value : undefined;
  if (path === undefined || !path.startsWith('.') || id.type !== 'Identifier') return undefined;
  return { node, name: id.name, source: init, file: basename(path) };
}

/** `Object.defineProperty(exports, "key", { get: function () { return name; } });` */
function exportIn(node) {
  const { callee, arguments: given = [] } = node.expression ?? {};
  if (callee?.property?.name !== 'defineProperty' || given[0]?.name !== 'exports') return undefined;
  const getter = given[2].properties.find(({ key }) => key.name === 'get');
  const name = getter?.value.body.body[0]?.argument?.name;
  return name === undefined ? undefined : { node, key: given[1].value, name };
}

/** Whether a chunk imports another one, itself or by others: neither can be whole while the other one loads. */
function reaches(from, to, chunks, seen = new Set()) {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return (chunks[from]?.imports ?? []).some((next) => reaches(next, to, chunks, seen));
}

/** Each `require_chunk.name`; whether it stands in a function, which runs later; whether it is called. */
function usesOf(files, body) {
  const uses = [];
  const visit = (node, isInside, parent) => {
    if (node.type === 'MemberExpression' && files.has(node.object.name)) {
      const { object, property, start, end } = node;
      const isCalled = parent.callee === node || parent.tag === node;
      const isMade = parent.type === 'NewExpression' && parent.callee === node;
      uses.push({ chunk: object.name, name: property.name, start, end, isInside, isCalled, isMade });
    }
    const isDeeper = isInside || node.type?.includes('Function');
    for (const child of Object.values(node))
      if (child !== null && typeof child === 'object') visit(child, isDeeper, Array.isArray(node) ? parent : node);
  };
  if (files.size > 0) visit({ body }, false);
  return uses;
}
