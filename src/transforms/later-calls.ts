/** Which reads and edits of files later calls supersede. Calls are added from the last to the first. */
import { UNCHANGED } from '../formats/agent-tool.js';
import type { CallSite } from '../transcript/pairs.js';
import { joinTexts } from '../transcript/text.js';
import type { FileCall, Lines } from './file-calls.js';
import { ReadRanges } from './read-ranges.js';

interface LaterReads {
  /** The ranges asked for: the same range shows the same, wherever the tool cuts it off. */
  readonly requested: Set<string>;
  readonly shown: ReadRanges;
  /** Their results are not read until an earlier read asks for other lines. */
  uncounted: (readonly [CallSite, FileCall])[];
}

export class LaterCalls {
  private readonly edited = new Set<string>();
  private readonly reads = new Map<string, LaterReads>();

  /** `notes`: what stands for the content of a superseded read, which supersedes nothing itself. */
  constructor(private readonly notes: ReadonlySet<string>) {}

  add(call: CallSite, file: FileCall): void {
    if (file.does === 'edit') for (const path of file.paths) this.edited.add(path);
    else if (this.hasContent(call)) for (const path of file.paths) this.addRead(path, call, file);
  }

  /** Whether a call that is not added yet is superseded: for all of its files. */
  supersede(call: CallSite, file: FileCall): boolean {
    return file.paths.every(
      (path) => this.edited.has(path) || (file.does === 'read' && this.isReadAgain(path, call, file)),
    );
  }

  private addRead(path: string, call: CallSite, file: FileCall): void {
    const key = readKey(path, file);
    const reads = this.reads.get(key) ?? { requested: new Set(), shown: new ReadRanges(), uncounted: [] };
    this.reads.set(key, reads);
    reads.requested.add(askedKey(file.lines));
    if (file.paths.length === 1) reads.uncounted.push([call, file]);
  }

  private isReadAgain(path: string, call: CallSite, file: FileCall): boolean {
    const reads = this.reads.get(readKey(path, file));
    if (reads === undefined) return false;
    if (reads.requested.has(askedKey(file.lines))) return true;
    for (const [later, { lines }] of reads.uncounted) reads.shown.add(shownLines(later, lines));
    reads.uncounted = [];
    return file.paths.length === 1 && reads.shown.covers(shownLines(call, file.lines));
  }

  private hasContent({ results }: CallSite): boolean {
    const text = joinTexts(results[0]!.part.content);
    return !this.notes.has(text) && !text.slice(0, HEAD).includes(UNCHANGED);
  }
}

/** An agent says at the beginning of a result that the file is unchanged. */
const HEAD = 200;

function readKey(path: string, { manner }: FileCall): string {
  return `${path}\n${manner}`;
}

function askedKey({ start, end }: Lines): string {
  return `${start}-${end}`;
}

/** The lines that a result shows: tools cut off long files, so a read of a whole file may end before its end. */
function shownLines({ results }: CallSite, { start, end }: Lines): Lines {
  const text = joinTexts(results[0]!.part.content);
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return { start, end: Math.min(end, start + count) };
}
