// Writes the licenses of everything that is bundled, or that files of the package are made of, as they ask.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { sep } from 'node:path';

/** OpenAI's vocabularies are under the license of its repository: https://github.com/openai/tiktoken/issues/92 */
const VOCABULARIES = `tiktoken's vocabularies (dist/tables: o200k_base, cl100k_base), MIT
https://github.com/openai/tiktoken

${readFileSync('src/tokens/bpe/LICENSE', 'utf8').trim()}
`;
const RULE = `\n${'-'.repeat(80)}\n\n`;

/** `modules`: the paths of all modules that were bundled. */
export function writeLicenses(modules, file) {
  const folders = modules.flatMap(
    (path) => path.replaceAll(sep, '/').match(/.*\/node_modules\/(?:@[^/]+\/)?[^/]+/) ?? [],
  );
  const texts = [...new Set(folders)].sort().map(licenseIn);
  writeFileSync(file, [...texts, VOCABULARIES].join(RULE));
}

function licenseIn(folder) {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no license file`);
  return `${name} ${version}, ${license}\n\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`;
}
