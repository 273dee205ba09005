/** Files whose names are options, as a shell or a hook hands them over: they steer nothing. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runIn } from '../../src/cli/cli.js';
import { memoryTerminal } from '../shared/terminal.js';

const GOOD = '[{"role":"user","content":"hi"}]';
const NAMES = ['--plugin=evil.mjs', '--config=evil.json', '-w', '--output=a.json'];
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-trim-names-'));
  for (const name of [...NAMES, 'a.json']) writeFileSync(join(folder, name), GOOD);
  writeFileSync(join(folder, 'evil.json'), '{"defaults": {"plugin": ["./evil.mjs"]}}');
  writeFileSync(
    join(folder, 'evil.mjs'),
    `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(join(folder, 'RAN'))}, '');`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each(NAMES)('%s', async (name) => {
  const ran = async (...words: string[]) => {
    const { terminal, err } = memoryTerminal({ cwd: folder });
    return { code: await runIn(terminal, words), said: err() };
  };
  const refused = await ran('check', '--quiet', 'a.json', name);
  expect(refused.code).toBe(2);
  expect(refused.said).toContain('is an option, and the name of a file here');
  expect((await ran('check', '--quiet', '--', 'a.json', name)).code).toBe(0);
  expect((await ran('check', '--quiet', 'a.json', `./${name}`)).code).toBe(0);
  expect(existsSync(join(folder, 'RAN'))).toBe(false);
});
