/** What an adapter adds to the bundle of a program, and what it loads. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { afterAll, describe, expect, it } from 'vitest';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ctx-trim-bundle-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

mkdirSync(join(folder, 'node_modules'));
symlinkSync(resolve('.'), join(folder, 'node_modules/ctx-trim'), 'junction');
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');

describe.each(readdirSync('src/adapters').map((file) => file.replace(/\.ts$/, '')))('%s', (name) => {
  it('adds at most 60 KB compressed, and loads no tokenizer, prices or rules until a step or check needs them', async () => {
    const input = join(folder, `${name}.js`);
    writeFileSync(input, `import { trim } from 'ctx-trim/${name}';\nexport const hooks = trim(['patch']);\n`);
    const bundle = await rolldown({ input, platform: 'node', external: /^@langchain/ });
    const { output } = await bundle.generate({ format: 'esm', minify: true });
    await bundle.close();
    const [entry] = output;
    expect(gzipSync(entry.code).length).toBeLessThan(60_000);
    const others = output.filter((chunk) => chunk !== entry).map(({ fileName }) => fileName);
    expect(entry.imports.filter((path) => !others.includes(path))).toEqual([]); // no modules of Node
    const loaded = entry.imports.flatMap((path) => output.filter(({ fileName }) => fileName === path));
    expect(loaded).toEqual([]);
  });
});
