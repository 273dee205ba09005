/**
 * What a preview says of a session that is not written: each run draws another id, so none is shown. Gemini CLI puts
 * the first eight characters into the name of the file.
 */
export function withoutId(lines: readonly string[], id: string): string[] {
  return lines.map((line) => line.replaceAll(id, '<new id>').replaceAll(id.slice(0, 8), '<new id>'));
}
