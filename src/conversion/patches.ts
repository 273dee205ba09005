/** Edits of one file as a patch in the format of `apply_patch`, and the other way round. */

/** What a patch does to its only file. */
export type PatchedFile =
  | { readonly path: string; readonly content: string }
  | { readonly path: string; readonly edits: readonly TextEdit[]; readonly places: readonly string[] };

export interface TextEdit {
  readonly old: string;
  readonly new: string;
}

const [BEGIN, END] = ['*** Begin Patch', '*** End Patch'];
const [ADD, UPDATE] = ['*** Add File: ', '*** Update File: '];

export function addingPatch(path: string, content: string): string {
  const lines = content.split('\n');
  if (lines.at(-1) === '') lines.pop(); // apply_patch ends each line
  return patchOf(ADD + path, added(lines));
}

export function updatingPatch(path: string, edits: readonly TextEdit[]): string {
  const hunks = edits.flatMap((edit) => ['@@', ...removed(edit.old.split('\n')), ...added(edit.new.split('\n'))]);
  return patchOf(UPDATE + path, hunks);
}

function patchOf(head: string, lines: readonly string[]): string {
  return [BEGIN, head, ...lines, END].join('\n');
}

function added(lines: readonly string[]): string[] {
  return lines.map((line) => `+${line}`);
}

function removed(lines: readonly string[]): string[] {
  return lines.map((line) => `-${line}`);
}

/** Undefined for a patch of several files, and for one that deletes, moves or says something else. */
export function patchedFile(patch: string): PatchedFile | undefined {
  const lines = patch.trim().split('\n');
  if (lines.shift() !== BEGIN || lines.pop() !== END) return undefined;
  const head = lines.shift() ?? '';
  if (lines.some((line) => line.startsWith('*** '))) return undefined;
  if (head.startsWith(ADD)) return addedFile(head.slice(ADD.length), lines);
  return head.startsWith(UPDATE) ? updatedFile(head.slice(UPDATE.length), lines) : undefined;
}

function addedFile(path: string, lines: readonly string[]): PatchedFile | undefined {
  if (!lines.every((line) => line.startsWith('+'))) return undefined;
  return { path, content: lines.map((line) => `${line.slice(1)}\n`).join('') };
}

function updatedFile(path: string, lines: readonly string[]): PatchedFile | undefined {
  const hunks: { old: string[]; new: string[] }[] = [];
  const places: string[] = [];
  for (const line of lines) {
    if (line.startsWith('@@')) {
      if (line.length > 2) places.push(line);
      hunks.push({ old: [], new: [] });
      continue;
    }
    if (hunks.length === 0) hunks.push({ old: [], new: [] });
    const sign = line.slice(0, 1);
    if (sign !== '' && !'+- '.includes(sign)) return undefined;
    if (sign !== '+') hunks.at(-1)!.old.push(line.slice(1));
    if (sign !== '-') hunks.at(-1)!.new.push(line.slice(1));
  }
  const edits = hunks.map((hunk) => ({ old: hunk.old.join('\n'), new: hunk.new.join('\n') }));
  return edits.length === 0 ? undefined : { path, edits, places };
}
