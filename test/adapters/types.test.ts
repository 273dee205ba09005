/** The sketches of docs/in-your-agent.md compile with the real packages, with `exactOptionalPropertyTypes`, too. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildTypes } from '../shared/build.js';
import { ALL } from '../shared/effort.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ctx-trim-adapters-')));

/**
 * The sketches of a program, and by the packages that it imports the installed ones. Only our types for the AI SDK
 * import those of a framework: there, declarations are checked too, with each version if `LAWS=all`.
 */
const PROGRAMS: readonly (readonly [adapters: readonly string[], packages: Readonly<Record<string, string>>])[] = [
  [['ai-sdk'], { ai: 'ai-5' }],
  [['ai-sdk'], { ai: 'ai' }],
  [['ai-sdk'], { ai: 'ai-7' }],
  [
    [
      ...['langchain', 'openai-agents', 'anthropic', 'openai'],
      ...['mastra', 'claude-agent-sdk', 'pi', 'opencode'], // these sketches need no package
    ],
    {
      langchain: 'langchain',
      '@langchain/core': '@langchain/core',
      '@openai/agents-core': '@openai/agents-core',
      '@anthropic-ai/sdk': '@anthropic-ai/sdk',
      openai: 'openai',
    },
  ],
];

/** What the Claude Agent SDK wants of hooks. */
const HOOKS = `import { guard } from 'ctx-trim/claude-agent-sdk';
type Hook = (input: { session_id: string }) => Promise<{ hookSpecificOutput?: { hookEventName: 'PreToolUse' } }>;
export const hooks: Partial<Record<string, { hooks: Hook[] }[]>> = guard({ version: 1, rules: [] }).hooks;
`;

beforeAll(() => {
  buildTypes();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each(PROGRAMS)('%o compile with %o', (adapters, packages) => {
  const program = join(folder, adapters[0]! + Object.values(packages)[0]!);
  mkdirSync(join(program, 'node_modules/ctx-trim'), { recursive: true });
  cpSync('package.json', join(program, 'node_modules/ctx-trim/package.json'));
  cpSync('dist', join(program, 'node_modules/ctx-trim/dist'), {
    recursive: true,
    filter: (path) => !/\.(cjs|map|bin)$/.test(path),
  });
  for (const [name, installed] of Object.entries(packages)) link(installed, join(program, 'node_modules', name));
  for (const adapter of adapters) writeFileSync(join(program, `${adapter}.ts`), sketchOf(adapter));
  writeFileSync(join(program, 'package.json'), '{ "type": "module" }');
  const skipLibCheck = !adapters.includes('ai-sdk') || !(ALL || packages['ai'] === 'ai'); // it takes most of the time
  const compilerOptions = {
    ...{ strict: true, skipLibCheck, skipDefaultLibCheck: true, noEmit: true },
    exactOptionalPropertyTypes: skipLibCheck, // declarations of AI SDK 6 do not compile with it
    ...{ module: 'nodenext', types: ['node'] },
  };
  link('@types/node', join(program, 'node_modules/@types/node'));
  if (adapters.includes('claude-agent-sdk')) writeFileSync(join(program, 'hooks.ts'), HOOKS);
  const files = readdirSync(program).filter((name) => name.endsWith('.ts'));
  writeFileSync(join(program, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const { stdout } = spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', '.'], {
    cwd: program,
    encoding: 'utf8',
  });
  const errors = stdout.split('\n').filter((line) => /^\S+\(\d+,\d+\): error/.test(line));
  // the frameworks' own declarations do not all compile: only ours have to
  expect(errors.filter((line) => !line.startsWith('node_modules/') || line.includes('ctx-trim'))).toEqual([]);
});

/** The sketch in the documentation that imports the adapter. */
function sketchOf(adapter: string): string {
  const sketches = [...readFileSync('docs/in-your-agent.md', 'utf8').matchAll(/```ts\n(.*?)```/gs)];
  return sketches.map(([, code]) => code!).find((code) => code.includes(`'ctx-trim/${adapter}'`))!;
}

function link(name: string, path: string): void {
  const places = [join('test/adapters/node_modules', name), join('node_modules', name)];
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(resolve(places.find((place) => existsSync(place))!), path, 'junction');
}
