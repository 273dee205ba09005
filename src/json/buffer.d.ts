/**
 * `toString` chooses between these at every call; `@types/node` does not declare them. In a file of its own, which the
 * published types leave out.
 */
interface Buffer {
  latin1Slice(start?: number, end?: number): string;
  utf8Slice(start?: number, end?: number): string;
}
