// Loads a chunk of the program when a function first needs one of its names, not when a chunk that imports it loads:
// what no function of a run asks for is never compiled. Without this a chunk brings all chunks that it imports.
import { parseAst } from 'rolldown/parseAst';

/** How rolldown imports another chunk, and exports a name, before it minifies. */
const IMPORT = /^const (require_\w+) = (require\("(?:\.\.?\/)*([^"]+\.cjs)"\));$/gm;
const EXPORT =
  /Object\.defineProperty\(exports, ['"]([^'"]+)['"], {\s+enumerable: true,\s+get: [^{]+{\s+return ([\w$]+);[\s}]+\);/g;

/** `always`: files that every run loads; they are imported as usual. */
export function lazyChunks(always) {
  const exports = new Map(); // by file and key
  const stubs = []; // what stands for a function of another chunk
  return {
    name: 'lazy-chunks',
    renderChunk(code, { fileName }, _, { chunks, magicString }) {
      const exported = [...code.matchAll(EXPORT)];
      const entry = ([, key, name]) => [key, { name, isFunction: isFunction(name, code) }];
      exports.set(fileName, new Map(exported.map(entry)));
      const files = new Map();
      for (const [line, name, required, file] of code.matchAll(IMPORT)) {
        if (always.includes(file)) continue;
        files.set(name, file);
        magicString.replace(line, `let ${name}_; const ${name} = () => ${name}_ ??= ${required};`);
      }
      for (const { chunk, name, start, end, isInside, isCalled } of usesOf(files, code)) {
        const value = `${chunk}().${name}`;
        const isStub = !isInside && reaches(files.get(chunk), fileName, chunks);
        if (isStub) stubs.push({ file: files.get(chunk), name, fileName, isCalled });
        magicString.update(start, end, isStub ? `((...given) => ${value}(...given))` : value);
      }
      for (const [whole, key, name] of exported)
        if (isFixed(name, code)) magicString.replace(whole, `exports.${key} = ${name};`);
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

function isFunction(name, code) {
  return new RegExp(`^(?:async )?function\\*? ${literal(name)}\\(`, 'm').test(code);
}

/** A getter is for a name that changes; others are made and read faster as values. */
function isFixed(name, code) {
  return isFunction(name, code) || new RegExp(`^(?:const|var) ${literal(name)} =`, 'm').test(code);
}

const literal = (name) => name.replaceAll('$', '\\$');

/** Whether a chunk imports another one, itself or by others: neither can be whole while the other one loads. */
function reaches(from, to, chunks, seen = new Set()) {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return (chunks[from]?.imports ?? []).some((next) => reaches(next, to, chunks, seen));
}

/** Each `require_chunk.name`; whether it stands in a function, which runs later; whether it is called. */
function usesOf(files, code) {
  const uses = [];
  const visit = (node, isInside, parent) => {
    if (node.type === 'MemberExpression' && files.has(node.object.name)) {
      const { object, property, start, end } = node;
      const isCalled = parent.callee === node || parent.tag === node;
      uses.push({ chunk: object.name, name: property.name, start, end, isInside, isCalled });
    }
    const isDeeper = isInside || /Function/.test(node.type ?? '');
    for (const child of Object.values(node))
      if (child !== null && typeof child === 'object') visit(child, isDeeper, Array.isArray(node) ? parent : node);
  };
  if (files.size > 0) visit(parseAst(code, { lang: 'js' }), false);
  return uses;
}
