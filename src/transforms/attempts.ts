/** Which calls are attempts at the same thing. */
import { canonicalValue } from '../json/canonical.js';
import { textOf } from '../transcript/text.js';
import type { CallPart } from '../transcript/types.js';
import { argumentsIn, type FileToolIndex, fileCallOf, fileToolsWith, toolArgument } from './file-calls.js';

/**
 * Tools that do unrelated things in a row, and the arguments that tell them apart; the first that is given counts.
 * Tools that act on files are told apart by their files. The names are those of the sources in file-tools.ts.
 */
const SUBJECTS: readonly (readonly [tools: readonly string[], args: readonly string[]])[] = [
  [
    ['Bash', 'bash', 'shell', 'shell_command', 'exec_command', 'local_shell', 'container.exec'],
    ['command', 'cmd'],
  ],
  [['execute_bash', 'execute_command', 'run_shell_command', 'run_in_terminal', 'terminal'], ['command']],
  [['exec', 'run', 'Shell'], ['command']],
  [['run_ipython', 'execute_ipython_cell'], ['code']],
  [
    ['WebFetch', 'webfetch', 'web_fetch'],
    ['url', 'prompt'],
  ],
];

/** A function to a key that calls share if one is another attempt at the other. `sameArgs`: `tool=argument`. */
export function attemptKeys(sameArgs: readonly string[], folder: string | undefined): (part: CallPart) => string {
  const added = sameArgs.map(toolArgument);
  const files: FileToolIndex = fileToolsWith({ reads: [], edits: [] });
  const subjects = new Map(SUBJECTS.flatMap(([tools, args]) => tools.map((tool) => [tool, args] as const)));
  for (const { tool } of added) {
    const own = added.filter((one) => one.tool === tool).map(({ argument }) => argument);
    subjects.set(tool, own);
  }
  const named = new Set(added.map(({ tool }) => tool));
  return (part) => {
    const file = named.has(part.tool) ? undefined : fileCallOf(part, files, folder);
    if (file !== undefined) return [part.tool, file.does, ...file.paths].join('\n');
    const args = argumentsIn(textOf(part.input));
    const subject = subjects.get(part.tool)?.find((name) => args[name] !== undefined);
    return subject === undefined ? part.tool : `${part.tool}\n${canonicalValue(args[subject])}`;
  };
}
