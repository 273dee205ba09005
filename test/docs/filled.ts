/**
 * A page with its generated parts: the output of each command in a `console` block, the output of each `js` block
 * that a `text` block follows, and the regions between `<!-- name … -->` and `<!-- /name -->`.
 */
import { spawnSync } from 'node:child_process';
import { formats } from '../../src/formats/index.js';
import { outputOf } from './output.js';
import { regions } from './regions.js';

const CONSOLE = /(```console\n\$ )((?:[^\n]*\\\n)*[^\n]+)(\n)[\s\S]*?(```)/g;
const PROGRAM = /(```js\n)([\s\S]*?)(```\n\n```text\n)[\s\S]*?(```)/g;
const REGION = /(<!-- ([a-z-]+)(?:\s([\s\S]*?))?\s-->\n)[\s\S]*?(<!-- \/\2 -->)/g;

export function filled(page: string): string {
  const withOutputs = page
    .replace(/\[\d+ formats\]/g, `[${formats.length} formats]`)
    .replace(REGION, (_, open: string, name: string, argument: string | undefined, close: string) => {
      const region = regions[name];
      if (region === undefined) throw new Error(`there is no region ${name}`);
      return `${open}${region(argument ?? '')}${close}`;
    })
    .replace(CONSOLE, (_, open: string, line: string, end: string, close: string) =>
      [open, line, end, outputOf(line), close].join(''),
    );
  const printed = printedBy([...withOutputs.matchAll(PROGRAM)].map(([, , code]) => code!));
  return withOutputs.replace(PROGRAM, (_, open: string, code: string, between: string, close: string) =>
    [open, code, between, printed.shift(), close].join(''),
  );
}

/** What modules print that import the package by its name, each by itself, but in one process. Throws if one fails. */
function printedBy(modules: readonly string[]): string[] {
  if (modules.length === 0) return [];
  const functions = modules.map((code) => {
    const body = code.replaceAll(/^import (\{[^}]*\}) from ('[^']+');$/gm, 'const $1 = await import($2);');
    return `await (async () => {\n${body}})();\nconsole.log(${JSON.stringify(END)});\n`;
  });
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module'], {
    encoding: 'utf8',
    input: functions.join(''),
    env: { PATH: process.env['PATH'], NO_COLOR: '1' },
  });
  if (status !== 0) throw new Error(`${modules.join('\n')}\n${stderr}`);
  return stdout.split(`${END}\n`).slice(0, -1);
}
const END = '\0';
