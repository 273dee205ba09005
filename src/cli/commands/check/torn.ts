/** Sessions that are spread over many files, some of which are no JSON. */
import { renameSync } from 'node:fs';
import { basename } from 'node:path';
import type { Check } from '../../../engine/check/check.js';
import type { Plan } from '../../../engine/check/plan.js';
import type { SessionFinding } from '../../../engine/check/sessions.js';
import { plural } from '../../../text/words.js';
import { type Input, shownName } from '../../files/input.js';
import { tornFiles } from '../../files/stored.js';
import { say } from '../../inputs/reading.js';
import type { Terminal } from '../../terminal/terminal.js';

/** An empty or cut file: https://github.com/anomalyco/opencode/issues/7607 */
const RULE = 'resume/line-torn';

export function tornFindings(input: Input): readonly SessionFinding[] {
  const fix = { safety: 'safe', summary: 'Move it aside, under the same name with `.torn` behind it.' } as const;
  return tornOf(input).map((path) => {
    const text = `${basename(path)} is not JSON: the agent does not open the session, 0 of its messages would load`;
    return { rule: RULE, line: 1, text, fix };
  });
}

/** Moves such files aside; how many. */
export function movedAside(
  input: Input,
  { check, plan }: { readonly check: Check; readonly plan: Plan },
  terminal: Terminal,
): number {
  const name = shownName(input.name);
  const torn = plan.at(name).severityOf(RULE) === undefined ? [] : tornOf(input);
  for (const path of torn) renameSync(path, `${path}.torn`);
  if (torn.length === 0) return 0;
  check.addSession(name, [], torn.length);
  say(terminal, `ctx-trim: ${name}: ${plural(torn.length, 'file')} moved aside, to ${torn[0]}.torn`);
  return torn.length;
}

function tornOf({ isStored, path }: Input): readonly string[] {
  return isStored === true && path !== undefined ? tornFiles(path) : [];
}
