/** Warnings of the library, which has no command to print them. */
export function warn(text: string): void {
  console.warn(`ctx-trim: ${text}`);
}
