// All mutants of a sample at once in the sources: each stands beside the code that it replaces, behind a question
// that answers yes for the mutant that is tried. Written as JavaScript into a folder, from which
// the tests load them in place of src/.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from 'rolldown/utils';
import { globSync } from 'tinyglobby';

export const CODE = 'mutants-code.tmp';

/** Every source, whether it has mutants or not: they then need no compiler in the process of the tests. */
export function writeSources(mutants) {
  rmSync(CODE, { recursive: true, force: true });
  const byFile = Map.groupBy?.(mutants, ({ file }) => file) ?? grouped(mutants);
  for (const file of globSync('src/**/*.ts')) {
    const { code, errors } = transformSync(file, instrumented(readFileSync(file, 'utf8'), byFile.get(file) ?? []));
    if (errors.length > 0) throw errors[0];
    const path = codeOf(file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
  }
}

/** The path of what is written for a source. */
export function codeOf(file) {
  return join(CODE, file.replace(/^src\//, '').replace(/\.ts$/, '.js'));
}

function grouped(mutants) {
  const byFile = new Map();
  for (const mutant of mutants) byFile.set(mutant.file, [...(byFile.get(mutant.file) ?? []), mutant]);
  return byFile;
}

function instrumented(source, mutants) {
  const places = new Map();
  for (const mutant of mutants) {
    const { start, end, kind } = mutant.place;
    const key = `${kind} ${start} ${end}`;
    if (!places.has(key)) places.set(key, { ...mutant.place, mutants: [] });
    places.get(key).mutants.push(mutant);
  }
  const outerFirst = [...places.values()].sort((x, y) => x.start - y.start || y.end - x.end);
  return printed({ source, places: outerFirst }, 0, source.length);
}

/** The text of a range, in which each place is a choice; the places within a place are those behind it in the list. */
function printed({ source, places }, start, end) {
  let text = '';
  let at = start;
  for (const [index, place] of places.entries()) {
    if (place.start < at || place.end > end) continue;
    const inner = { source, places: places.slice(index + 1) };
    text += source.slice(at, place.start) + choice(source, place, printed(inner, place.start, place.end));
    at = place.end;
  }
  return text + source.slice(at, end);
}

function choice(source, { start, end, kind, mutants }, original) {
  const textOf = (mutant) => source.slice(start, mutant.start) + mutant.text + source.slice(mutant.end, end);
  if (kind === 'expression') {
    const choices = mutants.map((mutant) => `__mutant(${mutant.id}) ? (${textOf(mutant)}) : `);
    return `(${choices.join('')}(${original}))`;
  }
  const choices = mutants.map((mutant) => `if (__mutant(${mutant.id})) ${textOf(mutant)} else `);
  return `{ ${choices.join('')}${original} }`;
}
