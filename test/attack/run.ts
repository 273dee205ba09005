/** Runs the program in this process, in a folder of its own, and tells all that it did. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runIn } from '../../src/cli/cli.js';
import type { Terminal } from '../../src/cli/terminal/terminal.js';
import { FILE, OTHER_FILE } from './command-lines.js';

export interface Ran {
  readonly code: number;
  readonly stdout: Buffer;
  /** What of stdout is no rewritten data. */
  readonly told: string;
  readonly stderr: string;
  /** The files in the folder afterwards. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Whether stderr and stdout were terminals. */
  readonly terminal: boolean;
}

const BESIDE: Readonly<Record<string, Buffer | string>> = {
  [OTHER_FILE]: readFileSync('fixtures/formats/openai-chat/hand-calls.json'),
  'policy.yaml': readFileSync('fixtures/policies/airline.yaml'),
  'generator.mjs': "export default (tool, id) => tool + ' ' + id + ' was cancelled';\n",
  'config.json': '{"pipelines": {"short": ["patch", "filter:max-tool-calls=1"]}}',
};

const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-attack-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

export async function run(words: readonly string[], input: Buffer, isTerminal = false): Promise<Ran> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(join(folder, FILE), input);
  for (const [name, content] of Object.entries(BESIDE)) writeFileSync(join(folder, name), content);
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  const told: Buffer[] = [];
  const stream = (pieces: Buffer[], texts: Buffer[]) => ({
    isTerminal,
    columns: 80,
    write: (text: string) => {
      pieces.push(Buffer.from(text));
      texts.push(Buffer.from(text));
    },
    data: (bytes: Uint8Array) => void pieces.push(Buffer.from(bytes)),
  });
  const terminal: Terminal = {
    env: { HOME: folder },
    cwd: folder,
    stdin: (buffer, at) => buffer.copy(buffer, at, 0, 0),
    stdinIsTerminal: false,
    stdout: stream(out, told),
    stderr: stream(err, []),
  };
  const code = await runIn(terminal, words);
  const files = new Map(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(join(folder, name))]),
  );
  return {
    code,
    stdout: Buffer.concat(out),
    told: Buffer.concat(told).toString(),
    stderr: Buffer.concat(err).toString(),
    files,
    terminal: isTerminal,
  };
}
