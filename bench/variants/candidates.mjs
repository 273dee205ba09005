// Changes of the values in small fixtures, at random but the same for the same seed.
import { readdirSync, readFileSync } from 'node:fs';
import { CHANGES, LARGEST, placesOf } from '../../test/shared/variants.ts';

const SOURCES = 'src/formats';
/** Characters of a value that is put in another's place. */
const LONGEST = 300;
const NAMES = Object.keys(CHANGES);

const sources = filesIn(SOURCES).map((file) => [file, readFileSync(`${SOURCES}/${file}`, 'utf8')]);
const shared = wordsIn('shared');

/** Recordings of so many bytes at most, by their paths in a folder whose folders have the names of formats. */
export function textsIn(folder, largest = LARGEST) {
  const files = filesIn(folder)
    .filter((file) => !/\.(eval|yaml)$/.test(file))
    .map((file) => [file, readFileSync(`${folder}/${file}`)])
    .filter(([, bytes]) => bytes.length <= largest)
    .map(([file, bytes]) => [file, bytes.toString()]);
  const texts = new Map(files.filter(([, text]) => placesOf(text).length > 0));
  if (texts.size === 0) throw new Error(`${folder} has no recording of ${largest} bytes or less`);
  return texts;
}

export function candidatesOf(each, seed, texts) {
  const random = randomFrom(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  return [...texts].flatMap(([file, text]) => {
    const places = placesOf(text);
    const values = places.map(({ line, path }) => path.reduce((value, key) => value[key], rowOf(text, line)));
    const own = wordsIn(folderOf(file.split('/')[0]));
    const word = () => pick(own.length > 0 && random() < 0.75 ? own : shared);
    const another = () => {
      const value = pick(values);
      return JSON.stringify(value).length > LONGEST ? null : value;
    };
    const changeOf = (value) => {
      if (random() < 0.3) return pick(NAMES);
      if (typeof value === 'string') return { is: random() < 0.8 ? word() : another() };
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return { is: pick([null, true, false, -1, 1e15, 0.5, '', [], {}, another()]) };
      const added = pick([true, 0, 1_700_000_000, 'text', word(), null, [], {}, another(), another(), [another()]]);
      return { has: word(), value: added };
    };
    return Array.from({ length: each }, () => {
      const at = Math.floor(random() * places.length);
      return { file, ...places[at], change: changeOf(values[at]) };
    });
  });
}

function rowOf(text, line) {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(text.split('\n')[line]);
  }
}

/** Where the format with this id is. */
function folderOf(format) {
  const [file = format] = sources.find(([, text]) => text.includes(`id: '${format}'`)) ?? [];
  return file.split('/')[0];
}

/** What the code of a folder may ask of a recording: names of members, and values that are one word. */
function wordsIn(folder) {
  const code = sources.filter(([file]) => file.startsWith(`${folder}/`)).map(([, text]) => text);
  const bare = code.join('\n').replaceAll(/^import.*$|\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  return [...new Set(Array.from(bare.matchAll(/'([\w.:/-]{2,40})'/g), ([, word]) => word))];
}

function filesIn(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => `${parentPath}/${name}`.slice(folder.length + 1)).sort();
}

/** Numbers from 0 up to 1: https://en.wikipedia.org/wiki/Linear_congruential_generator (glibc's factors) */
export function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}
