/** The README is printed from code: what it shows is what the program says. `UPDATE=1` writes it anew. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { loadCommands } from '../../src/commands/registry.js';
import { formats } from '../../src/formats/index.js';

const commands = await loadCommands();

const written = readFileSync('README.md', 'utf8');
const bin = mkdtempSync(join(tmpdir(), 'ctx-trim-bin-'));
symlinkSync(resolve('bin/ctx-trim.js'), join(bin, 'ctx-trim'));
afterAll(() => rmSync(bin, { recursive: true }));

const tables: Readonly<Record<string, string>> = {
  formats: table(
    ['format', 'what'],
    formats.map(({ id, title }) => [`\`${id}\``, title]),
  ),
  commands: table(
    ['command', 'what it does'],
    commands.map(({ id, summary }) => [`\`${id}\``, summary]),
  ),
};

it('shows what the program prints', () => {
  let text = written;
  for (const [name, content] of Object.entries(tables))
    text = text.replace(
      new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`),
      (_, open: string, close: string) => open + content + close,
    );
  text = text.replace(
    /(```console\n)(\$ [^\n]+\n)[\s\S]*?(```)/g,
    (_, open: string, line: string, close: string) => open + line + output(line.slice(2)) + close,
  );
  if (process.env['UPDATE']) writeFileSync('README.md', text);
  else expect(text).toBe(written);
});

it('names only paths that exist and scripts that there are', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  for (const [, name] of written.matchAll(/npm run (\w+)/g)) expect(scripts).toHaveProperty(name!);
  const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' });
  for (const [path] of written.matchAll(/fixtures\/[\w./-]+\w/g)) expect(tracked).toContain(path);
});

function output(line: string): string {
  const { stdout, stderr } = spawnSync('sh', ['-c', `${line} 2>&1`], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${bin}:${process.env['PATH']}`, COLUMNS: '80', NO_COLOR: '1', FORCE_COLOR: '' },
  });
  return stdout + stderr;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return line(head) + line(head.map(() => '---')) + rows.map(line).join('');
}
