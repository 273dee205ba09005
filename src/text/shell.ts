/** A word of a command line, as shells of POSIX read it. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * Lines of a preview without an id, of which each run draws another. Gemini CLI puts its first eight characters into
 * the name of the file.
 */
export function withoutId(lines: readonly string[], id: string): string[] {
  return lines.map((line) => line.replaceAll(id, '<new id>').replaceAll(id.slice(0, 8), '<new id>'));
}
