/** Which reads and edits of files later calls supersede. Calls are added from the last to the first. */
import { UNCHANGED } from '../formats/agent-tool.js';
import { greatest } from '../lists.js';
import type { CallSite } from '../transcript/pairs.js';
import { joinTexts } from '../transcript/text.js';
import type { FileCall, Lines } from './file-calls.js';
import { ReadRanges } from './read-ranges.js';

interface LaterReads {
  /** The ranges asked for, since when: the same range shows the same, wherever the tool cuts it off. */
  readonly requested: Map<string, number>;
  readonly shown: ReadRanges;
  /** Their results are not read until an earlier read asks for other lines. */
  uncounted: (readonly [CallSite, FileCall, since: number])[];
  /** The latest first. */
  readonly counted: (readonly [Lines, since: number])[];
}

export class LaterCalls {
  private readonly edited = new Map<string, number>(); // since when
  private readonly reads = new Map<string, LaterReads>();

  /**
   * `notes`: what stands for the content of a superseded read, which supersedes nothing itself. `isExact`: whether it
   * matters since when.
   */
  constructor(
    private readonly notes: ReadonlySet<string>,
    private readonly isExact: boolean,
  ) {}

  /** `since`: the message since which it supersedes others. */
  add(call: CallSite, file: FileCall, since: number): void {
    if (file.does === 'edit') for (const path of file.paths) setLeast(this.edited, path, since);
    else if (this.hasContent(call)) for (const path of file.paths) this.addRead(path, call, file, since);
  }

  /** The message since which a call that is not added yet is superseded for all of its files; undefined if never. */
  since(call: CallSite, file: FileCall): number | undefined {
    const moments = file.paths.map((path) => {
      const read = file.does === 'read' ? this.readAgain(path, call, file) : NEVER;
      return Math.min(this.edited.get(path) ?? NEVER, read);
    });
    const last = greatest(moments);
    return last < NEVER ? last : undefined;
  }

  private addRead(path: string, call: CallSite, file: FileCall, since: number): void {
    const key = readKey(path, file);
    const reads: LaterReads = this.reads.get(key) ?? {
      requested: new Map(),
      shown: new ReadRanges(),
      uncounted: [],
      counted: [],
    };
    this.reads.set(key, reads);
    setLeast(reads.requested, requestKey(file.lines), since);
    if (file.paths.length === 1) reads.uncounted.push([call, file, since]);
  }

  private readAgain(path: string, call: CallSite, file: FileCall): number {
    const reads = this.reads.get(readKey(path, file));
    if (reads === undefined) return NEVER;
    const requestedAt = reads.requested.get(requestKey(file.lines)) ?? NEVER;
    if ((requestedAt < NEVER && !this.isExact) || file.paths.length > 1) return requestedAt;
    for (const [later, read, since] of reads.uncounted) {
      const lines = shownLines(later, read);
      if (lines === undefined) continue;
      reads.shown.add(lines);
      reads.counted.splice(reads.counted.findLastIndex(([, other]) => other >= since) + 1, 0, [lines, since]);
    }
    reads.uncounted = [];
    const shown = shownLines(call, file) ?? file.lines;
    return reads.shown.covers(shown) ? Math.min(requestedAt, this.coveredSince(reads, shown)) : requestedAt;
  }

  /** Later reads may show the lines together. */
  private coveredSince({ counted }: LaterReads, lines: Lines): number {
    if (!this.isExact) return 0;
    const shown = new ReadRanges();
    for (let at = counted.length - 1; at > 0; at--) {
      shown.add(counted[at]![0]);
      if (shown.covers(lines)) return counted[at]![1];
    }
    return counted[0]![1];
  }

  private hasContent({ results }: CallSite): boolean {
    const text = joinTexts(results[0]!.part.content);
    return !this.notes.has(text) && !text.slice(0, HEAD).includes(UNCHANGED);
  }
}

const NEVER = Number.POSITIVE_INFINITY;

function setLeast(map: Map<string, number>, key: string, value: number): void {
  map.set(key, Math.min(map.get(key) ?? NEVER, value));
}

/** An agent says at the beginning of a result that the file is unchanged. */
const HEAD = 200;

function readKey(path: string, { manner }: FileCall): string {
  return `${path}\n${manner}`;
}

function requestKey({ start, end }: Lines): string {
  return `${start}-${end}`;
}

/**
 * The lines that a result shows: tools cut off long files, so a read of a whole file may end before its end. Undefined
 * if a shell's output lacks lines in its middle.
 */
function shownLines({ results }: CallSite, { lines: { start, end }, output }: FileCall): Lines | undefined {
  const result = joinTexts(results[0]!.part.content);
  const text = output === undefined ? result : output(result);
  if (output !== undefined && CUT.test(text)) return undefined;
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return { start, end: Math.min(end, start + count) };
}

/** `…123 tokens truncated…` and `[... omitted 9 of 400 lines ...]` of Codex, `[123 lines truncated]` of Claude Code. */
const CUT = /(?:…|\.\.\.|\[)[^\n]{0,60}(?:truncated|omitted)/i;
