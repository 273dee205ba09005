/** Which calls are attempts at the same thing. */
import { AGENT_TOOLS } from '../formats/agent-tools.js';
import { canonicalValue } from '../json/canonical.js';
import { textOf } from '../transcript/text.js';
import type { CallPart } from '../transcript/types.js';
import { argumentsIn, type FileToolIndex, fileCallOf, fileToolsWith, toolArgument } from './file-calls.js';

const RUNS = AGENT_TOOLS.flatMap(({ runs = [] }) => runs);

/** A function to a key that calls share if one is another attempt at the other. `sameArgs`: `tool=argument`. */
export function attemptKeys(sameArgs: readonly string[], folder: string | undefined): (part: CallPart) => string {
  const added = sameArgs.map(toolArgument);
  const files: FileToolIndex = fileToolsWith({ reads: [], edits: [] });
  const subjects = new Map<string, readonly string[]>(
    RUNS.flatMap(([tools, args]) => tools.map((tool) => [tool, args] as const)),
  );
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
