/** Sessions that agents resume: what they would load of a file, and the file mended so that they load it all. */

import type { Safety } from '../../findings.js';
import { resumeOf } from '../../formats/claimed.js';
import { bytesOf, type Fault, type Line, linesOf, type Resume } from '../../formats/resume.js';
import { addAll } from '../../lists.js';
import { RESUME, RESUME_RULES } from '../../rules/resume-rules.js';
import { plural } from '../../text/words.js';

export interface SessionFinding {
  readonly rule: string;
  readonly line: number;
  readonly text: string;
  readonly fix: { readonly safety: Safety; readonly summary: string } | undefined;
}

export interface SessionReport {
  readonly agent: string;
  readonly findings: readonly SessionFinding[];
  /** How many messages the agent would load, and how many after everything is mended. */
  readonly loads: number;
  readonly of: number;
}

export interface Mended {
  readonly bytes: Buffer;
  /** How many faults are mended. */
  readonly fixed: number;
  /** What was cut out, to be kept in a file beside. */
  readonly cut: Buffer;
}

const wordsOf = (id: string) => RESUME_RULES.find((rule) => rule.id === id)!;
const ALL: ReadonlySet<Safety> = new Set(['safe', 'lossy', 'synthetic']);

/** Whether the beginning of a file is that of a session of an agent whose loader is known. */
export function isSession(head: Buffer): boolean {
  return resumeOf(linesOf(head)) !== undefined;
}

/** Undefined for a file that is no session of an agent whose loader is known. */
export function examineSession(bytes: Buffer, name: string): SessionReport | undefined {
  const lines = linesOf(bytes);
  const resume = resumeOf(lines);
  if (resume === undefined) return undefined;
  const { faults, before, after } = mend(lines, resume, name, () => true);
  const findings = faults.map((fault) => {
    const id = RESUME + fault.rule;
    const loads = before < after ? `; ${before} of ${plural(after, 'message')} would load` : '';
    return {
      rule: id,
      line: fault.line.at,
      text: fault.text + loads,
      fix: isMended(fault) ? wordsOf(id).fix : undefined,
    };
  });
  return { agent: resume.agent, findings, loads: before, of: after };
}

/** Undefined if nothing is to be mended. `applies`: whether a rule is on. */
export function mendSession(
  bytes: Buffer,
  name: string,
  allowed: ReadonlySet<Safety> = ALL,
  applies: (rule: string) => boolean = () => true,
): Mended | undefined {
  const lines = linesOf(bytes);
  const resume = resumeOf(lines);
  if (resume === undefined) return undefined;
  const isAllowed = (id: string) => allowed.has(wordsOf(id).fix.safety) && applies(id);
  const done = mend(lines, resume, name, isAllowed);
  const mended = done.lines === lines ? bytes : bytesOf(done.lines);
  return mended.equals(bytes) ? undefined : { bytes: mended, fixed: done.fixed, cut: Buffer.concat(done.cut) };
}

/** Mends what is found, and looks again: behind one fault there can be another. */
function mend(lines: readonly Line[], resume: Resume, name: string, isAllowed: (rule: string) => boolean) {
  const faults: Fault[] = [];
  const tries = new Map<string, number>(); // by places; 0 for those that are only told
  const cut: Buffer[] = [];
  const before = resume.load(lines, name);
  let now = lines;
  for (let loaded = before; ; loaded = resume.load(now, name)) {
    addAll(
      faults,
      loaded.faults.filter((fault) => !tries.has(placeOf(fault))),
    );
    for (const fault of loaded.faults) tries.set(placeOf(fault), tries.get(placeOf(fault)) ?? 0);
    const { mended, next } = applied(
      now,
      loaded.faults.filter((fault) => isAllowed(RESUME + fault.rule) && tries.get(placeOf(fault))! < TRIES),
    );
    if (mended.length === 0) {
      const left = new Set(loaded.faults.map(placeOf));
      const fixed = [...tries].filter(([place, count]) => count > 0 && !left.has(place)).length;
      return { lines: now, faults, cut, fixed, before: before.messages, after: loaded.messages };
    }
    for (const fault of mended) {
      tries.set(placeOf(fault), tries.get(placeOf(fault))! + 1);
      if (fault.cut !== undefined) cut.push(fault.cut, Buffer.from('\n'));
    }
    now = next;
  }
}

/** So often one place is mended: what is mended elsewhere can bring a fault back, but not without an end. */
const TRIES = 4;

function placeOf({ rule, line }: Fault): string {
  return `${rule} ${line.at}`;
}

/** Of faults that change the same line, the first is mended. */
function applied(lines: readonly Line[], faults: readonly Fault[]) {
  const changes = new Map<Line, readonly Line[]>();
  const mended = faults.filter(isMended).filter(({ mend: own }) => {
    if ([...own.keys()].some((line) => changes.has(line))) return false;
    for (const [line, by] of own) changes.set(line, by);
    return true;
  });
  return { mended, next: mended.length === 0 ? lines : lines.flatMap((line) => changes.get(line) ?? [line]) };
}

/** Whether its mend changes anything. */
function isMended(fault: Fault): fault is Fault & Required<Pick<Fault, 'mend'>> {
  const isSame = (line: Line, [by, ...more]: readonly Line[]) =>
    by !== undefined && more.length === 0 && by.lineBreak === line.lineBreak && by.bytes.equals(line.bytes);
  return [...(fault.mend ?? [])].some(([line, by]) => !isSame(line, by));
}
