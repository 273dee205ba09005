/** What an adapter adds to the bundle of a program, and what it loads. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { afterAll, describe, expect, it } from 'vitest';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ctx-trim-bundle-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

mkdirSync(join(folder, 'node_modules'));
symlinkSync(resolve('.'), join(folder, 'node_modules/ctx-trim'), 'junction');
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');

describe.each(readdirSync('src/adapters').map((file) => file.replace(/\.ts$/, '')))('%s', (name) => {
  it('adds at most 120 KB, 42 KB compressed, and loads what is for messages only with them', async () => {
    const input = join(folder, `${name}.js`);
    writeFileSync(input, `import { trim } from 'ctx-trim/${name}';\nexport const hooks = trim(['patch']);\n`);
    const bundle = await rolldown({ input, platform: 'browser', external: /^@langchain/ });
    const { output } = await bundle.generate({ format: 'esm', minify: true });
    await bundle.close();
    const chunks = new Map(output.flatMap((chunk) => (chunk.type === 'chunk' ? [[chunk.fileName, chunk]] : [])));
    const loaded = new Set([output[0].fileName]);
    for (const file of loaded) for (const path of chunks.get(file)?.imports ?? []) loaded.add(path);
    expect([...loaded].filter((path) => !chunks.has(path))).toEqual([]); // no modules of Node, no package
    const codes = [...loaded].map((path) => chunks.get(path)!.code);
    expect(codes.join('').length).toBeLessThan(120_000);
    expect(codes.reduce((sum, code) => sum + gzipSync(code).length, 0)).toBeLessThan(42_000);
    const modules = [...loaded].flatMap((path) => chunks.get(path)!.moduleIds).map((id) => basename(id));
    expect(modules.filter((id) => /check|context|judge|price|transforms/.test(id))).toEqual([]);
  });
});
