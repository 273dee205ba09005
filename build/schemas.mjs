// Writes the JSON Schema of every document that `--format json` prints.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

export async function writeSchemas(dir) {
  const file = resolve(`schemas.${process.pid}.tmp/documents.mjs`);
  const bundled = await rolldown({ input: 'src/documents/schemas/index.ts', platform: 'node' });
  try {
    await bundled.write({ file, format: 'esm' });
    const { documents, jsonSchemaOf } = await import(pathToFileURL(file).href);
    mkdirSync(dir, { recursive: true });
    for (const name of Object.keys(documents))
      writeFileSync(`${dir}/${name}.schema.json`, JSON.stringify(jsonSchemaOf(name)));
    for (const path of readdirSync(dir).map((name) => join(dir, name)))
      writeFileSync(path, `${JSON.stringify(JSON.parse(readFileSync(path, 'utf8')))}\n`); // few bytes in the package
  } finally {
    await bundled.close();
    rmSync(`schemas.${process.pid}.tmp`, { recursive: true, force: true });
  }
}
