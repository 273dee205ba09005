// `npm run build`: makes dist/ from src/. The types are made by types.mjs.
import { execFileSync } from 'node:child_process';
import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { bundleLibrary, bundleProgram } from './bundle.mjs';
import { writeLicenses } from './licenses.mjs';
import { writeSchemas } from './schemas.mjs';
import { writeTables } from './tables.mjs';

/** Built aside and moved in one go: whoever runs the old build meanwhile keeps a whole one. */
const OUT = `dist.${process.pid}.tmp`;
const OLD = `dist.${process.pid}.old.tmp`;

try {
  const modules = await Promise.all([
    bundleProgram(`${OUT}/cli`),
    bundleLibrary(`${OUT}/lib`),
    writeTables(`${OUT}/tables`),
  ]);
  writeLicenses(modules.flat(), `${OUT}/LICENSES.txt`);
  cpSync('src/schema', `${OUT}/schema`, { recursive: true });
  await writeSchemas(`${OUT}/schema`);
  writeFileSync(`${OUT}/ctx-trim.1`, execFileSync(process.execPath, [`${OUT}/cli/cli.cjs`, 'completion', 'man']));
  replaceBuild();
} finally {
  for (const folder of [OUT, OLD]) rmSync(folder, { recursive: true, force: true });
}

function replaceBuild() {
  try {
    renameSync('dist', OLD);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error; // the first build
  }
  renameSync(OUT, 'dist');
}
