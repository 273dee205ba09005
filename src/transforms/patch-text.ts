/** Patches in the format of `apply_patch`, alone or as the only command of a shell. */

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
/** What may be before a patch: the command of a shell, whose text is a here-document. */
const COMMAND = /^\s*(?:%%bash\s+)?(?:apply_patch\s*<<-?\s*(?:'\w+'|"\w+"|\w+)\s*\n\s*)?$/;
/** More characters than such a command has. */
const COMMAND_LENGTH = 200;
/** What may be after it: the end of the here-document. */
const DELIMITER = /^\w*$/;
const FILE = /^\*\*\* (?:Add File|Update File|Delete File|Move to):(?<path>.*)$/gm;

/** The paths that a patch names, as written; none if the text is not a patch and nothing else. */
export function patchedPaths(text: string): readonly string[] {
  if (endOfHunks(text) === undefined) return [];
  return [...text.matchAll(FILE)].map(({ groups }) => groups!['path']!.trim());
}

/** The patch with a note instead of its hunks. It still names its files. */
export function withoutHunks(patch: string, note: string): string {
  const end = endOfHunks(patch);
  if (end === undefined) return patch;
  const head = patch.slice(0, patch.indexOf(BEGIN) + BEGIN.length);
  const files = [...patch.matchAll(FILE)].map(([line]) => line.trimEnd());
  return [head, ...files, note, patch.slice(end)].join('\n');
}

/** Where the last line of a patch is; undefined if the text is not a patch and nothing else. */
function endOfHunks(text: string): number | undefined {
  const begin = text.indexOf(BEGIN);
  if (begin < 0 || begin > COMMAND_LENGTH || !COMMAND.test(text.slice(0, begin))) return undefined;
  const end = text.lastIndexOf(`\n${END}`) + 1;
  return end > begin && DELIMITER.test(text.slice(end + END.length).trim()) ? end : undefined;
}
